/**
 * The SDK for the current session: with a pass for the current account, or with the visitors' key. Undefined where a
 * stranger may not ask at all.
 *
 * All parts of the page share one client, and so one pass: each of its own would be one too many for the service.
 */
import type { QueryClient } from '@tanstack/react-query'
import { createNamewright } from '@namewright/client'
import type { Fetch, Namewright } from '@namewright/client'
import { i18n, useText } from '../i18n/i18n.ts'
import type { Language } from '../i18n/languages.ts'
import { findAccount, sessionQuery, useAccount, useSession } from './session.ts'
import type { Session } from './session.ts'
import { askSettings } from './settings.ts'
import type { Pass } from './settings-types.ts'

const clients = new Map<string, Namewright>()

export function useClient(): Namewright | undefined {
  return clientOf(useSession(), useAccount()?.id, useText().language)
}

/** The same at this moment, for what follows from a press. */
export function findClient(queries: QueryClient): Namewright | undefined {
  const session = queries.getQueryData(sessionQuery.queryKey)
  return session && clientOf(session, findAccount(queries)?.id, i18n.locale as Language)
}

export function clientOf(
  { person, visitor }: Session,
  account: string | undefined,
  language: Language,
): Namewright | undefined {
  const key = visitor?.key
  const common = { baseUrl: location.origin, language, fetch: toTheEnd }
  if (account !== undefined)
    return shared(`${person?.id ?? ''} ${account} ${language}`, () =>
      createNamewright({ ...common, accessToken: () => askForPass(account) }),
    )
  return key === undefined
    ? undefined
    : shared(`${key} ${language}`, () => createNamewright({ ...common, apiKey: key }))
}

function shared(who: string, create: () => Namewright): Namewright {
  const client = clients.get(who) ?? create()
  clients.set(who, client)
  return client
}

/** What is removed stays so when the page is closed in the same moment. */
const toTheEnd: Fetch = (url, init) => fetch(url, init.method === 'DELETE' ? { ...init, keepalive: true } : init)

async function askForPass(account: string) {
  const pass = await askSettings<Pass>(`/settings/accounts/${account}/pass`, { method: 'POST', body: {} })
  return { token: pass.token, expiresAt: new Date(pass.expires_at) }
}
