/** Starts the search for what is about to stand in the address, before the page that shows it is there: it finds it under way. */
import type { QueryClient } from '@tanstack/react-query'
import type { GenerateRequest } from '@namewright/client'
import { findClient } from '../api/client.ts'
import { findAccount } from '../api/session.ts'
import { getPreferences } from '../preferences.ts'
import { COUNT, parseAsked } from './asked.ts'
import type { Asked } from './asked.ts'
import { requestOf } from './request-of.ts'
import { startSearch } from './search-store.ts'

export const keyOf = (account: string, request: GenerateRequest, count = request.count) =>
  JSON.stringify([account, { ...request, count }])

/** Does nothing while it is not known who asks. */
export function begin(next: Asked, queries: QueryClient): void {
  const asked = parseAsked({ ...next })
  const request = requestOf(asked, asked.d ?? '', getPreferences().currency || undefined)
  const client = findClient(queries)
  if (client) startSearch(client, { key: keyOf(findAccount(queries)?.id ?? '', request), request, added: COUNT })
}
