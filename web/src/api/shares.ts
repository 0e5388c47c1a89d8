/** Names behind a link, shown as a naming room: as members of the account see them and as everybody with the link does. */
import { queryOptions } from '@tanstack/react-query'
import type { GenerateRequest } from 'namewright'
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
  /** 0: there from the beginning. */
  readonly batch: number
  readonly votes: Votes
}

export interface Votes {
  readonly up: number
  readonly down: number
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
  /** The id of the item that the host has chosen. */
  readonly picked: string | null
  readonly further: {
    /** How many more searches for names there may be. */
    readonly left: number
    readonly is_searching: boolean
  }
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
  /** Of the project: without it no further names can be found. */
  readonly description?: string
  readonly options?: Partial<GenerateRequest>
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

/** `account` undefined: as a visitor. The voter is the host. */
export async function makeShare(
  account: string | undefined,
  voter: string,
  draft: ShareDraft,
): Promise<Share & Pick<OwnShare, 'url'>> {
  const path = account === undefined ? '/shares' : sharesOf(account)
  const asked = { method: 'POST', headers: headersOf(voter), body: draft } as const
  return (await askSettings<{ share: Share & Pick<OwnShare, 'url'> }>(path, asked)).share
}

export async function endShare(account: string, id: string): Promise<void> {
  await askSettings(`${sharesOf(account)}/${id}`, { method: 'DELETE' })
}

/** What everybody with the link is shown, with their own votes by item. */
export interface Ballot {
  readonly share: Share
  readonly mine: Readonly<Record<string, Vote>>
  readonly is_host: boolean
}

const ballotAt = (token: string) => `/shares/${encodeURIComponent(token)}`
const headersOf = (voter: string) => ({ 'namewright-voter': voter })

// While there are no events.
const LOOK_EVERY_MS = 20_000

export const ballotQuery = (token: string, voter: string, isLive = false) =>
  queryOptions({
    queryKey: ['ballot', token],
    queryFn: ({ signal }) => askSettings<Ballot>(ballotAt(token), { headers: headersOf(voter), signal }),
    refetchInterval: ({ state }) => (state.status === 'success' && !isLive ? LOOK_EVERY_MS : false),
  })

/** Returns the votes on these items, one's own included. */
export function giveVotes(
  token: string,
  voter: string,
  body: { readonly name?: string; readonly votes: Readonly<Record<string, Vote | null>> },
): Promise<{ readonly items: readonly Pick<ShareItem, 'id' | 'votes'>[] }> {
  return askSettings(`${ballotAt(token)}/votes`, { method: 'PUT', headers: headersOf(voter), body })
}

export function giveComment(
  token: string,
  voter: string,
  body: { readonly name: string; readonly text: string; readonly item_id?: string },
): Promise<Ballot> {
  return askSettings<Ballot>(`${ballotAt(token)}/comments`, { method: 'POST', headers: headersOf(voter), body })
}

/** Only for the host. Null takes the choice back. */
export function pickName(token: string, voter: string, item: string | null): Promise<Ballot> {
  const body = { item_id: item }
  return askSettings<Ballot>(`${ballotAt(token)}/pick`, { method: 'PUT', headers: headersOf(voter), body })
}

/** Resolves when the names are there; they also come as an event. */
export function addNames(token: string, voter: string): Promise<{ readonly added: number }> {
  return askSettings(`${ballotAt(token)}/names`, { method: 'POST', headers: headersOf(voter) })
}

export interface ShareListener {
  readonly onLive: (isLive: boolean) => void
  /** `isWhole`: all of it; otherwise its items and comments are only those that are new or different. */
  readonly onShare: (share: Share, isWhole: boolean) => void
  /** The room has ended, or its events cannot be had now. */
  readonly onEnd: () => void
}

// A browser reconnects by itself, but not after a refusal.
const RECONNECT_MS = 5_000

export function followShare(token: string, { onLive, onShare, onEnd }: ShareListener): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    const events = new EventSource(`${ballotAt(token)}/events`)
    source = events
    const read = (isWhole: boolean) => (event: MessageEvent<string>) => {
      onLive(true)
      onShare((JSON.parse(event.data) as { share: Share }).share, isWhole)
    }
    events.addEventListener('share', read(true))
    events.addEventListener('change', read(false))
    events.addEventListener('gone', () => {
      events.close()
      onLive(false)
      onEnd()
    })
    events.addEventListener('error', () => {
      onLive(false)
      if (events.readyState !== EventSource.CLOSED) return
      onEnd()
      timer = setTimeout(open, RECONNECT_MS)
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    source?.close()
  }
}
