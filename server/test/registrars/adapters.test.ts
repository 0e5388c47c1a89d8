import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCloudflare } from '../../src/availability/registrars/cloudflare.ts'
import { createFastly } from '../../src/availability/registrars/fastly.ts'
import { createGoDaddyWithToken } from '../../src/availability/registrars/godaddy-token.ts'
import { createGoDaddy } from '../../src/availability/registrars/godaddy.ts'
import { createNameCom } from '../../src/availability/registrars/name-com.ts'
import { createNamecheap } from '../../src/availability/registrars/namecheap.ts'
import { createPorkbun } from '../../src/availability/registrars/porkbun.ts'
import { Limited } from '../../src/availability/registrars/registrar.ts'
import type { Registrar, Send } from '../../src/availability/registrars/registrar.ts'
import { createSpaceship } from '../../src/availability/registrars/spaceship.ts'
import { createVercel } from '../../src/availability/registrars/vercel.ts'
import type { Evidence } from '../../src/availability/evidence.ts'
import type { Domain } from '../../src/model/domain.ts'
import { Secret } from '../../src/model/secret.ts'
import { openOutbound } from '../../src/platform/outbound/outbound.ts'
import type { OutboundAnswer } from '../../src/platform/outbound/outbound.ts'
import { makeCertificate } from '../certificate.ts'
import { LOGIN } from '../internet/registrar-dialects.ts'
import { MOODS, openRegistrarServer, RETRY_AFTER_SECONDS } from '../internet/registrar-server.ts'
import type { Mood, RegistrarServer } from '../internet/registrar-server.ts'
import { makeWorld, rowsOf } from '../internet/registrar-world.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

const NOW = 1_800_000_000_000
const { world, names } = makeWorld()
const domains = names as readonly Domain[]
const kinds = new Map(rowsOf(world, names).map((row) => [row.name, row]))

type Make = (send: Send, url: string) => Registrar
const [secret, user] = [new Secret(LOGIN.secret), new Secret(LOGIN.user)]
const now = () => NOW
const ALL: readonly [string, Make][] = [
  ['vercel', (send, url) => createVercel({ send, url, now })],
  ['cloudflare', (send, url) => createCloudflare({ send, url, accountId: LOGIN.user, token: secret, now })],
  ['name-com', (send, url) => createNameCom({ send, url, username: LOGIN.user, token: secret, now })],
  ['porkbun', (send, url) => createPorkbun({ send, url, key: user, secret, now })],
  ['godaddy', (send, url) => createGoDaddy({ send, url, key: user, secret, now })],
  [
    'namecheap',
    (send, url) => createNamecheap({ send, url, user: LOGIN.user, key: secret, clientIp: '192.0.2.1', now }),
  ],
  ['godaddy-token', (send, url) => createGoDaddyWithToken({ send, url, name: 'godaddy', token: secret, now })],
  ['spaceship', (send, url) => createSpaceship({ send, url, key: user, secret, now })],
  ['fastly', (send, url) => createFastly({ send, url, token: secret, now })],
]
/** One name in a request, so no row can contradict another. */
const SINGLE = ['porkbun', 'fastly']
/** Their responses have no price for names at the standard price, or none for premium names. */
const UNPRICED = ['namecheap', 'spaceship', 'fastly']
const UNPRICED_PREMIUM = ['cloudflare', 'spaceship', 'fastly']

let server: RegistrarServer
let ca: string
const closing = new AsyncDisposableStack()

beforeAll(async () => {
  const certificate = closing.use(await makeCertificate())
  const stranger = closing.use(await makeCertificate())
  ca = certificate.ca
  server = closing.use(await openRegistrarServer({ world, certificate, stranger }))
})
afterAll(() => closing.disposeAsync())

async function ask(make: Make, mood: Mood, asked: readonly Domain[], timeoutMs = 60_000): Promise<readonly Evidence[]> {
  server.be(mood)
  const outbound = openOutbound({ ca, allowPrivate: true, now: Date.now })
  try {
    const registrar = make((request) => outbound.send(request), server.url)
    const evidence: Evidence[] = []
    const signal = AbortSignal.timeout(timeoutMs)
    for (let at = 0; at < asked.length; at += registrar.batch) {
      evidence.push(...(await registrar.check(asked.slice(at, at + registrar.batch), signal)))
    }
    return evidence
  } finally {
    await outbound.close()
  }
}

const isClaim = ({ says, price }: Evidence) => says === 'available' || (says === 'premium' && price !== undefined)

test.each(ALL)('%s: each of 500 names is what it is, and what is not sold is left out', async (api, make) => {
  const evidence = new Map((await ask(make, 'well', domains)).map((one) => [one.domain, one]))
  for (const domain of domains) {
    const { kind, price } = kinds.get(domain)!
    const money = { minor: Math.round(price * 100), currency: 'USD' }
    const one = evidence.get(domain)
    if (kind === 'unsold') expect(one).toBeUndefined()
    else if (kind === 'registered' || kind === 'reserved') {
      const says = api === 'fastly' ? kind : 'registered'
      expect(one).toMatchObject({ says, ttlMs: 3_600_000, source: api === 'godaddy-token' ? 'godaddy' : api })
    } else if (kind === 'available') {
      expect(one).toMatchObject({ says: 'available', at: NOW, ttlMs: 300_000 })
      const years = api === 'name-com' ? 'shortest' : 1
      if (!UNPRICED.includes(api)) expect(one?.price).toMatchObject({ registration: money, years })
    } else if (UNPRICED_PREMIUM.includes(api)) {
      expect(one).toMatchObject({ says: 'premium' })
      expect(one?.price).toBeUndefined()
    } else if (api === 'godaddy') expect(one).toMatchObject({ says: 'available', price: { registration: money } })
    else
      expect(one).toMatchObject({ says: 'premium', ttlMs: 3_600_000, price: { registration: money, renewal: money } })
  }
})

// In these the answer's form is right and what is left of it is true, or its API has no such field.
const HARMLESS: Partial<Record<Mood, readonly string[]>> = {
  doubled: SINGLE,
  'no price': UNPRICED,
  'negative price': UNPRICED,
  'foreign currency': ['vercel', 'name-com', 'porkbun', ...UNPRICED],
}
const MEANT: readonly Mood[] = ['well', 'slow', 'shuffled', 'missing']
const cases = ALL.flatMap(([api, make]) =>
  MOODS.filter((mood) => !MEANT.includes(mood) && mood !== 'lying')
    .filter((mood) => !(mood === 'contradicting' && SINGLE.includes(api)))
    .map((mood) => ({ api, mood, make })),
)

test.each(cases)('$api, $mood: nothing is called free that way', async ({ api, mood, make }) => {
  const batch = SINGLE.includes(api) ? domains.slice(1, 3) : domains.slice(0, 20)
  const evidence = await ask(make, mood, batch, 300).catch((error: unknown) => {
    if (error instanceof Limited) return []
    throw error
  })
  if (HARMLESS[mood]?.includes(api)) {
    for (const { domain } of evidence.filter(isClaim))
      expect(['available', 'premium']).toContain(kinds.get(domain)?.kind)
  } else expect(evidence.filter(isClaim)).toEqual([])
})

test.each(ALL)('%s: rows in another order, or too few of them, mislead nobody', async (_, make) => {
  for (const mood of ['shuffled', 'missing'] as const) {
    const evidence = await ask(make, mood, domains.slice(0, 40))
    expect(evidence.some(isClaim)).toBe(true)
    for (const { domain } of evidence.filter(isClaim))
      expect(['available', 'premium']).toContain(kinds.get(domain)?.kind)
  }
})

test.each(ALL)('%s: a slow answer is waited for until the signal fires, and not longer', async (_, make) => {
  expect((await ask(make, 'slow', domains.slice(1, 2))).length).toBe(1)
  const startedAt = runningMs()
  expect(await ask(make, 'silent', domains.slice(1, 2), 100)).toEqual([])
  expect(runningMs() - startedAt).toBeLessThan(3_000)
})

test.each(ALL)('%s: "too many" is passed on, with the time it named', async (api, make) => {
  for (const status of ['429', '403', '422'] as const) {
    if (api === 'name-com' && status === '422') continue
    await expect(ask(make, status, domains.slice(1, 2))).rejects.toMatchObject({ retryAfterMs: undefined })
    const later = ask(make, `${status} later`, domains.slice(1, 2))
    await expect(later).rejects.toMatchObject({ retryAfterMs: RETRY_AFTER_SECONDS * 1000 })
    await expect(later).rejects.toBeInstanceOf(Limited)
  }
})

test('name-com: 422 says that it sells none of them, and is no complaint', async () => {
  const make = ALL.find(([api]) => api === 'name-com')![1]
  expect(await ask(make, 'well', ['name-0.shop' as Domain])).toEqual([])
})

test('vercel: while its list of suffixes cannot be read, a copy says what "not available" means', async () => {
  const [listed, unlisted] = ['taken.com', 'taken.shop']
  const [free, freeUnlisted] = ['free.com', 'free.shop']
  const row = (domain: string, available: boolean) => ({
    domain,
    available,
    ...(available ? { premium: false, years: 1, price: 11.25, renewalPrice: 11.25 } : {}),
  })
  const results = [row(listed, false), row(unlisted, false), row(free, true), row(freeUnlisted, true)]
  const asked: string[] = []
  let list: OutboundAnswer = { kind: 'failed', reason: 'timeout' }
  const answerOf = (body: object, status = 200): OutboundAnswer => ({
    kind: 'answer',
    status,
    headers: {},
    body: Buffer.from(JSON.stringify(body)),
  })
  let at = NOW
  const send: Send = async ({ url }) => {
    asked.push(new URL(url).pathname)
    return url.endsWith('/supported') ? list : answerOf({ results })
  }
  const registrar = createVercel({ send, now: () => at })
  const saysNow = async () => {
    const evidence = await registrar.check(
      results.map(({ domain }) => domain as Domain),
      new AbortController().signal,
    )
    return Object.fromEntries(evidence.map(({ domain, says }) => [domain, says]))
  }
  expect(registrar.fault?.()).toBeUndefined()
  expect(await saysNow()).toEqual({ [listed]: 'registered', [free]: 'available', [freeUnlisted]: 'available' })
  expect(registrar.fault?.()).toMatch(
    /^its list of suffixes cannot be read: timeout; the copy of \d{4}-\d\d-\d\d is used$/,
  )
  list = answerOf({}, 401)
  at += 60_000
  await saysNow()
  expect(registrar.fault?.()).toContain('status 401')
  await saysNow()
  const listReads = () => asked.filter((path) => path.endsWith('/supported')).length
  expect(listReads()).toBe(2)
  list = answerOf(['com', 'net', 'org'])
  at += 60_000
  await saysNow()
  expect(await saysNow()).toEqual({ [listed]: 'registered', [free]: 'available' })
  expect(registrar.fault?.()).toBeUndefined()
  expect(listReads()).toBe(3)
})

test('wrong credentials are an empty answer', async () => {
  const wrong: Make = (send, url) => createNameCom({ send, url, username: 'eve', token: secret, now })
  expect(await ask(wrong, 'well', domains.slice(0, 50))).toEqual([])
})
