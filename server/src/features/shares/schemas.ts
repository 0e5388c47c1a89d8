/** The bodies and responses of shared lists, for members and for people with the link. */
import { Type, type Static } from 'typebox'
import { closed, DomainStatus, Name, nullable, RowTime, success } from '../../http/wire/schemas.ts'
import type { Prices } from '../../engines/prices/prices.ts'
import { behindLabel, type Suffix } from '../../model/domain.ts'
import { seenWithStatus } from '../../model/offer.ts'
import type { Status } from '../../model/verdict.ts'
import type { Share } from './rows.ts'
import type { OwnShare } from './shares.ts'

export const MAX_NAMES = 50
const MAX_MESSAGE = 200
export const MAX_AT_ONCE = 100

const SharedNameBody = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 63 }), domain: Type.String({ minLength: 1, maxLength: 253 }) },
  closed,
)

/** The fields that everybody may send. */
const ShareFields = {
  title: Name,
  names: Type.Optional(Type.Array(SharedNameBody, { minItems: 1, maxItems: MAX_NAMES })),
  message: Type.Optional(Type.String({ maxLength: MAX_MESSAGE })),
  expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
  show_prices: Type.Optional(Type.Boolean()),
}
export const ShareFieldsBody = Type.Object(ShareFields, closed)
export type ShareFieldsBody = Static<typeof ShareFieldsBody>

export const ShareBody = Type.Object(
  {
    ...ShareFields,
    favorite_ids: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: MAX_NAMES, uniqueItems: true }),
    ),
  },
  closed,
)

export const SharesQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_AT_ONCE })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  closed,
)

const SharedItem = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    domain: Type.String(),
    note: nullable(Type.String()),
    available: Type.Boolean(),
    status: DomainStatus,
    price: nullable(Type.String()),
    term_years: Type.Integer(),
    checked_at: Type.String(),
    votes: Type.Object({ up: Type.Integer(), down: Type.Integer() }, closed),
  },
  { ...closed, $id: 'SharedItem' },
)
const MemberShare = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    message: nullable(Type.String()),
    created_at: RowTime,
    expires_at: RowTime,
    show_prices: Type.Boolean(),
    items: Type.Array(SharedItem),
    voters: Type.Integer(),
    url: nullable(Type.String()),
    created_by: nullable(Type.String()),
    voter_names: Type.Array(Type.String()),
  },
  { ...closed, $id: 'Share' },
)
export const ShareOne = success(Type.Object({ share: MemberShare }, closed), 'ShareAnswer')
export const SharePage = success(
  Type.Object({ shares: Type.Array(MemberShare), next_cursor: nullable(Type.String()) }, closed),
  'SharePage',
)

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
