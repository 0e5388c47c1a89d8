/** Many callers at one registrar, or several: what is sent together, who waits for budget, and what is never sent. */
import { expect, test } from 'vitest'
import { type Domain, type Evidence, Limited, openRegistrars, type Registrar, type RegistrarBudget } from '../source.ts'

/** Every seventh is under a suffix that the first registrar does not sell. */
const domains = Array.from({ length: 1_000 }, (_, at) => `name-${at}.${at % 7 === 0 ? 'shop' : 'com'}` as Domain)
const isSold = (domain: string) => domain.endsWith('.com')
const patience = () => AbortSignal.timeout(20_000)

type Says = (domain: Domain) => Partial<Evidence> | undefined

function openOne(name = 'one', says: Says = (domain) => (isSold(domain) ? { says: 'available' } : undefined)) {
  const requests: (readonly Domain[])[] = []
  const state = { requests, isLimited: false, held: undefined as Promise<void> | undefined }
  const registrar: Registrar = {
    name,
    host: name,
    batch: 200,
    async check(asked, signal) {
      requests.push(asked)
      const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      await Promise.race([state.held, ended])
      if (state.isLimited) throw new Limited(7_000)
      return asked.flatMap((domain) => {
        const said = says(domain)
        return said === undefined ? [] : [{ domain, source: name, says: 'available', at: 0, ttlMs: 1, ...said }]
      })
    },
  }
  return Object.assign(state, { registrar })
}

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

function open({ allowed = Infinity, perSecond = 0.001, batch = 200, reportsSilence = false } = {}) {
  const [one, money] = [openOne(), openBudget(allowed, perSecond)]
  const order = [{ ...one.registrar, batch }]
  return { one, ...money, registrars: openRegistrars({ order, budget: money.budget, reportsSilence }) }
}

const waiting = (fairnessKey = 'ada', giveUpMs = 60_000) => ({ fairnessKey, giveUpAt: Date.now() + giveUpMs })

test('1,000 names from 20 callers at once arrive in 5 requests, and each caller gets its own', async () => {
  const { one, registrars } = open()
  const callers = Array.from({ length: 20 }, (_, at) => domains.slice(at * 50, at * 50 + 50))
  const answers = await Promise.all(callers.map((mine) => registrars.ask(mine, patience())))
  expect(one.requests.map(({ length }) => length)).toEqual([200, 200, 200, 200, 200])
  for (const [at, answer] of answers.entries()) expect([...answer.keys()]).toEqual(callers[at]!.filter(isSold))
})

test('a name that many want at once is asked once, and callers a few milliseconds apart share a request', async () => {
  const { one, registrars } = open()
  const held = Promise.withResolvers<void>()
  one.held = held.promise
  const early = [registrars.ask(domains.slice(1, 3), patience()), registrars.ask(domains.slice(3, 6), patience())]
  await expect.poll(() => one.requests).toEqual([domains.slice(1, 6)])
  const late = registrars.ask(domains.slice(1, 3), patience())
  held.resolve()
  expect((await Promise.all([...early, late])).map(({ size }) => size)).toEqual([2, 3, 2])
  expect(one.requests).toHaveLength(1)
})

test('the next registrar is asked only for what the one before left out, and after one that wants fewer requests', async () => {
  const { budget, seen } = openBudget()
  const [one, two] = [openOne(), openOne('two', () => ({}))]
  const registrars = openRegistrars({ order: [one.registrar, two.registrar], budget })
  const mine = domains.slice(0, 50)
  await registrars.ask(mine, patience())
  expect([one.requests, two.requests]).toEqual([[mine], [mine.filter((domain) => !isSold(domain))]])
  one.isLimited = true
  expect((await registrars.ask(mine, patience())).get(mine[1]!)?.source).toBe('two')
  expect(seen.limited).toEqual([7_000])
})

test('without budget a registrar is passed over at once, and who wants to know is told', async () => {
  const { one, seen, budget, registrars } = open({ allowed: 0 })
  expect((await registrars.ask(domains, patience())).size).toBe(0)
  expect([seen.taken, one.requests]).toEqual([[0], []])
  const telling = openRegistrars({ order: [one.registrar], budget, reportsSilence: true })
  const answer = await telling.ask(domains, patience())
  expect(answer.size).toBe(domains.length)
  for (const evidence of answer.values()) expect(evidence).toMatchObject({ says: 'unknown', unasked: true })
})

test('one that the operator has switched off is not asked, and asked again when it is on', async () => {
  const [one, { budget }, off] = [openOne(), openBudget(), new Set(['one'])]
  const registrars = openRegistrars({ order: [one.registrar], budget, isOff: (name) => off.has(name) })
  expect((await registrars.ask(domains.slice(1, 3), patience())).size).toBe(0)
  expect(one.requests).toEqual([])
  off.clear()
  expect((await registrars.ask(domains.slice(1, 3), patience())).size).toBe(2)
})

test('half a budget sends half of the batches', async () => {
  const { one, registrars } = open({ allowed: 2 })
  const answer = await registrars.ask(domains, patience())
  expect(one.requests).toHaveLength(2)
  expect(answer.size).toBe(domains.slice(0, 400).filter(isSold).length)
})

test('who can wait is served when there is budget, and who cannot is not in the way', async () => {
  const { one, grant, registrars } = open({ allowed: 0, perSecond: 50 })
  const waits = registrars.ask(domains.slice(1, 3), patience(), undefined, waiting())
  expect((await registrars.ask(domains.slice(3, 6), patience())).size).toBe(0)
  expect(one.requests).toEqual([])
  grant(1)
  expect((await waits).size).toBe(2)
  expect(one.requests).toEqual([domains.slice(1, 3)])
})

test('a request carries names of all who wait, in turn', async () => {
  const { one, seen, grant, registrars } = open({ allowed: 0, perSecond: 50, batch: 4 })
  const answers = [
    registrars.ask(domains.slice(15, 21), patience(), undefined, waiting('ada')),
    registrars.ask(domains.slice(22, 24), patience(), undefined, waiting('ben')),
  ]
  // Both are refused once, since nobody else can be asked, and then wait together: eight names, two requests.
  await expect.poll(() => seen.wanted.at(-1)).toBe(2)
  grant(2)
  await Promise.all(answers)
  expect(one.requests[0]?.toSorted()).toEqual([...domains.slice(15, 17), ...domains.slice(22, 24)].toSorted())
  expect(one.requests[1]).toEqual(domains.slice(17, 21))
})

test('when two have no budget, a name waits for the one whose turn comes first', async () => {
  const startedAt = Date.now()
  const budget: RegistrarBudget = {
    take: async (host, wanted) => (host === 'soon' && Date.now() > startedAt + 100 ? wanted : 0),
    limited: async () => {},
    waitOf: (host) => (host === 'soon' ? 50 : 2_000),
    rateOf: () => 1,
  }
  const [late, soon] = [openOne('late'), openOne('soon')]
  const registrars = openRegistrars({ order: [late.registrar, soon.registrar], budget })
  const answer = await registrars.ask(domains.slice(1, 3), patience(), undefined, waiting())
  expect([...answer.values()].map(({ source }) => source)).toEqual(['soon', 'soon'])
  expect([late.requests.length, soon.requests.length]).toEqual([0, 1])
})

test('whoever is not answered for want of budget hears when to come back', async () => {
  const { registrars } = open({ allowed: 0, perSecond: 1 })
  const shortages: [Domain, object][] = []
  const onShortage = (domain: Domain, shortage: object) => void shortages.push([domain, shortage])
  const turn = { ...waiting('ada', 0), onShortage }
  expect((await registrars.ask(domains.slice(1, 2), patience(), undefined, turn)).size).toBe(0)
  expect(shortages).toEqual([[domains[1], { source: 'one', retryMs: 2_000, wasAsked: false }]])
  // Until the caller has to answer.
  const later = { ...waiting(), onShortage }
  expect((await registrars.ask(domains.slice(2, 3), AbortSignal.timeout(100), undefined, later)).size).toBe(0)
  expect(shortages[1]).toMatchObject([domains[2], { source: 'one', wasAsked: false }])
})

test('a fired signal returns at once, and a name that nobody waits for is not sent and costs nothing', async () => {
  const { one, seen, registrars } = open()
  const [first, second] = [new AbortController(), new AbortController()]
  const alone = registrars.ask(domains.slice(1, 3), first.signal)
  first.abort()
  expect((await alone).size).toBe(0)
  const gone = registrars.ask(domains.slice(3, 5), second.signal)
  const stays = registrars.ask(domains.slice(4, 6), patience())
  second.abort()
  expect((await gone).size).toBe(0)
  await stays
  expect(one.requests).toEqual([domains.slice(4, 6)])
  expect(seen.taken).toEqual([1])
})

test('a caller who goes while the answer is on its way leaves it to the others; when all go, it can be asked anew', async () => {
  const { one, registrars } = open()
  const [held, leaves, all] = [Promise.withResolvers<void>(), new AbortController(), new AbortController()]
  one.held = held.promise
  const [gone, stays] = [leaves.signal, patience()].map((signal) => registrars.ask(domains.slice(1, 3), signal))
  await expect.poll(() => one.requests).toHaveLength(1)
  leaves.abort()
  expect((await gone)?.size).toBe(0)
  held.resolve()
  expect((await stays)?.size).toBe(2)
  one.held = new Promise(() => {})
  const nobody = registrars.ask(domains.slice(1, 3), all.signal)
  await expect.poll(() => one.requests).toHaveLength(2)
  all.abort()
  expect((await nobody).size).toBe(0)
  one.held = undefined
  expect((await registrars.ask(domains.slice(1, 3), patience())).size).toBe(2)
})

test('a premium name without a price is asked further, and a mere "available" does not clear it', async () => {
  const [first, second, third] = domains as [Domain, Domain, Domain]
  const price = { registration: { minor: 5_000, currency: 'USD' as const }, years: 1 }
  const said = new Map<Domain, Partial<Evidence>>([
    [first, { says: 'premium', price }],
    [second, { says: 'available', price }],
    [third, { says: 'registered' }],
  ])
  const order = [openOne('a', () => ({ says: 'premium' })), openOne('b', (domain) => said.get(domain))]
  const { budget } = openBudget()
  const registrars = openRegistrars({ order: order.map(({ registrar }) => registrar), budget })
  const evidence = await registrars.ask([first, second, third], patience())
  expect(evidence.get(first)).toMatchObject({ source: 'b', says: 'premium', price })
  expect(evidence.get(second)).toMatchObject({ source: 'a', says: 'premium' })
  expect(evidence.get(second)?.price).toBeUndefined()
  expect(evidence.get(third)).toMatchObject({ says: 'registered' })
})

test('a mistake in an adapter reaches the caller and does not pass as silence', async () => {
  const { budget } = openBudget()
  const broken: Registrar = { name: 'x', host: 'x', batch: 2, check: () => Promise.reject(new TypeError('ours')) }
  await expect(openRegistrars({ order: [broken], budget }).ask(domains.slice(0, 3), patience())).rejects.toThrow('ours')
})
