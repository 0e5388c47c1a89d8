/**
 * All features of the service, in the order in which the manual and the agents see them. Everything that concerns every
 * feature walks this list.
 */
import { accounts } from './features/accounts/index.ts'
import { batches } from './features/batches/index.ts'
import { catalog } from './features/catalog/index.ts'
import { check } from './features/check/index.ts'
import { favorites } from './features/favorites/index.ts'
import { generateFeature } from './features/generate/index.ts'
import { history } from './features/history/index.ts'
import { keys } from './features/keys/index.ts'
import { operation } from './features/operation/index.ts'
import { quota } from './features/quota/index.ts'
import { shares } from './features/shares/index.ts'
import { signIn } from './features/sign-in/index.ts'
import { site } from './features/site/index.ts'
import { watchFeature } from './features/watch/index.ts'
import { webhooks } from './features/webhooks/index.ts'
import type { Feature } from './http/feature.ts'

export const FEATURES: readonly Feature[] = [
  generateFeature,
  history,
  check,
  favorites,
  watchFeature,
  batches,
  webhooks,
  catalog,
  operation,
  signIn,
  accounts,
  keys,
  quota,
  shares,
  site,
]
