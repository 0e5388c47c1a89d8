/** Lists of favorites behind a link, as members of the account see them and as everybody with the link does. */
import { queryOptions } from '@tanstack/react-query'
import { askSettings } from './settings.ts'

export type Vote = 'up' | 'down'

export interface ShareItem {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly note: string | null
  readonly available: boolean
  /** Null where prices are not shown. */
  readonly price: string | null
  readonly checked_at: string
  readonly votes: { readonly up: number; readonly down: number }
}

export interface ShareComment {
  readonly id: string
  readonly by: string
  readonly text: string
  /** Null: about the list as a whole. */
  readonly item_id: string | null
  readonly created_at: string
}

export interface Share {
  readonly id: string
  readonly title: string
  readonly created_at: string
  readonly expires_at: string
  readonly show_prices: boolean
  readonly items: readonly ShareItem[]
  readonly voters: number
  readonly comments: readonly ShareComment[]
}

export interface OwnShare extends Share {
  readonly url: string
  readonly created_by: string | null
  readonly voter_names: readonly string[]
}

export interface ShareDraft {
  readonly title: string
  readonly favorite_ids: readonly string[]
  readonly expires_in_days: number
  readonly show_prices: boolean
}

const sharesOf = (account: string) => `/settings/accounts/${account}/shares`

export const sharesQuery = (account: string) =>
  queryOptions({
    queryKey: ['shares', account],
    queryFn: async ({ signal }) =>
      (await askSettings<{ shares: readonly OwnShare[] }>(sharesOf(account), { signal })).shares,
  })

export async function makeShare(account: string, draft: ShareDraft): Promise<OwnShare> {
  return (await askSettings<{ share: OwnShare }>(sharesOf(account), { method: 'POST', body: draft })).share
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

// Often enough to see a vote that was given across the table.
const LOOK_EVERY_MS = 20_000

export const ballotQuery = (token: string, voter: string) =>
  queryOptions({
    queryKey: ['ballot', token],
    queryFn: ({ signal }) => askSettings<Ballot>(ballotAt(token), { headers: headersOf(voter), signal }),
    refetchInterval: ({ state }) => (state.status === 'success' ? LOOK_EVERY_MS : false),
  })

export function giveVotes(
  token: string,
  voter: string,
  body: { readonly name?: string; readonly votes: Readonly<Record<string, Vote | null>> },
): Promise<Ballot> {
  return askSettings<Ballot>(`${ballotAt(token)}/votes`, { method: 'PUT', headers: headersOf(voter), body })
}

export function giveComment(
  token: string,
  voter: string,
  body: { readonly name: string; readonly text: string; readonly item_id?: string },
): Promise<Ballot> {
  return askSettings<Ballot>(`${ballotAt(token)}/comments`, { method: 'POST', headers: headersOf(voter), body })
}
