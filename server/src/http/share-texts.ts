/** Serializes a share, for members and for people with the link. */
import type { Share } from '../library/shares/shares.ts'

interface SeenShare {
  readonly available: boolean
  readonly price: string
  readonly checked_at: string
}

/** For people with the link: without the creator, and without prices if these are hidden. */
export function publicShare(share: Share) {
  const { id, title, created_at, expires_at, show_prices, voters } = share
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
  return { id, title, created_at, expires_at, show_prices, items, voters, comments }
}

export function memberShare(share: Share, url: string) {
  const { created_by, voterNames: voter_names } = share
  return {
    ...publicShare({ ...share, show_prices: true }),
    show_prices: share.show_prices,
    url,
    created_by,
    voter_names,
  }
}
