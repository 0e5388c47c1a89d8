/** How the registrars of the loopback internet speak: from a request the names asked, and from what is so the answer's bytes. */
import type { IncomingHttpHeaders } from 'node:http'
import { verifySignature } from '../../../sdk/src/verify-webhook.ts'
import type { Row } from './registrar-world.ts'

export interface Asked {
  readonly path: string
  readonly authorization: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Said {
  readonly status: number
  readonly type: string
  readonly body: string
}

export interface Dialect {
  readonly api: string
  readonly most: number
  readonly matches: (asked: Asked) => boolean
  readonly isAllowed: (asked: Asked) => boolean | Promise<boolean>
  readonly names: (asked: Asked) => readonly string[]
  readonly write: (rows: readonly Row[]) => Said
}

/** What a client must show; the same at every registrar that wants one. */
export const LOGIN = { user: 'ada', secret: 's3cret' } as const
/** What requests to an operator's own source are signed with. */
export const SIGNING_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const JSON_TYPE = 'application/json'
const price = (row: Row) => (Number.isNaN(row.price) ? undefined : row.price)
const isFree = (row: Row) => row.kind === 'available' || row.kind === 'premium'
const json = (value: unknown): Said => ({ status: 200, type: JSON_TYPE, body: JSON.stringify(value) })

export const DIALECTS: readonly Dialect[] = [
  {
    api: 'vercel',
    most: 200,
    matches: ({ path }) => path === '/v1/registrar/domains/search',
    isAllowed: ({ authorization }) => authorization === '',
    names: ({ body }) => JSON.parse(body).domains,
    write: (rows) =>
      json({
        results: rows.map((row) => {
          if (!isFree(row)) return { domain: row.name, available: false }
          const cost = { years: 1, price: price(row), renewalPrice: price(row) }
          return { domain: row.name, available: true, ...cost, premium: row.kind === 'premium' }
        }),
      }),
  },
  {
    api: 'cloudflare',
    most: 20,
    matches: ({ path }) => path === `/client/v4/accounts/${LOGIN.user}/registrar/domain-check`,
    isAllowed: ({ authorization }) => authorization === `Bearer ${LOGIN.secret}`,
    names: ({ body }) => JSON.parse(body).domains,
    write: (rows) => json({ success: true, errors: [], messages: [], result: { domains: rows.map(writeCloudflare) } }),
  },
  {
    api: 'own-source',
    most: 100,
    matches: ({ path }) => path === '/own-source',
    isAllowed: ({ headers, body }) =>
      verifySignature(body, headers, SIGNING_SECRET).then(
        () => true,
        () => false,
      ),
    names: ({ body }) => JSON.parse(body).domains,
    write: (rows) => json(rows.map(writeOwn)),
  },
]

function writeOwn(row: Row) {
  if (!isFree(row)) return { domain: row.name, available: false }
  const cost = { price: price(row)?.toFixed(2), renewal: price(row), currency: row.currency }
  return { domain: row.name, available: true, ...cost, premium: row.kind === 'premium' }
}

function writeCloudflare(row: Row) {
  const { name } = row
  if (row.kind === 'unsold') return { name, registrable: false, reason: 'extension_not_supported' }
  if (row.kind === 'premium') return { name, registrable: false, tier: 'premium', reason: 'domain_premium' }
  if (row.kind !== 'available') return { name, registrable: false, tier: 'standard', reason: 'domain_unavailable' }
  const cost = price(row)?.toFixed(2)
  const pricing = { currency: row.currency, registration_cost: cost, renewal_cost: cost }
  return { name, registrable: true, tier: 'standard', pricing }
}
