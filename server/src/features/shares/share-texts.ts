/** Serializes a shared list, for members and for people with the link. */
import type { OwnShare, Share } from './shares.ts'
import { behindLabel } from '../../model/domain.ts'
import type { Suffix } from '../../model/domain.ts'
import { seenWithStatus } from '../../model/offer.ts'
import type { Status } from '../../model/verdict.ts'
import type { Prices } from '../../engines/prices/prices.ts'

interface SeenDomain {
  readonly available: boolean
  readonly status: Status
  readonly price: string
  readonly checked_at: string
}

/** For people with the link: without the creator, and without prices if these are hidden. */
export function publicShare(share: Share, prices: Pick<Prices, 'termOf'>) {
  const { id, title, message, created_at, expires_at, show_prices, voters } = share
  const items = share.items.map((item) => {
    const { available, status, price, checked_at } = JSON.parse(seenWithStatus(item.seen)) as SeenDomain
    return {
      id: item.id,
      name: item.name,
      domain: item.domain,
      note: item.note,
      available,
      status,
      price: show_prices ? price : null,
      /** What the price is for. */
      term_years: prices.termOf(behindLabel(item.domain) as Suffix).termYears,
      checked_at,
      votes: { up: item.up, down: item.down },
    }
  })
  return { id, title, message, created_at, expires_at, show_prices, items, voters }
}

export function memberShare(share: OwnShare, url: string | null, prices: Pick<Prices, 'termOf'>) {
  const { created_by, voterNames: voter_names } = share
  return {
    ...publicShare({ ...share, show_prices: true }, prices),
    show_prices: share.show_prices,
    url,
    created_by,
    voter_names,
  }
}
