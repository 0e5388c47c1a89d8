/** Truncated answers asked for again over TCP, and a second resolver asked when the first is late. */
import { afterEach, expect, test } from 'vitest'
import { type DnsAnswer, type DnsClient, openDnsClient, type QueryType } from './source.ts'
import { answerTo, frame, openFakeResolver, truncated } from './internet/fake-resolver.ts'
import { runningMs } from '../../scripts/test/running-ms.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close()
})

async function openFake(...options: Parameters<typeof openFakeResolver>) {
  const fake = await openFakeResolver(...options)
  opened.push(fake)
  return fake
}

function open(...resolvers: string[]): DnsClient {
  const client = openDnsClient(resolvers)
  opened.push(client)
  return client
}

function ask(client: DnsClient, name: string, type: QueryType = 'DS'): Promise<DnsAnswer> {
  return new Promise((resolve) => {
    client.ask(name, type, resolve)
  })
}

function askMany(client: DnsClient, count: number): Promise<DnsAnswer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => ask(client, `name-${index}.com`)))
}

function pause(ms: number): Promise<void> {
  return new Promise((later) => setTimeout(later, ms))
}

test('a truncated answer is asked for again over TCP, all on one connection', async () => {
  const fake = await openFake((query) => [truncated(query)], {
    overTcp: (query) => [frame(answerTo(query, 'nxdomain'))],
  })
  const client = open(fake.address)
  const answers = await askMany(client, 300)
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['absent']))
  expect(fake.askedOverTcp.length).toBe(300)
  expect(fake.asked.length).toBe(300)
  expect(fake.connections()).toBe(1)
})

test('answers over TCP may come in any order and in any pieces', async () => {
  const held: Buffer[] = []
  const fake = await openFake((query) => [truncated(query)], {
    async overTcp(query, domain, socket) {
      held.push(frame(answerTo(query, domain.startsWith('name-1') ? 'noerror' : 'nxdomain')))
      if (held.length < 20) return []
      const bytes = Buffer.concat(held.toReversed())
      for (let at = 0; at < bytes.length; at += 7) {
        socket.write(bytes.subarray(at, at + 7))
        await new Promise(setImmediate)
      }
      return []
    },
  })
  const answers = await askMany(open(fake.address), 20)
  for (const [index, { kind }] of answers.entries()) {
    expect(kind, `name-${index}`).toBe(String(index).startsWith('1') ? 'exists' : 'absent')
  }
})

test('a connection without questions is closed, and the next question opens another', async () => {
  const fake = await openFake((query) => [truncated(query)], {
    overTcp: (query) => [frame(answerTo(query, 'noerror'))],
  })
  const client = open(fake.address)
  expect((await ask(client, 'a.com')).kind).toBe('exists')
  await pause(2300)
  expect((await ask(client, 'b.com')).kind).toBe('exists')
  expect(fake.connections()).toBe(2)
})

const BAD_STREAMS: Record<string, Parameters<typeof openFakeResolver>[1]> = {
  'is silent': { overTcp: () => [] },
  'breaks off': {
    overTcp(_query, _domain, socket) {
      socket.destroy()
      return []
    },
  },
  'ends in the middle of an answer': {
    overTcp(query, _domain, socket) {
      socket.end(frame(answerTo(query, 'noerror')).subarray(0, 20))
      return []
    },
  },
  'is truncated as well': { overTcp: (query) => [frame(truncated(query))] },
  'carries empty and foreign messages': {
    overTcp: (query) => [frame(Buffer.alloc(0)), frame(Buffer.of(7)), frame(Buffer.alloc(400, 0xff)), frame(query)],
  },
  'carries another question': {
    overTcp(query) {
      const answer = answerTo(query, 'nxdomain')
      answer.write('x', 13)
      return [frame(answer)]
    },
  },
}

test.each(Object.entries(BAD_STREAMS))(
  'when TCP %s, the next resolver is asked, and without one it is no news',
  async (_, options) => {
    const bad = await openFake((query) => [truncated(query)], options)
    const good = await openFake((query) => [answerTo(query, 'noerror')])
    expect((await ask(open(bad.address), 'a.com')).kind).toBe('unusable')
    expect((await ask(open(bad.address, good.address), 'a.com')).kind).toBe('exists')
  },
)

test('texts that do not fit a datagram come over TCP from real servers', async () => {
  for (const resolver of ['127.0.0.1:5310', '127.0.0.1:5320']) {
    const answer = await ask(open(resolver), '_for-sale.crowded.for-sale-for-sure.com', 'TXT')
    expect(answer.kind === 'exists' && answer.texts.map(([text]) => text?.length)).toEqual([216, 216, 216, 216])
  }
})

test('a late question is asked of a second resolver, of at most one in twenty', async () => {
  let lateMs = 0
  const slow = await openFake(async (query) => {
    if (lateMs > 0) await pause(lateMs)
    return [answerTo(query, 'noerror')]
  })
  const other = await openFake((query) => [answerTo(query, 'noerror')])
  const client = open(slow.address, other.address)
  for (let round = 0; round < 10; round++) await askMany(client, 100)
  expect(other.asked.length).toBeLessThanOrEqual(50)
  // One at a time and answered at once: this saves up for a second query, whatever the rounds have spent.
  for (let index = 0; index < 60; index++) await ask(client, `quick-${index}.com`)
  const before = other.asked.length
  lateMs = 1_500
  const start = runningMs()
  expect((await ask(client, 'late.com')).kind).toBe('exists')
  expect(runningMs() - start).toBeLessThan(lateMs)
  expect(other.asked.slice(before)).toEqual(['late.com'])
  // Later than any answer so far, and long before a query is sent again (300 ms), also where the machine is busy.
  lateMs = 120
  for (let round = 0; round < 3; round++) await askMany(client, 200)
  expect(other.asked.length - before).toBeLessThanOrEqual(1 + 10 + 600 / 20)
  // A second query that wins is no reason to leave the first resolver.
  const asked = slow.asked.length
  lateMs = 0
  await ask(client, 'next.com')
  expect(slow.asked.length).toBe(asked + 1)
})

test('what every resolver refuses is sent again after a pause, twice at most', async () => {
  const tries = new Map<string, number>()
  const busy = (rcode: 'refused' | 'servfail') => (query: Buffer, domain: string) => {
    tries.set(domain, (tries.get(domain) ?? 0) + 1)
    const isOver = (tries.get(domain) ?? 0) > Number(domain[0])
    return [answerTo(query, isOver ? 'noerror' : rcode)]
  }
  for (const rcode of ['refused', 'servfail'] as const) {
    tries.clear()
    const client = open((await openFake(busy(rcode))).address)
    const answers = await Promise.all(['0.com', '1.com', '2.com', '3.com'].map((name) => ask(client, name)))
    expect(answers.map(({ kind }) => kind)).toEqual(['exists', 'exists', 'exists', 'unusable'])
    expect([...tries.values()]).toEqual([1, 2, 3, 3])
  }
})

test('a query that failed keeps no place from others while it pauses, and ends with its caller', async () => {
  const fake = await openFake((query, domain) => [answerTo(query, domain.endsWith('.com') ? 'servfail' : 'noerror')])
  const client = openDnsClient([fake.address], { mostInFlight: 1 })
  opened.push(client)
  const ended: string[] = []
  const failed = ask(client, 'a.com').then(() => ended.push('failed'))
  await ask(client, 'a.net').then(() => ended.push('answered'))
  const withdraw = client.ask('b.com', 'DS', () => ended.push('withdrawn'))
  await expect.poll(() => fake.asked.includes('b.com')).toBe(true)
  withdraw()
  await failed
  expect(ended).toEqual(['answered', 'failed'])
  expect(fake.asked.filter((domain) => domain === 'b.com')).toHaveLength(1)
})

test('a resolver that refuses is sent fewer at a time, and more again when it answers', async () => {
  let [pending, most, keeps] = [0, 0, 20]
  const fake = await openFake(async (query) => {
    if (pending >= keeps) return [answerTo(query, 'refused')]
    most = Math.max(most, ++pending)
    await pause(5)
    pending -= 1
    return [answerTo(query, 'noerror')]
  })
  const client = openDnsClient([fake.address])
  opened.push(client)
  expect(new Set((await askMany(client, 1_000)).map(({ kind }) => kind))).toEqual(new Set(['exists']))
  // Far fewer than three tries of each.
  expect(fake.asked.length).toBeLessThan(1_200)
  keeps = 1_000
  await askMany(client, 4_000)
  expect(most).toBe(64)
})

test('a resolver that refuses everything costs the two pauses, however many queries there are', async () => {
  const fake = await openFake((query) => [answerTo(query, 'refused')])
  const client = open(fake.address)
  const startAt = runningMs()
  const answers = await askMany(client, 2_000)
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['unusable']))
  // One place after the other would take 2,000 × 250 ms / 16.
  expect(runningMs() - startAt).toBeLessThan(5_000)
})

test('at most 64 queries are open at a resolver', async () => {
  let [pending, most] = [0, 0]
  const slow = await openFake(async (query) => {
    most = Math.max(most, ++pending)
    await pause(5)
    pending -= 1
    return [answerTo(query, 'noerror')]
  })
  await askMany(open(slow.address), 500)
  expect(most).toBe(64)
})

test('with one resolver there is no second question', async () => {
  const slow = await openFake(async (query) => {
    await pause(100)
    return [answerTo(query, 'noerror')]
  })
  const client = open(slow.address)
  for (let round = 0; round < 4; round++) await askMany(client, 100)
  expect(slow.asked.length).toBe(400)
})

test('a pause of this process is no silence of the resolver', async () => {
  const fake = await openFake((query) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
    return [answerTo(query, 'noerror')]
  })
  expect((await ask(open(fake.address), 'a.com')).kind).toBe('exists')
  expect(fake.asked).toEqual(['a.com'])
})
