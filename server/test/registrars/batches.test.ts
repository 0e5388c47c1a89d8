import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RegistrarBudget } from '../../src/availability/registrars/batcher.ts'
import { createNameCom } from '../../src/availability/registrars/name-com.ts'
import type { Registrar, Send } from '../../src/availability/registrars/registrar.ts'
import { openRegistrars } from '../../src/availability/registrars/registrars.ts'
import { createVercel } from '../../src/availability/registrars/vercel.ts'
import type { Evidence } from '../../src/availability/evidence.ts'
import type { Domain } from '../../src/model/domain.ts'
import { Secret } from '../../src/model/secret.ts'
import { openOutbound } from '../../src/platform/outbound/outbound.ts'
import type { Outbound } from '../../src/platform/outbound/outbound.ts'
import { makeCertificate } from '../certificate.ts'
import { LOGIN } from '../internet/registrar-dialects.ts'
import { openRegistrarServer } from '../internet/registrar-server.ts'
import type { RegistrarServer } from '../internet/registrar-server.ts'
import { makeWorld, rowsOf } from '../internet/registrar-world.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

const { world, names } = makeWorld(1_000)
const domains = names as readonly Domain[]
const kinds = new Map(rowsOf(world, names).map((row) => [row.name, row.kind]))
const patience = () => AbortSignal.timeout(5_000)

let server: RegistrarServer
let outbound: Outbound
let vercel: Registrar
let nameCom: Registrar
const closing = new AsyncDisposableStack()

beforeAll(async () => {
  const certificate = closing.use(await makeCertificate())
  const stranger = closing.use(await makeCertificate())
  server = closing.use(await openRegistrarServer({ world, certificate, stranger }))
  outbound = openOutbound({ ca: certificate.ca, allowPrivate: true, now: Date.now })
  closing.defer(() => outbound.close())
})
afterAll(() => closing.disposeAsync())
beforeEach(() => {
  server.be('well')
  const send: Send = (request) => outbound.send(request)
  vercel = createVercel({ send, url: server.url, now: Date.now })
  nameCom = createNameCom({
    send,
    url: server.url,
    username: LOGIN.user,
    token: new Secret(LOGIN.secret),
    now: Date.now,
  })
})

/** `perSecond`: tokens that come after those. */
function openBudget(allowed = Infinity, perSecond = 0.001) {
  const seen = { wanted: [] as number[], taken: [] as number[], limited: [] as (number | undefined)[] }
  const budget: RegistrarBudget = {
    async take(_, wanted) {
      const granted = Math.min(wanted, allowed)
      allowed -= granted
      seen.wanted.push(wanted)
      seen.taken.push(granted)
      return granted
    },
    async limited(_, retryAfterMs) {
      seen.limited.push(retryAfterMs)
    },
    waitOf: () => 1000 / perSecond,
    rateOf: () => perSecond,
  }
  const grant = (tokens: number) => void (allowed += tokens)
  return { budget, seen, grant }
}

const sinceThen = (before: number) => server.requests.slice(before)

test('1,000 names from 20 callers at once arrive in 5 requests, and each caller gets its own', async () => {
  const { budget } = openBudget()
  const registrars = openRegistrars({ order: [vercel], budget })
  const before = server.requests.length
  const callers = Array.from({ length: 20 }, (_, at) => domains.slice(at * 50, at * 50 + 50))
  const answers = await Promise.all(callers.map((mine) => registrars.ask(mine, patience())))
  expect(sinceThen(before).map(({ names: sent }) => sent.length)).toEqual([200, 200, 200, 200, 200])
  for (const [at, answer] of answers.entries()) {
    const expected = callers[at]!.filter((domain) => kinds.get(domain) !== 'unsold')
    expect([...answer.keys()].toSorted()).toEqual(expected.toSorted())
  }
})

test('a name that many want at once is asked once', async () => {
  const { budget } = openBudget()
  const registrars = openRegistrars({ order: [vercel], budget })
  server.be('slow')
  const before = server.requests.length
  const mine = domains.slice(1, 4)
  const early = [registrars.ask(mine, patience()), registrars.ask(mine, patience())]
  await new Promise((resolve) => setTimeout(resolve, 100))
  const answers = await Promise.all([...early, registrars.ask(mine, patience())])
  expect(answers.map((answer) => answer.size)).toEqual([3, 3, 3])
  expect(sinceThen(before).length).toBe(1)
})

test('the next registrar is asked only for what the one before left out', async () => {
  const { budget } = openBudget()
  const before = server.requests.length
  const mine = domains.slice(0, 50)
  const open = mine.filter((domain) => kinds.get(domain) === 'unsold')
  await openRegistrars({ order: [vercel, nameCom], budget }).ask(mine, patience())
  expect(sinceThen(before).map(({ api, names: sent }) => [api, sent])).toEqual([
    ['vercel', mine],
    ['name-com', open],
  ])
})

test('without budget the registrar is passed over at once', async () => {
  const { budget, seen } = openBudget(0)
  const started = runningMs()
  expect((await openRegistrars({ order: [vercel], budget }).ask(domains, patience())).size).toBe(0)
  expect(runningMs() - started).toBeLessThan(2_000)
  expect(seen.taken).toEqual([0])
})

test('for who wants to know, names that the budget had no room for are told to be unasked', async () => {
  const { budget } = openBudget(0)
  const answer = await openRegistrars({ order: [vercel], budget, reportsSilence: true }).ask(domains, patience())
  expect(answer.size).toBe(domains.length)
  for (const evidence of answer.values()) expect(evidence).toMatchObject({ says: 'unknown', unasked: true })
})

test('who can wait is served when there is budget, and who cannot is not in the way', async () => {
  const { budget, grant } = openBudget(0, 50)
  const registrars = openRegistrars({ order: [vercel], budget })
  const before = server.requests.length
  const turn = { fairnessKey: 'ada', giveUpAt: Date.now() + 60_000 }
  const waits = registrars.ask(domains.slice(1, 3), patience(), undefined, turn)
  expect((await registrars.ask(domains.slice(3, 6), patience())).size).toBe(0)
  expect(sinceThen(before)).toEqual([])
  grant(1)
  expect((await waits).size).toBe(2)
  expect(sinceThen(before).map(({ names: sent }) => sent)).toEqual([domains.slice(1, 3)])
})

test('a request carries names of all who wait, in turn', async () => {
  const { budget, seen, grant } = openBudget(0, 50)
  const registrars = openRegistrars({ order: [{ ...vercel, batch: 4 }], budget })
  const before = server.requests.length
  const waiting = (fairnessKey: string, mine: readonly Domain[]) =>
    registrars.ask(mine, patience(), undefined, { fairnessKey, giveUpAt: Date.now() + 60_000 })
  const answers = [waiting('ada', domains.slice(10, 16)), waiting('ben', domains.slice(20, 22))]
  // Both are refused once, since nobody else can be asked, and then wait together: eight names, two requests.
  await expect.poll(() => seen.wanted.at(-1)).toBe(2)
  grant(2)
  await Promise.all(answers)
  const [first, second] = sinceThen(before).map(({ names: sent }) => sent)
  expect(first?.toSorted()).toEqual([...domains.slice(10, 12), ...domains.slice(20, 22)].toSorted())
  expect(second).toEqual(domains.slice(12, 16))
})

test('when two have no budget, a name waits for the one whose turn comes first', async () => {
  const seen: string[] = []
  const budget: RegistrarBudget = {
    take: async (host, wanted) => (host === 'soon' && Date.now() > startedAt + 100 ? wanted : 0),
    limited: async () => {},
    waitOf: (host) => (host === 'soon' ? 50 : 2_000),
    rateOf: () => 1,
  }
  const startedAt = Date.now()
  const registrar = (host: string): Registrar => ({
    name: host,
    host,
    batch: 10,
    async check(asked) {
      seen.push(host)
      return asked.map((domain) => ({ domain, source: host, says: 'available', at: 0, ttlMs: 1 }))
    },
  })
  const order = [registrar('late'), registrar('soon')]
  const turn = { fairnessKey: 'ada', giveUpAt: startedAt + 60_000 }
  const answer = await openRegistrars({ order, budget }).ask(domains.slice(0, 2), patience(), undefined, turn)
  expect([...answer.values()].map(({ source }) => source)).toEqual(['soon', 'soon'])
  expect(seen).toEqual(['soon'])
})

test('whoever is not answered for want of budget hears when to come back', async () => {
  const { budget } = openBudget(0, 1)
  const shortages: [Domain, object][] = []
  const onShortage = (domain: Domain, shortage: object) => void shortages.push([domain, shortage])
  const registrars = openRegistrars({ order: [vercel], budget })
  const turn = { fairnessKey: 'ada', giveUpAt: Date.now(), onShortage }
  expect((await registrars.ask(domains.slice(1, 2), patience(), undefined, turn)).size).toBe(0)
  expect(shortages).toEqual([[domains[1], { source: 'vercel', retryMs: 2_000, wasAsked: false }]])
  // Until the caller has to answer.
  const later = { ...turn, giveUpAt: Date.now() + 60_000 }
  expect((await registrars.ask(domains.slice(2, 3), AbortSignal.timeout(100), undefined, later)).size).toBe(0)
  expect(shortages[1]).toMatchObject([domains[2], { source: 'vercel', wasAsked: false }])
})

test('half a budget sends half of the batches', async () => {
  const { budget } = openBudget(2)
  const before = server.requests.length
  const answer = await openRegistrars({ order: [vercel], budget }).ask(domains, patience())
  expect(sinceThen(before).length).toBe(2)
  expect(answer.size).toBe(domains.slice(0, 400).filter((domain) => kinds.get(domain) !== 'unsold').length)
})

test('"too many" reaches the budget with its time, and the next registrar is asked', async () => {
  const { budget, seen } = openBudget()
  server.be('429 later')
  expect((await openRegistrars({ order: [vercel, nameCom], budget }).ask(domains.slice(0, 9), patience())).size).toBe(0)
  expect(seen.limited).toEqual([7_000, 7_000])
})

test('a fired signal returns at once, and a name that nobody waits for is not sent', async () => {
  const { budget, seen } = openBudget()
  const registrars = openRegistrars({ order: [vercel], budget })
  const stop = new AbortController()
  const gone = registrars.ask(domains.slice(0, 3), stop.signal)
  const stays = registrars.ask(domains.slice(2, 6), patience())
  stop.abort()
  const before = server.requests.length
  expect((await gone).size).toBe(0)
  await stays
  expect(sinceThen(before).map(({ names: sent }) => sent)).toEqual([domains.slice(2, 6)])
  expect(seen.taken).toEqual([1])
})

test('callers a few milliseconds apart share a request', async () => {
  const { budget } = openBudget()
  const registrars = openRegistrars({ order: [vercel], budget })
  const before = server.requests.length
  const early = registrars.ask(domains.slice(1, 3), patience())
  await new Promise((resolve) => setTimeout(resolve, 4))
  await Promise.all([early, registrars.ask(domains.slice(3, 6), patience())])
  expect(sinceThen(before).map(({ names: sent }) => sent.length)).toEqual([5])
})

test('when all callers have gone before the request left, it costs nothing', async () => {
  const { budget, seen } = openBudget()
  const stop = new AbortController()
  const gone = openRegistrars({ order: [vercel], budget }).ask(domains.slice(1, 3), stop.signal)
  stop.abort()
  expect((await gone).size).toBe(0)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(seen.taken).toEqual([])
})

test('a caller who goes while the answer is on its way leaves it to the others', async () => {
  const { budget } = openBudget()
  const registrars = openRegistrars({ order: [vercel], budget })
  server.be('slow')
  const gone = registrars.ask(domains.slice(1, 3), AbortSignal.timeout(100))
  const stays = registrars.ask(domains.slice(1, 3), patience())
  expect((await gone).size).toBe(0)
  expect((await stays).size).toBe(2)
})

test('when all callers have gone the request is broken off and the name can be asked anew', async () => {
  const { budget } = openBudget()
  const registrars = openRegistrars({ order: [vercel], budget })
  server.be('silent')
  expect((await registrars.ask(domains.slice(1, 3), AbortSignal.timeout(100))).size).toBe(0)
  server.be('well')
  expect((await registrars.ask(domains.slice(1, 3), patience())).size).toBe(2)
})

test('a premium name without a price is asked further, and a mere "available" does not clear it', async () => {
  const { budget } = openBudget()
  const [first, second, third] = domains as [Domain, Domain, Domain]
  const registrar = (name: string, says: Partial<Record<Domain, Evidence['says']>>, minor?: number): Registrar => ({
    name,
    host: name,
    batch: 10,
    check: async (asked) =>
      asked.flatMap((domain) => {
        const word = says[domain]
        const price =
          minor === undefined ? {} : { price: { registration: { minor, currency: 'USD' as const }, years: 1 } }
        return word === undefined ? [] : [{ domain, source: name, says: word, at: 0, ttlMs: 1, ...price }]
      }),
  })
  const order = [
    registrar('a', { [first]: 'premium', [second]: 'premium', [third]: 'premium' }),
    registrar('b', { [first]: 'premium', [second]: 'available', [third]: 'registered' }, 5_000),
  ]
  const evidence = await openRegistrars({ order, budget }).ask([first, second, third], patience())
  expect(evidence.get(first)).toMatchObject({ source: 'b', says: 'premium', price: { registration: { minor: 5_000 } } })
  expect(evidence.get(second)).toMatchObject({ source: 'a', says: 'premium' })
  expect(evidence.get(second)?.price).toBeUndefined()
  expect(evidence.get(third)).toMatchObject({ says: 'registered' })
})

test('a mistake in an adapter reaches the caller and does not pass as silence', async () => {
  const { budget } = openBudget()
  const broken: Registrar = { name: 'x', host: 'x', batch: 2, check: () => Promise.reject(new TypeError('ours')) }
  await expect(openRegistrars({ order: [broken], budget }).ask(domains.slice(0, 3), patience())).rejects.toThrow('ours')
})
