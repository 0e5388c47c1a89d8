/** Shared lists: as members of the account see them and as everybody with the link does. */
import { queryOptions } from '@tanstack/react-query'
import { isErrorCode } from '@namewright/client'
import type { DomainEntry } from '@namewright/client'
import { askSettings } from './settings.ts'

export type Vote = 'up' | 'down'

export interface ShareItem {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly note: string | null
  readonly available: boolean
  readonly status: NonNullable<DomainEntry['status']>
  /** Null where prices are not shown. */
  readonly price: string | null
  readonly term_years: number
  readonly checked_at: string
  readonly votes: Votes
}

export interface Votes {
  readonly up: number
  readonly down: number
}

export interface Share {
  readonly id: string
  readonly title: string
  readonly message: string | null
  readonly created_at: string
  readonly expires_at: string
  readonly show_prices: boolean
  readonly items: readonly ShareItem[]
  readonly voters: number
}

export interface OwnShare extends Share {
  /** Null when the service no longer knows it. */
  readonly url: string | null
  readonly created_by: string | null
  readonly voter_names: readonly string[]
}

export interface ShareDraft {
  readonly title: string
  readonly favorite_ids?: readonly string[]
  readonly names?: readonly { readonly name: string; readonly domain: string }[]
  readonly message?: string
  readonly expires_in_days?: number
  readonly show_prices?: boolean
}

const sharesOf = (account: string) => `/settings/accounts/${account}/shares`

export const sharesQuery = (account: string) =>
  queryOptions({
    queryKey: ['shares', account],
    queryFn: async ({ signal }) =>
      (await askSettings<{ shares: readonly OwnShare[] }>(sharesOf(account), { signal })).shares,
  })

/** `account` undefined: as a visitor. */
export async function makeShare(
  account: string | undefined,
  draft: ShareDraft,
): Promise<Share & Pick<OwnShare, 'url'>> {
  const path = account === undefined ? '/shares' : sharesOf(account)
  const asked = { method: 'POST', body: draft } as const
  return (await askSettings<{ share: Share & Pick<OwnShare, 'url'> }>(path, asked)).share
}

export async function endShare(account: string, id: string): Promise<void> {
  await askSettings(`${sharesOf(account)}/${id}`, { method: 'DELETE' })
}

/** What everybody with the link is shown, with their own votes by item. */
export interface Ballot {
  readonly share: Share
  readonly mine: Readonly<Record<string, Vote>>
}

const ballotAt = (token: string) => `/shares/${encodeURIComponent(token)}`
const headersOf = (voter: string) => ({ 'namewright-voter': voter })

// Soon enough to vote together; the service allows it to fifty pages behind one address.
const READ_EVERY_MS = 5_000

export const ballotQuery = (token: string, voter: string) =>
  queryOptions({
    queryKey: ['ballot', token],
    queryFn: ({ signal }) => askSettings<Ballot>(ballotAt(token), { headers: headersOf(voter), signal }),
    refetchInterval: ({ state }) => (isErrorCode(state.error, 'not_found') ? false : READ_EVERY_MS),
  })

/** Returns the votes on these items, one's own included. */
export function giveVotes(
  token: string,
  voter: string,
  body: { readonly name?: string; readonly votes: Readonly<Record<string, Vote | null>> },
): Promise<{ readonly items: readonly Pick<ShareItem, 'id' | 'votes'>[] }> {
  return askSettings(`${ballotAt(token)}/votes`, { method: 'PUT', headers: headersOf(voter), body })
}
