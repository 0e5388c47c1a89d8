/** Serializes a share, for members and for people with the link. */
import { MAX_BATCHES } from '../library/shares/shares.ts'
import type { Share } from '../library/shares/shares.ts'

interface SeenShare {
  readonly available: boolean
  readonly price: string
  readonly checked_at: string
}

export type PublicShare = ReturnType<typeof publicShare>

/** For people with the link: without the creator, and without prices if these are hidden. */
export function publicShare(share: Share, now: number) {
  const { id, title, created_at, expires_at, show_prices, voters, picked } = share
  const items = share.items.map((item) => {
    const { available, price, checked_at } = JSON.parse(item.seen) as SeenShare
    return {
      id: item.id,
      name: item.name,
      domain: item.domain,
      note: item.note,
      available,
      price: show_prices ? price : null,
      checked_at,
      batch: item.batch,
      votes: { up: item.up, down: item.down },
    }
  })
  const comments = share.comments.map(({ id: comment, author, text, item_id, created_at: at }) => ({
    id: comment,
    by: author,
    text,
    item_id,
    created_at: at,
  }))
  const further = {
    /** How many more searches for names there may be. */
    left: share.description === null ? 0 : MAX_BATCHES - share.batches,
    is_searching: share.searching_until !== null && share.searching_until.getTime() > now,
  }
  return { id, title, created_at, expires_at, show_prices, items, voters, comments, picked, further }
}

export function memberShare(share: Share, url: string | null, now: number) {
  const { created_by, voterNames: voter_names } = share
  return {
    ...publicShare({ ...share, show_prices: true }, now),
    show_prices: share.show_prices,
    url,
    created_by,
    voter_names,
  }
}
