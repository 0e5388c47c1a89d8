/** Results as the service sends them, with the types of the client, so that a change of the contract is noticed here. */
import type { CheckedDomain, CheckedName, DomainEntry, Generated, NameVerdict } from 'namewright'

const TIMES = { checked_at: '2026-11-17T20:00:00.000Z', expires_at: '2026-11-17T20:05:00.000Z' } as const

type Status = CheckedDomain['status']

const pricing = {
  currency: 'USD',
  registration_minor: 1299,
  renewal_minor: 1299,
  transfer_minor: 1299,
  years: 1,
  total_5y_minor: 6495,
  kind: 'list',
  registrar: 'Porkbun public price list',
  as_of: '2026-10',
} as const

export const entry = (domain: string, status: Status, available = status === 'available'): DomainEntry => ({
  domain,
  available,
  price: '$12.99',
  status,
  confidence: status === 'unknown' ? 'likely' : 'definitive',
  sources: status === 'unknown' ? [] : ['dns', 'rdap'],
  ...TIMES,
  pricing,
})

export const checked = (domain: string, status: Status, available = status === 'available'): CheckedDomain => ({
  input: domain.toUpperCase(),
  domain,
  available,
  status,
  confidence: status === 'unknown' ? 'likely' : 'definitive',
  sources: status === 'unknown' ? [] : ['dns', 'rdap'],
  ...TIMES,
  price: status === 'invalid' ? null : '$12.99',
  pricing: status === 'invalid' ? null : pricing,
})

const namespace = (of: Pick<NameVerdict, 'namespace' | 'available' | 'status' | 'rule'>): NameVerdict => ({
  ...of,
  label: 'storkloom',
  confidence: 'likely',
  sources: [of.namespace],
  ...TIMES,
  url: `https://${of.namespace}.example/storkloom`,
})

export const generated: Generated = {
  suggestions: [
    {
      name: 'Storkloom',
      domains: [entry('storkloom.com', 'taken'), entry('storkloom.io', 'available'), entry('storkloom.dev', 'unknown')],
      rationale: 'stork and loom',
    },
    { name: 'Breadwheel', domains: [entry('breadwheel.com', 'premium', true)] },
  ],
}

export const names: readonly CheckedName[] = [
  {
    input: 'Storkloom',
    label: 'storkloom',
    domains: [checked('storkloom.com', 'taken'), checked('storkloom.io', 'available')],
    packages: [
      namespace({ namespace: 'npm', available: 'unknown', status: 'unknown', rule: 'not_found' }),
      namespace({ namespace: 'pypi', available: false, status: 'taken', rule: 'exists' }),
    ],
    code: [namespace({ namespace: 'github', available: 'unknown', status: 'unknown', rule: 'rate_limited' })],
  },
]

/** Every status, each with both values of `available`: half of them contradict themselves. */
export const everyVerdict = (
  [
    'available',
    'premium',
    'for_sale',
    'taken',
    'reserved',
    'restricted',
    'unsupported',
    'invalid',
    'unknown',
  ] as const satisfies readonly Status[]
).flatMap((status) => [true, false].map((available) => checked(`${status}-${available}.com`, status, available)))
