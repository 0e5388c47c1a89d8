/**
 * Requests and responses as the documentation of each registrar shows them, with its own example values; the declaring
 * file of the registrar says what was read. Where an example cannot show a case (GoDaddy's are answers from a cache,
 * Gandi's in euros), `VARIANTS` has the example with only the named value changed.
 */
import { createDynadot } from '../../src/availability/registrars/dynadot.ts'
import { createFastly } from '../../src/availability/registrars/fastly.ts'
import { createGandi } from '../../src/availability/registrars/gandi.ts'
import { createGoDaddyWithToken } from '../../src/availability/registrars/godaddy-token.ts'
import { createNameSilo } from '../../src/availability/registrars/namesilo.ts'
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

const NAMESILO = `<namesilo>
    <request><operation>checkRegisterAvailability</operation><ip>55.555.55.55</ip></request>
    <reply>
        <code>300</code>
        <detail>success</detail>
        <available>
            <domain price="9.99" premium="0" duration="1">namesilo.com</domain>
            <domain price="19.99" premium="0" duration="10">namesilo.org</domain>
        </available>
        <unavailable><domain>namesilo.net</domain></unavailable>
        <invalid><domain>n#mesilo.com</domain></invalid>
    </reply>
</namesilo>`

const spaceship = (premiumPricing: readonly object[]) =>
  JSON.stringify({ domains: [{ domain: 'spaceship.dev', result: 'available', premiumPricing }] })

const dynadot = (available: string, premium: string) =>
  JSON.stringify({
    code: '200',
    message: 'Success',
    data: {
      domain_name: 'domain1.com',
      available,
      premium,
      price_list: [{ currency: 'USD', unit: '(price/1 year)', transfer: '$203', restore: '$204' }],
    },
  })

const VAT = [{ type: 'service', rate: 20, name: 'vat' }]
const gandi = (currency: string, prices: readonly object[]) =>
  JSON.stringify({
    currency,
    grid: 'C',
    products: [
      {
        status: 'available',
        name: 'example.com',
        process: 'transfer',
        taxes: VAT,
        prices: [
          {
            max_duration: 1,
            duration_unit: 'y',
            min_duration: 1,
            discount: false,
            price_after_taxes: 7.2,
            price_before_taxes: 6,
          },
        ],
      },
      { status: 'available', name: 'example.com', process: 'create', taxes: VAT, prices },
    ],
    taxes: VAT,
  })
const GANDI_TERMS = [
  {
    max_duration: 2,
    duration_unit: 'y',
    normal_price_after_taxes: 11.04,
    min_duration: 1,
    discount: true,
    price_after_taxes: 5.52,
    normal_price_before_taxes: 9.2,
    price_before_taxes: 4.6,
  },
  {
    max_duration: 10,
    duration_unit: 'y',
    normal_price_after_taxes: 9.38,
    min_duration: 3,
    discount: true,
    price_after_taxes: 4.69,
    normal_price_before_taxes: 7.82,
    price_before_taxes: 3.91,
  },
]
const gandiPremium = (price_before_taxes: number) => ({
  max_duration: 1,
  duration_unit: 'y',
  min_duration: 1,
  discount: false,
  price_before_taxes,
  type: 'premium',
})

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
    api: 'namesilo',
    make: (send, url, now) => createNameSilo({ send, url, now, key: new Secret('12345') }),
    asked: ['namesilo.com', 'namesilo.net', 'namesilo.org'],
    request: {
      method: 'GET',
      path: '/api/checkRegisterAvailability?version=1&type=xml&key=12345&domains=namesilo.com%2Cnamesilo.net%2Cnamesilo.org',
    },
    example: NAMESILO,
    says: {
      'namesilo.com': { says: 'available', price: { registration: usd(999), years: 1 } },
      'namesilo.org': { says: 'available' },
      'namesilo.net': { says: 'registered' },
    },
    offer: NAMESILO,
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
    api: 'dynadot',
    make: (send, url, now) => createDynadot({ send, url, now, key: new Secret('API_KEY') }),
    asked: ['domain1.com'],
    request: { method: 'GET', path: '/restful/v2/domains/domain1.com/search' },
    example: dynadot('No', 'YES'),
    says: { 'domain1.com': { says: 'registered' } },
    offer: dynadot('Yes', 'NO'),
  },
  {
    api: 'gandi',
    make: (send, url, now) => createGandi({ send, url, now, token: new Secret('abc') }),
    asked: ['example.com'],
    request: { method: 'GET', path: '/v5/domain/check?name=example.com&processes=create&currency=USD' },
    example: gandi('EUR', GANDI_TERMS),
    says: { 'example.com': { says: 'available' } },
    offer: gandi('USD', GANDI_TERMS),
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
  ['dynadot', 'premium', dynadot('Yes', 'YES'), { says: 'premium' }],
  ['dynadot', 'available, without the mark for premium names', dynadot('Yes', ''), undefined],
  ['dynadot', 'busy, in a response with status 200', JSON.stringify({ code: 503, message: 'busy' }), undefined],
  [
    'spaceship',
    'available, without the list of premium prices',
    spaceship([]).replace('premiumPricing', 'x'),
    undefined,
  ],
  ['spaceship', 'an error', spaceship([]).replace('"available"', '"unexpectedError"'), undefined],
  ['namesilo', 'an error of the account', NAMESILO.replace('<code>300', '<code>110'), undefined],
  ['namesilo', 'in two lists', NAMESILO.replace('namesilo.net', 'namesilo.com'), { says: 'unknown' }],
  ['namesilo', 'premium', NAMESILO.replace('premium="0"', 'premium="1"'), { says: 'premium' }],
  [
    'gandi',
    'in US dollars',
    gandi('USD', GANDI_TERMS),
    { says: 'available', price: { registration: usd(460), years: 1 } },
  ],
  [
    'gandi',
    'the example with two premium prices',
    gandi('EUR', [732.03, 645.93].map(gandiPremium)),
    { says: 'premium' },
  ],
  [
    'gandi',
    'two prices for one year',
    gandi(
      'USD',
      GANDI_TERMS.map((term) => ({ ...term, min_duration: 1 })),
    ),
    { says: 'premium' },
  ],
  ['gandi', 'pending', gandi('USD', GANDI_TERMS).replaceAll('"available"', '"pending"'), undefined],
  ['gandi', 'a suffix without products', '{"currency":"EUR","grid":"A"}', undefined],
  ['fastly', 'an estimate from DNS', fastly('undelegated inactive', { scope: 'estimate' }), undefined],
  ['fastly', 'not in DNS, and nothing from the registry', fastly('undelegated'), undefined],
  ['fastly', 'unknown', fastly('unknown'), undefined],
  ['fastly', 'registered and for sale', fastly('active marketed priced'), { says: 'registered' }],
  ['fastly', 'premium', fastly('undelegated inactive premium'), { says: 'premium' }],
  ['fastly', 'inactive before a word that is not documented', fastly('inactive embargoed'), undefined],
  ['fastly', 'inactive after a word that is not documented', fastly('embargoed inactive'), undefined],
]
