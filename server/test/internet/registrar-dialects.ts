/** How each registrar's API is spoken: from a request the names asked, and from what is so the answer's bytes. */
import type { IncomingHttpHeaders } from 'node:http'
import { escapeXml } from '../../src/availability/registrars/xml.ts'
import type { Row } from './registrar-world.ts'

export interface Asked {
  readonly method: string
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
  readonly isAllowed: (asked: Asked) => boolean
  readonly names: (asked: Asked) => readonly string[]
  readonly write: (rows: readonly Row[]) => Said
}

/** What a client must show; the same at every registrar that wants one. */
export const LOGIN = { user: 'ada', secret: 's3cret' } as const

const JSON_TYPE = 'application/json'
const price = (row: Row) => (Number.isNaN(row.price) ? undefined : row.price)
const isFree = (row: Row) => row.kind === 'available' || row.kind === 'premium'
const json = (value: unknown, status = 200): Said => ({ status, type: JSON_TYPE, body: JSON.stringify(value) })

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
    api: 'name-com',
    most: 50,
    matches: ({ path }) => path === '/core/v1/domains:checkAvailability',
    isAllowed: ({ authorization }) =>
      authorization === `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.secret}`).toString('base64')}`,
    names: ({ body }) => JSON.parse(body).domainNames,
    write: (rows) => {
      const sold = rows.filter((row) => row.kind !== 'unsold')
      return sold.length === 0
        ? json({ message: 'Unsupported TLDs' }, 422)
        : json({ results: sold.map((row) => writeNameCom(row)) })
    },
  },
  {
    api: 'porkbun',
    most: 1,
    matches: ({ path }) => path.startsWith('/api/json/v3/domain/checkDomain/'),
    isAllowed: ({ body }) => body === JSON.stringify({ apikey: LOGIN.user, secretapikey: LOGIN.secret }),
    names: ({ path }) => [decodeURIComponent(path.split('/').at(-1) ?? '')],
    write: ([row]) => {
      if (row === undefined) return json({ status: 'SUCCESS' })
      if (row.kind === 'unsold') return json({ status: 'ERROR', message: 'TLD not supported.' }, 400)
      const cost = price(row)?.toFixed(2)
      return json({
        status: 'SUCCESS',
        response: {
          avail: isFree(row) ? 'yes' : 'no',
          type: 'registration',
          price: cost,
          firstYearPromo: 'no',
          regularPrice: cost,
          premium: row.kind === 'premium' ? 'yes' : 'no',
          additional: { renewal: { type: 'renewal', price: cost }, transfer: { type: 'transfer', price: cost } },
          // The real one never names the domain; this shows what ours does when it does.
          ...(row.name.startsWith('not-') ? { domain: row.name } : {}),
        },
        limits: { TTL: '10', limit: '1', used: 1 },
      })
    },
  },
  {
    api: 'godaddy',
    most: 500,
    matches: ({ path }) => path === '/v1/domains/available?checkType=FULL',
    isAllowed: ({ authorization }) => authorization === `sso-key ${LOGIN.user}:${LOGIN.secret}`,
    names: ({ body }) => JSON.parse(body),
    write: (rows) => {
      const unsold = rows.filter((row) => row.kind === 'unsold')
      const domains = rows.filter((row) => row.kind !== 'unsold').map((row) => writeGoDaddy(row))
      const errors = unsold.map(({ name }) => ({ domain: name, code: 'UNSUPPORTED_TLD', message: 'no', status: 422 }))
      return unsold.length === 0 ? json({ domains }) : json({ domains, errors }, 203)
    },
  },
  {
    api: 'namecheap',
    most: 50,
    matches: ({ path }) => path === '/xml.response',
    isAllowed: ({ body }) => {
      const form = new URLSearchParams(body)
      return form.get('ApiUser') === LOGIN.user && form.get('ApiKey') === LOGIN.secret && form.has('ClientIp')
    },
    names: ({ body }) => (new URLSearchParams(body).get('DomainList') ?? '').split(','),
    write: (rows) => ({ status: 200, type: 'text/xml', body: writeNamecheap(rows) }),
  },
  {
    api: 'godaddy-token',
    most: 25,
    matches: ({ path, method }) => path === '/v3/domains/check-availability' && method === 'POST',
    isAllowed: ({ authorization }) => authorization === `Bearer ${LOGIN.secret}`,
    names: ({ body }) => JSON.parse(body).domains,
    write: (rows) => json({ items: rows.map((row) => writeGoDaddyToken(row)) }),
  },
  {
    api: 'spaceship',
    most: 20,
    matches: ({ path, method }) => path === '/api/v1/domains/available' && method === 'POST',
    isAllowed: ({ headers }) => headers['x-api-key'] === LOGIN.user && headers['x-api-secret'] === LOGIN.secret,
    names: ({ body }) => JSON.parse(body).domains,
    write: (rows) =>
      json({
        domains: rows.map((row) => ({
          domain: row.name,
          result: row.kind === 'unsold' ? 'tldNotSupported' : isFree(row) ? 'available' : 'taken',
          premiumPricing:
            row.kind === 'premium' ? [{ operation: 'register', price: price(row), currency: row.currency }] : [],
        })),
      }),
  },
  {
    api: 'fastly',
    most: 1,
    matches: ({ path }) => path.startsWith('/domain-management/v1/tools/status?'),
    isAllowed: ({ headers }) => headers['fastly-key'] === LOGIN.secret,
    names: ({ path }) => queryOf(path).getAll('domain'),
    write: ([row]) =>
      json(row && { domain: row.name, zone: row.name.split('.').at(-1), status: FASTLY[row.kind], tags: 'generic' }),
  },
]

const FASTLY: Readonly<Record<Row['kind'], string>> = {
  available: 'undelegated inactive',
  premium: 'undelegated inactive premium',
  registered: 'active',
  reserved: 'undelegated reserved',
  unsold: 'unknown',
}

function queryOf(path: string): URLSearchParams {
  return new URLSearchParams(path.split('?')[1])
}

function writeGoDaddyToken(row: Row) {
  const domain = row.name
  if (row.kind === 'unsold') return { domain, error: { name: 'UNSUPPORTED_TLD', message: 'no', correlationId: '1' } }
  if (!isFree(row)) return { domain, available: false, definitive: true }
  const cost = { currencyCode: row.currency, value: Number.isNaN(row.price) ? undefined : Math.round(row.price * 100) }
  const inventory = row.kind === 'premium' ? 'REGISTRY_PREMIUM' : 'REGISTRY'
  const prices = [
    { period: 1, term: 'YEAR', price: cost, renewalPrice: cost },
    { period: 2, term: 'YEAR', price: { ...cost, value: 1 }, renewalPrice: cost },
  ]
  return { domain, available: true, definitive: true, inventory, prices }
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

function writeNameCom(row: Row) {
  const [sld, ...tld] = row.name.split('.')
  const place = { domainName: row.name, sld, tld: tld.join('.') }
  if (!isFree(row)) return { ...place, purchasable: false, premium: false, reason: 'Unavailable' }
  const cost = { purchasePrice: price(row), renewalPrice: price(row), purchaseType: 'registration' }
  return { ...place, purchasable: true, premium: row.kind === 'premium', ...cost }
}

function writeGoDaddy(row: Row) {
  if (!isFree(row)) return { domain: row.name, available: false, definitive: true }
  const cost = Number.isNaN(row.price) ? undefined : Math.round(row.price * 1_000_000)
  return { domain: row.name, available: true, definitive: true, price: cost, currency: row.currency, period: 1 }
}

function writeNamecheap(rows: readonly Row[]): string {
  const results = rows.map((row) => {
    const cost = row.kind === 'premium' && !Number.isNaN(row.price) ? row.price.toFixed(4) : '0'
    const error = row.kind === 'unsold' ? '2030280' : '0'
    return (
      `<DomainCheckResult Domain="${escapeXml(row.name)}" Available="${isFree(row)}" ErrorNo="${error}" Description=""` +
      ` IsPremiumName="${row.kind === 'premium'}" PremiumRegistrationPrice="${cost}" PremiumRenewalPrice="${cost}"` +
      ` PremiumRestorePrice="0" PremiumTransferPrice="0" IcannFee="0" EapFee="0.0"/>`
    )
  })
  return (
    '<?xml version="1.0" encoding="utf-8"?><ApiResponse Status="OK" xmlns="http://api.namecheap.com/xml.response">' +
    '<Errors /><Warnings /><RequestedCommand>namecheap.domains.check</RequestedCommand>' +
    `<CommandResponse Type="namecheap.domains.check">${results.join('')}</CommandResponse>` +
    '<Server>TEST</Server><GMTTimeDifference>--4:00</GMTTimeDifference><ExecutionTime>0.1</ExecutionTime></ApiResponse>'
  )
}
