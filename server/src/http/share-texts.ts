/** A share as members and as everybody with the link see it. */
import type { Share } from '../shares/shares.ts'

interface Seen {
  readonly available: boolean
  readonly price: string
  readonly checked_at: string
}

/** For everybody with the link: without who made it, and without prices where they are not to be shown. */
export function publicShare(share: Share) {
  const { id, title, created_at, expires_at, show_prices, voters } = share
  const items = share.items.map((item) => {
    const { available, price, checked_at } = JSON.parse(item.seen) as Seen
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
