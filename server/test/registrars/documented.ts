/**
 * Requests and responses as the documentation of each registrar shows them, with its own example values; the declaring
 * file of the registrar says what was read. Where an example cannot show a case (GoDaddy's are answers from a cache), `VARIANTS` has the example with only the named value changed.
 */
import { createFastly } from '../../src/availability/registrars/fastly.ts'
import { createGoDaddyWithToken } from '../../src/availability/registrars/godaddy-token.ts'
import type { Registrar, Send } from '../../src/availability/registrars/registrar.ts'
import { createSpaceship } from '../../src/availability/registrars/spaceship.ts'
import { Secret } from '../../src/model/secret.ts'
import type { ReplayedRequest } from './replay-server.ts'

export interface Documented {
  readonly api: string
  readonly make: (send: Send, url: string, now: () => number) => Registrar
  readonly asked: readonly string[]
  readonly request: Partial<ReplayedRequest>
  readonly example: string
  /** What the example says, by domain; a domain without evidence is missing. */
  readonly says: Readonly<Record<string, object>>
  /** A response that offers every asked domain, for the faults. */
  readonly offer: string
}

const usd = (minor: number) => ({ minor, currency: 'USD' })
const GODADDY_TERM = {
  period: 1,
  price: { currencyCode: 'USD', value: 1999 },
  renewalPrice: { currencyCode: 'USD', value: 1999 },
  term: 'YEAR',
}
const goDaddyItem = (definitive: boolean, inventory = 'REGISTRY') => ({
  available: true,
  definitive,
  domain: 'example.com',
  inventory,
  prices: [GODADDY_TERM],
})
const GODADDY_ERROR = {
  domain: 'invalid..com',
  error: {
    correlationId: '9f1c2e7a-4b3d-4e8f-a1c2-3d4e5f6a7b8c',
    message: 'does not conform to the format',
    name: 'MISMATCH_FORMAT',
  },
}
const goDaddy = (...items: readonly object[]) => JSON.stringify({ items })

const spaceship = (premiumPricing: readonly object[]) =>
  JSON.stringify({ domains: [{ domain: 'spaceship.dev', result: 'available', premiumPricing }] })

const fastly = (status: string, more: object = {}) =>
  JSON.stringify({ domain: 'acmecoffee.shop', zone: 'shop', status, tags: 'generic', ...more })

export const DOCUMENTED: readonly Documented[] = [
  {
    api: 'godaddy',
    make: (send, url, now) =>
      createGoDaddyWithToken({ send, url, now, name: 'godaddy', token: new Secret('gd_pat_1') }),
    asked: ['example.com'],
    request: { method: 'POST', path: '/v3/domains/check-availability' },
    // From a cache, and a name that cannot be checked.
    example: goDaddy(goDaddyItem(false), GODADDY_ERROR),
    says: {},
    offer: goDaddy(goDaddyItem(true)),
  },
  {
    api: 'spaceship',
    make: (send, url, now) =>
      createSpaceship({ send, url, now, key: new Secret('JdIS8'), secret: new Secret('F3brv') }),
    asked: ['spaceship.dev'],
    request: { method: 'POST', path: '/api/v1/domains/available', body: '{"domains":["spaceship.dev"]}' },
    example: spaceship([{ operation: 'register', price: 10.99, currency: 'USD' }]),
    says: { 'spaceship.dev': { says: 'premium' } },
    offer: spaceship([]),
  },
  {
    api: 'fastly',
    make: (send, url, now) => createFastly({ send, url, now, token: new Secret('token') }),
    asked: ['acmecoffee.shop'],
    request: { method: 'GET', path: '/domain-management/v1/tools/status?domain=acmecoffee.shop' },
    example: fastly('undelegated inactive'),
    says: { 'acmecoffee.shop': { says: 'available' } },
    offer: fastly('undelegated inactive'),
  },
]

/** Responses that differ from the examples in the named value only, and what each says; undefined: nothing. */
export const VARIANTS: readonly (readonly [api: string, what: string, body: string, says: object | undefined])[] = [
  [
    'godaddy',
    'confirmed by the registry',
    goDaddy(goDaddyItem(true)),
    { says: 'available', price: { registration: usd(1999), renewal: usd(1999), years: 1 } },
  ],
  ['godaddy', 'sold by its owner', goDaddy(goDaddyItem(true, 'PREMIUM')), { says: 'registered' }],
  [
    'godaddy',
    'premium at the registry',
    goDaddy(goDaddyItem(true, 'REGISTRY_PREMIUM')),
    { says: 'premium', price: { registration: usd(1999), renewal: usd(1999), years: 1 } },
  ],
  ['godaddy', 'an inventory that is not documented', goDaddy(goDaddyItem(true, 'AUCTION')), undefined],
  [
    'godaddy',
    'with a fee beside the price',
    goDaddy({
      ...goDaddyItem(true, 'REGISTRY_PREMIUM'),
      prices: [
        {
          ...GODADDY_TERM,
          fees: [{ type: 'ONE_TIME_PREMIUM_DOMAIN_PURCHASE', fee: { currencyCode: 'USD', value: 390000 } }],
        },
      ],
    }),
    { says: 'premium' },
  ],
  [
    'spaceship',
    'available, without the list of premium prices',
    spaceship([]).replace('premiumPricing', 'x'),
    undefined,
  ],
  ['spaceship', 'an error', spaceship([]).replace('"available"', '"unexpectedError"'), undefined],
  ['fastly', 'an estimate from DNS', fastly('undelegated inactive', { scope: 'estimate' }), undefined],
  ['fastly', 'not in DNS, and nothing from the registry', fastly('undelegated'), undefined],
  ['fastly', 'unknown', fastly('unknown'), undefined],
  ['fastly', 'registered and for sale', fastly('active marketed priced'), { says: 'registered' }],
  ['fastly', 'premium', fastly('undelegated inactive premium'), { says: 'premium' }],
  ['fastly', 'inactive before a word that is not documented', fastly('inactive embargoed'), undefined],
  ['fastly', 'inactive after a word that is not documented', fastly('embargoed inactive'), undefined],
]
