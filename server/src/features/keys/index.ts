/** Keys: the credentials with which programs act for an account. */
import type { Feature } from '../../http/feature.ts'
import { applicationRoutes } from './application-rules-routes.ts'
import { exporting } from './exporting.ts'
import { forgetting } from './forgetting.ts'
import { keyRoutes } from './settings-routes.ts'

export const keys = {
  name: 'keys',
  settings: [...keyRoutes, ...applicationRoutes],
  data: { forget: forgetting, export: (member, { db }) => exporting(db, member), naming: true },
} satisfies Feature
