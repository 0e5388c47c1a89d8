/** Every function of the client against a real node and a real worker. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../../server/test/start-app.ts'
import type { Node, World } from '../../server/test/world.ts'
import { createNamewright } from '../src/namewright.ts'
import type { Namewright } from '../src/namewright.ts'
import { verifyWebhook } from '../src/verify-webhook.ts'
import type { VerifiedWebhook } from '../src/verify-webhook.ts'

let world: World
let node: Node
let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
  world = await startApp({ own: true, settings: { NAMEWRIGHT_WEBHOOK_ALLOW: receiver.host } })
  node = await world.startNode()
  await world.startWorker()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

async function newClient(language?: string): Promise<Namewright> {
  const { secret } = await world.makeKey(await world.makeAccount())
  return createNamewright({ baseUrl: node.url, apiKey: secret, language })
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('names', () => {
  test('come with domains and prices', async () => {
    const namewright = await newClient()
    const { suggestions, shortfall } = await namewright.generate({
      description: 'a bakery by the sea',
      count: 5,
      deadline_ms: 20_000,
    })
    expect(suggestions).toHaveLength(5)
    expect(shortfall).toBeUndefined()
    for (const { name, domains } of suggestions) {
      expect(name).not.toBe('')
      expect(domains.some(({ available }) => available)).toBe(true)
      for (const { price } of domains) expect(price).toMatch(/^\$\d+\.\d\d$/)
    }
  })

  test('are streamed, and end with the same result as without a stream', async () => {
    const namewright = await newClient()
    const ask = { description: 'a bakery by the sea', count: 5, seed: 7, deadline_ms: 20_000 }
    const events = await all(namewright.stream(ask))
    expect(events[0]?.event).toBe('suggestion')
    const last = events.at(-1)
    expect(last?.event === 'done' && last.data).toEqual(await namewright.generate(ask))
  })

  test('are recorded once, however a stream is read', async () => {
    const namewright = await newClient()
    await all(namewright.stream({ description: 'a bakery by the sea', count: 2 }))
    expect(await all(namewright.history.list())).toHaveLength(1)
  })

  test('errors are in the language of the client, with a pointer', async () => {
    const namewright = await newClient('de')
    const failing = namewright.generate({ description: 'a bakery', count: 101 })
    await expect(failing).rejects.toMatchObject({
      name: 'NamewrightError',
      code: 'invalid_request',
      status: 400,
      errors: [{ pointer: '/count', code: 'too_large' }],
    })
    const error = await failing.catch(
      (reason: unknown) => reason as { message: string; hint: string; requestId: string },
    )
    expect(error).toHaveProperty('message', '`count`: Der Wert darf höchstens 100 betragen.')
    expect(error).toHaveProperty('requestId', expect.stringMatching(/^[\w-]{36}$/))
    await expect(
      namewright.generate({ description: 'a bakery', count: 101 }, { language: 'en' }),
    ).rejects.toHaveProperty('message', '`count`: Use a value of 100 or less.')
  })

  test('are the same for the same idempotency key', async () => {
    const namewright = await newClient()
    const options = { idempotencyKey: 'order-4711' }
    const ask = { description: 'a chess club', count: 2, deadline_ms: 20_000 }
    expect(await namewright.generate(ask, options)).toEqual(await namewright.generate(ask, options))
    expect(await all(namewright.history.list())).toHaveLength(1)
    await expect(namewright.generate({ ...ask, count: 3 }, options)).rejects.toHaveProperty(
      'code',
      'idempotency_mismatch',
    )
  })
})

test('domains are checked in order, in one response and as a stream', async () => {
  const namewright = await newClient()
  const domains = ['free-for-sure-example.com', 'not a domain', 'another-free-example.io']
  expect((await namewright.check(domains)).map(({ input }) => input)).toEqual(domains)
  const checked = await namewright.check({ domains, deadline_ms: 20_000 })
  expect(checked[1]?.status).toBe('invalid')
  const fresh = await namewright.check({ domains, verify: 'full', deadline_ms: 20_000 })
  expect(fresh.map(({ status }) => status)).toEqual(checked.map(({ status }) => status))

  const many = Array.from({ length: 300 }, (_, n) => `free-for-sure-example-${n}.com`)
  const events = await all(namewright.checkStream(many))
  const done = events.at(-1)
  expect(done?.event === 'done' && done.data.map(({ input }) => input)).toEqual(many)
  const updated = new Set(events.flatMap((event) => (event.event === 'domain' ? [event.data.index] : [])))
  expect(updated.size).toBe(300)
})

test('suffixes, usage and status can be read', async () => {
  const namewright = await newClient()
  await namewright.generate({ description: 'a bakery', count: 3, deadline_ms: 20_000 })
  const { tlds, currencies } = await namewright.tlds({ limit: 3 })
  expect(tlds).toHaveLength(3)
  expect(currencies).toContain('USD')
  expect((await namewright.usage({ days: 1 })).key.today).toBe(3)
  expect((await namewright.status()).redis).toBe(true)
})

describe('history', () => {
  test('is listed over all its pages, read, deleted and cleared', async () => {
    const namewright = await newClient()
    for (let n = 0; n < 5; n++) await namewright.generate({ description: `bakery ${n}`, count: 1 })
    const listed = await all(namewright.history.list({ limit: 2 }))
    expect(listed.map(({ description }) => description)).toEqual([4, 3, 2, 1, 0].map((n) => `bakery ${n}`))
    const page = await namewright.history.page({ limit: 2 })
    expect(page.items).toEqual(listed.slice(0, 2))
    expect(await namewright.history.page({ limit: 2, cursor: page.nextCursor ?? '' })).toHaveProperty(
      'items',
      listed.slice(2, 4),
    )
    expect(await all(namewright.history.list({ q: 'bakery 3' }))).toEqual([listed[1]])

    const [newest] = listed
    expect(await namewright.history.get(newest?.id ?? '')).toEqual(newest)
    await namewright.history.delete(newest?.id ?? '')
    await expect(namewright.history.get(newest?.id ?? '')).rejects.toHaveProperty('code', 'not_found')
    await namewright.history.clear()
    expect(await all(namewright.history.list())).toEqual([])
  })

  test('is fetched page by page on demand', async () => {
    const asked: string[] = []
    const { secret } = await world.makeKey(await world.makeAccount())
    const namewright = createNamewright({
      baseUrl: node.url,
      apiKey: secret,
      fetch: (url, init) => {
        asked.push(url)
        return fetch(url, init)
      },
    })
    for (let n = 0; n < 3; n++) await namewright.generate({ description: `bakery ${n}`, count: 1 })
    asked.length = 0
    for await (const _ of namewright.history.list({ limit: 1 })) break
    expect(asked).toHaveLength(1)
  })
})

test('favorites are added once, listed, changed and deleted', async () => {
  const namewright = await newClient()
  const domains = ['storkloom.com', 'storkloom.io', 'storkloom.dev']
  for (const domain of domains) await namewright.favorites.add({ domain, tags: ['bakery'] })
  const again = await namewright.favorites.add({ domain: 'storkloom.com' })
  expect(again.tags).toEqual(['bakery'])
  const listed = await all(namewright.favorites.list({ tag: 'bakery', limit: 2 }))
  expect(listed.map(({ domain }) => domain)).toEqual(domains.toReversed())
  expect(await namewright.favorites.update(again.id, { note: 'ask', watch: true })).toMatchObject({
    note: 'ask',
    watch: true,
    tags: ['bakery'],
  })
  expect(await namewright.favorites.get(again.id)).toHaveProperty('note', 'ask')
  expect(await all(namewright.favorites.changes(again.id))).toEqual([])
  expect(await namewright.favorites.changesPage(again.id, { limit: 1 })).toEqual({ items: [], nextCursor: null })
  await namewright.favorites.delete(again.id)
  expect((await namewright.favorites.page()).items).toHaveLength(2)
})

describe('a batch', { timeout: 90_000 }, () => {
  const requests = [
    { description: 'a bakery', count: 2 },
    { description: '…', count: 1 },
    ...Array.from({ length: 28 }, (_, n) => ({ description: `ferry number ${n}`, count: 1 })),
  ]

  test('is run to its end, and every request has a result at its index', async () => {
    const namewright = await newClient()
    const seen: number[] = []
    const results = await namewright.batches.run(requests, { onProgress: ({ finished }) => seen.push(finished) })
    expect(results.map(({ index }) => index)).toEqual(requests.map((_, n) => n))
    const [first, second] = results
    expect(first?.status === 'success' && first.data.suggestions).toHaveLength(2)
    expect(second?.status === 'error' && second.error.code).toBe('invalid_request')
    expect(results.filter(({ status }) => status === 'success')).toHaveLength(29)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBe(30)
  })

  test('can be found, read by pages and canceled', async () => {
    const namewright = await newClient()
    const { id } = await namewright.batches.create(requests)
    expect((await all(namewright.batches.list())).map((batch) => batch.id)).toEqual([id])
    expect((await namewright.batches.page({ limit: 1 })).items[0]?.id).toBe(id)
    const ended = await namewright.batches.wait(id)
    expect(ended).toMatchObject({ id, state: 'completed', total: 30, finished: 30 })
    expect(await namewright.batches.get(id)).toEqual(ended)
    expect((await namewright.batches.resultsPage(id, { limit: 10 })).results).toHaveLength(10)
    expect(await all(namewright.batches.results(id))).toHaveLength(30)
    expect(await namewright.batches.cancel(id)).toHaveProperty('state', 'completed')
    await namewright.batches.delete(id)
    expect(await all(namewright.batches.list())).toEqual([])
  })

  test('whose run is aborted is canceled', async () => {
    const namewright = await newClient()
    const controller = new AbortController()
    let id = ''
    const running = namewright.batches.run(
      Array.from({ length: 1_000 }, (_, n) => ({ description: `ferry ${n}`, count: 1 })),
      {
        signal: controller.signal,
        onProgress: (batch) => {
          id = batch.id
          controller.abort(new Error('enough'))
        },
      },
    )
    await expect(running).rejects.toThrow('enough')
    expect(await namewright.batches.get(id)).toHaveProperty('state', 'canceled')
  })
})

test(
  'webhooks are created, tested, changed and deleted, and their events are verified',
  { timeout: 90_000 },
  async () => {
    const namewright = await newClient()
    const made = await namewright.webhooks.create({ url: receiver.url, events: ['batch.completed'] })
    receiver.secret = made.secret
    expect(await namewright.webhooks.list()).toMatchObject([{ id: made.id, enabled: true }])
    expect(await namewright.webhooks.get(made.id)).not.toHaveProperty('secret')

    expect(await namewright.webhooks.test(made.id)).toMatchObject({ type: 'webhook.test', last_status: 204 })
    const [tested] = receiver.received
    expect(tested?.type === 'webhook.test' && tested.data.webhook_id).toBe(made.id)

    await namewright.batches.run([{ description: 'a bakery', count: 1 }])
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(2)
    const completed = receiver.received[1]
    expect(completed?.type === 'batch.completed' && completed.data).toMatchObject({ total: 1, succeeded: 1, failed: 0 })
    const deliveries = await all(namewright.webhooks.deliveries(made.id))
    expect(deliveries.map(({ type }) => type)).toEqual(['batch.completed', 'webhook.test'])
    expect((await namewright.webhooks.deliveriesPage(made.id, { limit: 1 })).items).toHaveLength(1)

    const rotated = await namewright.webhooks.rotateSecret(made.id, { grace_hours: 1 })
    expect(rotated.secret).not.toBe(made.secret)
    receiver.secret = rotated.secret
    await namewright.webhooks.replay(made.id, completed?.id ?? '')
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(3)
    expect(receiver.received[2]).toEqual(completed)
    receiver.secret = made.secret
    await namewright.webhooks.test(made.id)
    expect(receiver.faults).toEqual([])

    expect(await namewright.webhooks.update(made.id, { enabled: false })).toMatchObject({ off_reason: 'by_hand' })
    await namewright.webhooks.delete(made.id)
    expect(await namewright.webhooks.list()).toEqual([])
  },
)

interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly host: string
  secret: string
  readonly received: VerifiedWebhook[]
  readonly faults: unknown[]
}

async function openReceiver(): Promise<Receiver> {
  const received: VerifiedWebhook[] = []
  const faults: unknown[] = []
  const server = createServer((request, response) => {
    const answer = async () => {
      received.push(await verifyWebhook(await text(request), request.headers, self.secret))
      response.writeHead(204).end()
    }
    answer().catch((fault: unknown) => {
      faults.push(fault)
      response.writeHead(400).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const self: Receiver = {
    url: `http://${host}/hook`,
    host,
    secret: '',
    received,
    faults,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return self
}
