/** Serializes a shared list, for members and for people with the link. */
import type { OwnShare, Share } from '../library/shares/shares.ts'

interface SeenDomain {
  readonly available: boolean
  readonly price: string
  readonly checked_at: string
}

/** For people with the link: without the creator, and without prices if these are hidden. */
export function publicShare(share: Share) {
  const { id, title, message, created_at, expires_at, show_prices, voters } = share
  const items = share.items.map((item) => {
    const { available, price, checked_at } = JSON.parse(item.seen) as SeenDomain
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
  return { id, title, message, created_at, expires_at, show_prices, items, voters }
}

export function memberShare(share: OwnShare, url: string | null) {
  const { created_by, voterNames: voter_names } = share
  return {
    ...publicShare({ ...share, show_prices: true }),
    show_prices: share.show_prices,
    url,
    created_by,
    voter_names,
  }
}
