/**
 * The DNS source against the loopback internet (`scripts/services --tests`): NSD as every registry, unbound as the resolver;
 * and against resolvers that answer wrongly, late or not at all.
 */
import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type DnsSource, type DnsSourceOptions, type Domain, type Evidence, openDnsSource } from './source.ts'
import { answerTo, openFakeResolver } from './internet/fake-resolver.ts'
import { ALWAYS_TAKEN, createInternet, REGISTRIES } from './internet/zones.ts'
import { timeoutOf } from './timeout-of.ts'
import { runningMs } from '../../scripts/test/running-ms.ts'

const RESOLVER = '127.0.0.1:5320'
const never = new AbortController().signal
const internet = createInternet(readFileSync(join(import.meta.dirname, 'internet/taken-words.txt'), 'utf8'))

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close()
})

function open(options: Partial<DnsSourceOptions> = {}): DnsSource {
  const source = openDnsSource({ resolvers: [RESOLVER], now: Date.now, ...options })
  opened.push(source)
  return source
}

async function openFake(...options: Parameters<typeof openFakeResolver>) {
  const fake = await openFakeResolver(...options)
  opened.push(fake)
  return fake
}

/** Pauses together with this process, as a real one does not. */
const openGood = () =>
  openFake((query, domain) => [answerTo(query, domain.startsWith('taken') ? 'noerror' : 'nxdomain')])

function domains(...texts: string[]): Domain[] {
  return texts as Domain[]
}

function many(count: number): Domain[] {
  return domains(...Array.from({ length: count }, (_, index) => `free-for-sure-${index}.com`))
}

function saidBy(evidence: ReadonlyMap<Domain, Evidence>): string[] {
  return [...evidence.values()].map(({ says }) => says)
}

function pause(ms: number): Promise<void> {
  return new Promise((later) => setTimeout(later, ms))
}

test.each(Object.keys(REGISTRIES))('a delegated name is registered and another one absent in %s', async (suffix) => {
  const [taken, free] = [`${ALWAYS_TAKEN}.${suffix}` as Domain, `free-for-sure-1.${suffix}` as Domain]
  const at = 1_800_000_000_000
  const evidence = await open({ now: () => at }).ask([taken, free], never)
  expect(evidence.get(taken)).toEqual({ domain: taken, source: 'dns', says: 'registered', at, ttlMs: 6 * 3600 * 1000 })
  expect(evidence.get(free)).toMatchObject({ domain: free, source: 'dns', says: 'absent', at })
  const { ttlMs = -1 } = evidence.get(free) ?? {}
  // A resolver hands out what is left of the registry's time.
  expect(ttlMs).toBeGreaterThanOrEqual(0)
  expect(ttlMs).toBeLessThanOrEqual(Math.min(REGISTRIES[suffix]?.negativeTtlSeconds ?? 0, 300) * 1000)
})

test('five thousand mixed names in one call are all answered rightly', async () => {
  const mixed = Object.keys(REGISTRIES).flatMap((suffix) =>
    internet
      .labelsOf('com')
      .slice(0, 556)
      .flatMap((label, index) => (index % 2 === 0 ? label : `free-for-sure-${label}`))
      .map((label) => `${label}.${suffix}` as Domain),
  )
  expect(mixed.length).toBeGreaterThan(5000)
  const evidence = await open().ask(mixed, never)
  const wrong = mixed.filter(
    (domain) => evidence.get(domain)?.says !== (internet.isDelegated(domain) ? 'registered' : 'absent'),
  )
  expect(wrong).toEqual([])
})

test('about a suffix nobody serves nothing is said', async () => {
  expect(saidBy(await open().ask(domains('mayfly.nosuchsuffix'), never))).toEqual([])
})

test('what cannot be a domain, bad A-labels among it, is not asked', async () => {
  const fake = await openFake((query, domain) => [answerTo(query, domain === 'nic.com' ? 'noerror' : 'nxdomain')], {
    probes: 'shown',
  })
  const bad = ['a b', '-a', 'A', 'a'.repeat(64), 'ab--cd', 'a.', '', 'xn--a', 'xn--0', 'xn--zzzzzzzz', 'xn--mayfly-']
  const source = open({ resolvers: [fake.address] })
  const asked = [
    ...bad.map((label) => `${label}.com`),
    'com',
    '',
    '.',
    `a.${'b'.repeat(64)}`,
    `a.${'b.'.repeat(120)}bb`,
  ]
  expect(saidBy(await source.ask(domains(...asked), never))).toEqual([])
  expect(fake.asked.filter((domain) => !/^[a-z]{20}\.com$/.test(domain))).toEqual([])
  expect(saidBy(await source.ask(domains('xn--mnchen-3ya.com'), never))).toEqual(['absent'])
})

const BROKEN: Record<string, (query: Buffer) => Buffer[]> = {
  'with a wrong id': (query) => {
    const answer = answerTo(query, 'nxdomain')
    answer.writeUInt16BE(query.readUInt16BE(0) ^ 1, 0)
    return [answer]
  },
  'to another question': (query) => {
    const answer = answerTo(query, 'nxdomain')
    answer.write('x', 13)
    return [answer]
  },
  'of another type': (query) => {
    const answer = answerTo(query, 'nxdomain')
    answer.writeUInt16BE(1, query.length - 4)
    return [answer]
  },
  'that is garbage': (query) => [Buffer.alloc(0), Buffer.of(1), Buffer.alloc(600, 0xff), query.subarray(0, 11), query],
  'that is garbage after the header': (query) => {
    const answer = answerTo(query, 'nxdomain')
    answer.fill(0xff, query.length)
    return [answer]
  },
  'that is truncated, where TCP is closed': (query) => {
    const answer = answerTo(query, 'nxdomain')
    answer[2] = 0x83
    return [answer]
  },
  'of SERVFAIL': (query) => [answerTo(query, 'servfail')],
  'of REFUSED': (query) => [answerTo(query, 'refused')],
  'of FORMERR': (query) => [answerTo(query, 'formerr')],
  'that never comes': () => [],
}

test.each(Object.entries(BROKEN))('an answer %s says nothing', async (_, reply) => {
  const fake = await openFake(reply)
  const source = open({ resolvers: [fake.address] })
  expect(saidBy(await source.ask(domains('mayfly.com'), AbortSignal.timeout(600)))).toEqual([])
  await expect.poll(() => fake.asked.length).toBeGreaterThan(0)
})

test('an answer from another port is not an answer', async () => {
  const stranger = createSocket('udp4')
  opened.push({ close: () => new Promise((closed) => stranger.close(() => closed())) })
  const fake = await openFake((query, _, clientPort) => {
    stranger.send(answerTo(query, 'nxdomain'), clientPort, '127.0.0.1')
    return []
  })
  const source = open({ resolvers: [fake.address] })
  expect(saidBy(await source.ask(domains('mayfly.com'), AbortSignal.timeout(600)))).toEqual([])
})

test('with no resolver at all running, nothing is said', async () => {
  const gone = await openFakeResolver(() => [])
  await gone.close()
  expect(saidBy(await open({ resolvers: [gone.address] }).ask(many(300), AbortSignal.timeout(500)))).toEqual([])
})

test('a silent world is given up without a signal too', async () => {
  const silent = await openFake(() => [], { probes: 'shown' })
  const start = runningMs()
  expect(saidBy(await open({ resolvers: [silent.address] }).ask(many(3), never))).toEqual([])
  expect(runningMs() - start).toBeLessThan(4000)
  expect(silent.asked.filter((domain) => domain.startsWith('free-for-sure-0')).length).toBe(3)
})

test('a silent resolver is passed over after one retry, and the next one is asked first from then on', async () => {
  const silent = await openFake(() => [])
  const good = await openGood()
  const source = open({ resolvers: [silent.address, good.address] })
  expect(saidBy(await source.ask(domains('taken-for-sure.com'), never))).toEqual(['registered'])
  expect(new Set(saidBy(await source.ask(many(50), never)))).toEqual(new Set(['absent']))
  expect(silent.asked).toEqual(['taken-for-sure.com'])
})

test('a refusing resolver is passed over at once', async () => {
  const refusing = await openFake((query) => [answerTo(query, 'refused')])
  const good = await openGood()
  const source = open({ resolvers: [refusing.address, good.address] })
  const start = runningMs()
  expect(saidBy(await source.ask(domains('taken-for-sure.net'), never))).toEqual(['registered'])
  expect(runningMs() - start).toBeLessThan(250)
})

test('of three resolvers the last one is reached when the others fail', async () => {
  const refusing = await openFake((query) => [answerTo(query, 'refused')])
  const silent = await openFake(() => [])
  const source = open({ resolvers: [refusing.address, silent.address, RESOLVER] })
  expect(saidBy(await source.ask(domains('taken-for-sure.net'), never))).toEqual(['registered'])
})

test('a lost datagram is asked again', async () => {
  const seen = new Set<string>()
  const lossy = await openFake((query, domain) => {
    if (seen.has(domain)) return [answerTo(query, 'noerror')]
    seen.add(domain)
    return []
  })
  expect(new Set(saidBy(await open({ resolvers: [lossy.address] }).ask(many(20), never)))).toEqual(
    new Set(['registered']),
  )
  expect(lossy.asked.length).toBe(40)
})

test('when the signal fires, what was answered before is returned at once', async () => {
  const half = await openFake((query, domain) => (domain.includes('7') ? [] : [answerTo(query, 'noerror')]))
  const [start, startRunning] = [performance.now(), runningMs()]
  const evidence = await open({ resolvers: [half.address] }).ask(many(100), timeoutOf(1_000))
  expect(performance.now() - start).toBeGreaterThan(950)
  expect(runningMs() - startRunning).toBeLessThan(1_800)
  expect([...evidence.keys()].toSorted()).toEqual(
    many(100)
      .filter((domain) => !domain.includes('7'))
      .toSorted(),
  )
})

test('a caller who goes away stops the asking', async () => {
  const silent = await openFake(() => [])
  const caller = new AbortController()
  const asked = open({ resolvers: [silent.address] }).ask(many(5000), caller.signal)
  setTimeout(() => caller.abort(), 100)
  const start = runningMs()
  expect(saidBy(await asked)).toEqual([])
  expect(runningMs() - start).toBeLessThan(2000)
  await pause(400)
  // As many as may be out at once, and not one of those that waited in line.
  expect(silent.asked.length).toBeLessThanOrEqual(64)
})

test('a caller who is already gone asks nobody', async () => {
  const fake = await openFake((query) => [answerTo(query, 'noerror')])
  expect(saidBy(await open({ resolvers: [fake.address] }).ask(many(3), AbortSignal.abort()))).toEqual([])
  expect(fake.asked).toEqual([])
})

test('questions at the same time are shared', async () => {
  const fake = await openFake(async (query) => {
    await pause(50)
    return [answerTo(query, 'nxdomain')]
  })
  const source = open({ resolvers: [fake.address] })
  const all = await Promise.all(Array.from({ length: 20 }, () => source.ask(many(10), never)))
  for (const evidence of all) expect(saidBy(evidence)).toEqual(many(10).map(() => 'absent'))
  expect(fake.asked.length).toBe(10)
})

test('one caller going away does not take the shared question from another', async () => {
  const fake = await openFake(async (query) => {
    await pause(100)
    return [answerTo(query, 'noerror')]
  })
  const leaving = new AbortController()
  const source = open({ resolvers: [fake.address] })
  const left = source.ask(many(5), leaving.signal)
  const stayed = source.ask(many(5), never)
  setTimeout(() => leaving.abort(), 30)
  expect(saidBy(await left)).toEqual([])
  expect(saidBy(await stayed)).toEqual(many(5).map(() => 'registered'))
  expect(fake.asked.length).toBe(5)
})

test('closing while questions are out ends them without an answer', async () => {
  const silent = await openFake(() => [])
  const source = openDnsSource({ resolvers: [silent.address], now: Date.now })
  const asked = source.ask(many(300), never)
  await pause(50)
  await source.close()
  expect(saidBy(await asked)).toEqual([])
  expect(saidBy(await source.ask(many(3), never))).toEqual([])
})

test('an address that is not a resolver is refused at the start', () => {
  for (const text of ['127.0.0.1', 'resolver.test:53', '']) {
    expect(() => open({ resolvers: [text] }), text).toThrow('not a resolver')
  }
  expect(() => open({ resolvers: [] })).toThrow('has no resolvers')
})
