import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGoDaddy, godaddy } from '../../src/availability/registrars/godaddy.ts'
import { Limited } from '../../src/availability/registrars/registrar.ts'
import type { Send } from '../../src/availability/registrars/registrar.ts'
import type { Evidence } from '../../src/availability/evidence.ts'
import type { Domain } from '../../src/model/domain.ts'
import { Secret } from '../../src/model/secret.ts'
import { createHealthTracker } from '../../src/platform/outbound/health-tracker.ts'
import { openOutbound } from '../../src/platform/outbound/outbound.ts'
import type { Outbound } from '../../src/platform/outbound/outbound.ts'
import { makeCertificate } from '../certificate.ts'
import { DOCUMENTED, VARIANTS } from './documented.ts'
import type { Documented } from './documented.ts'
import { openReplayServer } from './replay-server.ts'
import type { Replay, ReplayServer } from './replay-server.ts'

const NOW = 1_800_000_000_000
const LOGINS: Readonly<Record<string, object>> = {
  godaddy: { authorization: 'Bearer gd_pat_1' },
  spaceship: { 'x-api-key': 'JdIS8', 'x-api-secret': 'F3brv' },
  fastly: { 'fastly-key': 'token' },
}

let server: ReplayServer
let outbound: Outbound
const closing = new AsyncDisposableStack()

beforeAll(async () => {
  const certificate = closing.use(await makeCertificate())
  server = closing.use(await openReplayServer(certificate))
  outbound = openOutbound({ ca: certificate.ca, allowPrivate: true, now: Date.now })
  closing.defer(() => outbound.close())
})
afterAll(() => closing.disposeAsync())

async function check({ make, asked }: Documented, replay: Replay): Promise<readonly Evidence[]> {
  server.play(replay)
  const registrar = make(
    (request) => outbound.send(request),
    server.url,
    () => NOW,
  )
  return registrar.check(asked as readonly Domain[], AbortSignal.timeout(10_000))
}

const saysOf = (evidence: readonly Evidence[]) =>
  Object.fromEntries(
    evidence.map(({ domain, says, price }) => [domain, { says, ...(price === undefined ? {} : { price }) }]),
  )
const isOffer = ({ says }: Evidence) => says === 'available' || says === 'premium'

describe.for(DOCUMENTED)('$api', (documented) => {
  const { api, asked, offer, example, request, says } = documented

  test('sends the documented request', async () => {
    await check(documented, { body: example })
    const sent = server.requests.at(-1)
    expect(sent).toMatchObject({ ...request, headers: LOGINS[api] })
    if (api === 'godaddy') expect(JSON.parse(sent?.body ?? '')).toEqual({ domains: asked, optimizeFor: 'ACCURACY' })
  })

  test('reads the example of the documentation', async () => {
    expect(saysOf(await check(documented, { body: example }))).toEqual(says)
  })

  test.for(VARIANTS.filter(([of]) => of === api))('%s, %s', async ([, , body, expected]) => {
    const [first = ''] = asked
    expect(saysOf(await check(documented, { body }))[first]).toEqual(expected)
  })

  test('the response that the faults begin with offers a domain', async () => {
    expect((await check(documented, { body: offer })).some(isOffer)).toBe(true)
  })

  test.for([401, 404, 500, 503])('the same response with status %i offers nothing', async (status) => {
    expect(await check(documented, { status, body: offer })).toEqual([])
  })

  test('"too many requests" is passed on, with the time it named', async () => {
    const limited = check(documented, { status: 429, headers: { 'retry-after': '7' }, body: offer })
    await expect(limited).rejects.toBeInstanceOf(Limited)
    await expect(limited).rejects.toMatchObject({ retryAfterMs: 7000 })
  })

  test('a response that ends early, at any character, offers nothing', async () => {
    const cuts = Array.from({ length: 12 }, (_, at) => Math.floor((offer.trimEnd().length * at) / 12))
    for (const cut of cuts) expect(await check(documented, { body: offer.slice(0, cut) }), `${cut}`).toEqual([])
  })

  test('a response about another domain offers nothing', async () => {
    const body = asked.reduce((text, domain) => text.replaceAll(domain, `not-${domain}`), offer)
    expect(await check(documented, { body })).toEqual([])
  })

  test('a response without the domain offers nothing', async () => {
    for (const body of ['{}', '[]', 'null', '{"items":[],"domains":[],"data":{},"products":[]}', '<no/>']) {
      expect(await check(documented, { body }), body).toEqual([])
    }
  })
})

describe('the setting of GoDaddy', () => {
  const parse = godaddy.settings.NAMEWRIGHT_GODADDY!.parse
  const sent: { url: string; authorization: string | undefined }[] = []
  const use = async (text: string) => {
    const registrar = await godaddy.create(
      { NAMEWRIGHT_GODADDY: parse(text) },
      {
        send: ({ url, headers }) => {
          sent.push({ url, authorization: headers?.authorization })
          return Promise.resolve({ kind: 'failed', reason: 'timeout' })
        },
        health: createHealthTracker({ now: Date.now, slowMs: 1_000 }),
        onClose: () => {},
        now: Date.now,
      },
    )
    await registrar.check(['example.com' as Domain], AbortSignal.timeout(1_000))
    return registrar
  }

  test('a token is sent to version 3, and a key with its secret to version 1', async () => {
    expect(await use('gd_pat_abc_01234567')).toMatchObject({ name: 'godaddy', host: 'api.godaddy.com', batch: 25 })
    expect(sent.at(-1)).toEqual({
      url: 'https://api.godaddy.com/v3/domains/check-availability',
      authorization: 'Bearer gd_pat_abc_01234567',
    })
    expect(await use('key:secret')).toMatchObject({ name: 'godaddy', host: 'api.godaddy.com', batch: 50 })
    expect(sent.at(-1)).toEqual({
      url: 'https://api.godaddy.com/v1/domains/available?checkType=FULL',
      authorization: 'sso-key key:secret',
    })
  })

  test('with a key, a guess from its cache counts neither as available nor as registered', async () => {
    const [key, secret] = [new Secret('key'), new Secret('secret')]
    const documented = {
      ...DOCUMENTED.find(({ api }) => api === 'godaddy')!,
      make: (send: Send, url: string, now: () => number) => createGoDaddy({ send, url, now, key, secret }),
    }
    const row = { domain: 'example.com', available: true, currency: 'USD', period: 1, price: 19_990_000 }
    const saysWith = async (fields: object) =>
      (await check(documented, { body: JSON.stringify({ domains: [{ ...row, ...fields }] }) })).map(({ says }) => says)
    expect(await saysWith({ definitive: true })).toEqual(['available'])
    expect(await saysWith({ definitive: false })).toEqual([])
    expect(await saysWith({})).toEqual([])
    expect(await saysWith({ available: false, definitive: false })).toEqual([])
  })

  test('half a key is refused, and neither is printed', () => {
    for (const text of [':secret', 'key:', 'a:b:c']) expect(() => parse(text)).toThrow('2 parts')
    expect(parse('gd_pat_abc')).toBeInstanceOf(Secret)
    expect(JSON.stringify([parse('gd_pat_abc'), parse('key:hidden')])).not.toMatch(/gd_pat|hidden/)
  })
})
