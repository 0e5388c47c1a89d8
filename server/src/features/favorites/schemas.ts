/** The bodies, queries and responses of /v1/favorites. */
import { Type, type Static } from 'typebox'
import type { Shown } from '../../http/route.ts'
import {
  closed,
  DomainStatus,
  Instant,
  Moment,
  nullable,
  paging,
  Price,
  success,
  text,
} from '../../http/wire/schemas.ts'

export const FavoriteBody = Type.Object(
  {
    domain: text(253),
    name: Type.Optional(text(100)),
    note: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
    tags: Type.Optional(Type.Array(text(40), { maxItems: 20, uniqueItems: true })),
    watch: Type.Optional(Type.Boolean()),
  },
  { ...closed, $id: 'FavoriteRequest', examples: [{ domain: 'storkloom.com', tags: ['bakery'], watch: true }] },
)
export type FavoriteBody = Static<typeof FavoriteBody>

export const FavoriteChange = Type.Object(
  {
    name: Type.Optional(text(100)),
    note: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
    tags: Type.Optional(Type.Array(text(40), { maxItems: 20, uniqueItems: true })),
    watch: Type.Optional(Type.Boolean()),
  },
  { ...closed, minProperties: 1, $id: 'FavoriteChange', examples: [{ note: 'The favorite of the board.' }] },
)
export type FavoriteChange = Static<typeof FavoriteChange>

export const FavoriteQuery = Type.Object(
  {
    ...paging,
    q: Type.Optional(text(200, 'Search text within the domain, name or note.')),
    tag: Type.Optional(text(40)),
    watch: Type.Optional(Type.Boolean()),
    changed_since: Type.Optional(Moment),
  },
  closed,
)
export type FavoriteQuery = Static<typeof FavoriteQuery>

const Seen = Type.Object(
  { available: Type.Boolean(), status: DomainStatus, price: Price, checked_at: Instant },
  { ...closed, $id: 'Seen' },
)
const Favorite = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    domain: Type.String(),
    name: Type.String(),
    note: nullable(Type.String()),
    tags: Type.Array(Type.String()),
    watch: Type.Boolean(),
    created_at: Instant,
    term_years: Type.Integer({ minimum: 1, description: 'The shortest registration, in years. Prices are for it.' }),
    saved: Seen,
    current: Seen,
  },
  { ...closed, $id: 'Favorite' },
)
export type Favorite = Shown<Static<typeof Favorite>>

export const ChangesQuery = Type.Object(paging, closed)

const FavoriteChangeRecord = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    created_at: Instant,
    kind: Type.Enum(['available', 'taken', 'price_changed']),
    before: Seen,
    after: Seen,
  },
  { ...closed, $id: 'FavoriteChangeRecord' },
)
export type Change = Shown<Static<typeof FavoriteChangeRecord>>

export const FavoriteChangePage = success(
  Type.Object({ changes: Type.Array(FavoriteChangeRecord), next_cursor: nullable(Type.String()) }, closed),
  'FavoriteChangePage',
)
export const FavoriteOne = success(Type.Object({ favorite: Favorite }, closed), 'FavoriteAnswer')
export const FavoritePage = success(
  Type.Object({ favorites: Type.Array(Favorite), next_cursor: nullable(Type.String()) }, closed),
  'FavoritePage',
)
