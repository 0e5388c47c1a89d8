/**
 * The example clients in Python and PHP against a real node: every operation, errors, and the example of each README.
 * A scripted server shows what a node does not do on request: 429, 503, a redirect, and a response of somebody else.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, readPage } from '../../server/test/docs/pages.ts'
import { runShell } from '../../server/test/docs/shell.ts'
import { openWorld } from '../../server/test/world.ts'
import type { Node, World } from '../../server/test/world.ts'
import { readShape } from './document.ts'
import { drive, LANGUAGES } from './driven.ts'
import type { ClientLanguage, Driven } from './driven.ts'

const languages = Object.keys(LANGUAGES) as ClientLanguage[]

describe('against a node', () => {
  let world: World
  let node: Node
  beforeAll(async () => {
    // Nothing listens there, so that no event leaves this machine.
    world = await openWorld({ NAMEWRIGHT_OUTBOUND_ROUTES: 'hooks.example.com=127.0.0.1:1' })
    node = await world.startNode()
    await world.startWorker()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const makeKey = async () => (await world.makeKey(await world.makeAccount())).secret

  test.for(languages)('%s calls every operation', { timeout: 120_000 }, async (language) => {
    using client = drive(language, node.url, await makeKey())
    const called = new Set<string>()
    const call: Driven['call'] = async (operation, ...rest) => {
      called.add(operation)
      const answered = await client.call(operation, ...rest)
      expect(answered.error, operation).toBeUndefined()
      return answered
    }

    const { data: generated } = await call('generate', [{ description: 'a bakery', count: 2 }])
    expect(generated.suggestions).toHaveLength(2)
    const again = { idempotency_key: `again-${language}` }
    const first = await call('generate', [{ description: 'a chess club', count: 1 }], again)
    expect(await call('generate', [{ description: 'a chess club', count: 1 }], again)).toEqual(first)
    const { data: checked } = await call('checkDomains', [{ domains: ['taken-for-sure.com', 'no domain'] }])
    expect(checked.domains.map(({ status }: { status: string }) => status)).toEqual(['taken', 'invalid'])
    const { data: named } = await call('checkNames', [{ names: ['Taken For Sure'], tlds: ['com'] }])
    expect(named.names[0].domains[0]).toMatchObject({ domain: 'takenforsure.com' })

    const { data: page } = await call('listHistory', [], { limit: 1 })
    expect(page.history[0].description).toBe('a chess club')
    const { data: next } = await call('listHistory', [], { limit: 1, cursor: page.next_cursor })
    expect(next.history[0].description).toBe('a bakery')
    const { id } = page.history[0]
    expect((await call('getHistoryRecord', [id])).data.history.id).toBe(id)
    expect((await call('deleteHistoryRecord', [id])).data).toEqual({})
    await call('clearHistory')

    const { data: added } = await call('addFavorite', [{ domain: 'free-for-sure-example.com', note: 'für später' }])
    const favorite = added.favorite.id
    expect((await call('changeFavorite', [favorite, { watch: true, note: null }])).data.favorite.note).toBeNull()
    expect((await call('listFavorites', [], { watch: true })).data.favorites).toHaveLength(1)
    expect((await call('listFavorites', [], { watch: false })).data.favorites).toEqual([])
    expect((await call('getFavorite', [favorite])).data.favorite.watch).toBe(true)
    expect((await call('listFavoriteChanges', [favorite])).data.changes).toEqual([])
    await call('deleteFavorite', [favorite])

    const { data: made } = await call('createBatch', [{ requests: [{ description: 'a bakery', count: 1 }] }])
    const batch = made.batch.id
    const { data: events } = await call('watchBatch', [batch])
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { batch: { state: 'completed' } } })
    expect((await call('watchBatch', [batch], { last_event_id: events.at(-1).id })).data).toEqual([])
    expect((await call('listBatches')).data.batches).toHaveLength(1)
    expect((await call('getBatch', [batch])).data.batch.succeeded).toBe(1)
    expect((await call('listBatchResults', [batch], { limit: 5 })).data.results).toHaveLength(1)
    await call('cancelBatch', [batch])

    const url = 'https://hooks.example.com/'
    const { data: hooked } = await call('addWebhook', [{ url, events: ['quota.warning'] }])
    const webhook = hooked.webhook.id
    expect((await call('listWebhooks')).data.webhooks).toHaveLength(1)
    expect((await call('getWebhook', [webhook])).data.webhook.url).toBe(url)
    await call('changeWebhook', [webhook, { description: 'a test' }])
    // The body is an object, although it is empty.
    await call('rotateWebhookSecret', [webhook, {}])
    const { data: tried } = await call('testWebhook', [webhook])
    expect((await call('listDeliveries', [webhook])).data.deliveries[0].id).toBe(tried.delivery.id)
    await call('replayDelivery', [webhook, tried.delivery.id])
    await call('deleteWebhook', [webhook])

    expect((await call('listTlds', [], { q: 'com', currency: 'USD' })).data.tlds.length).toBeGreaterThan(0)
    expect((await call('getStatus')).data.sandbox).toBe(false)
    expect((await call('getUsage', [], { days: 1 })).data.usage.key.today).toBeGreaterThan(0)
    expect([...called].toSorted()).toEqual(
      readShape()
        .operations.map(({ name }) => name)
        .toSorted(),
    )
  })

  test.for(languages)('%s reports an error with code, hint and pointer', async (language) => {
    using client = drive(language, node.url, await makeKey())
    const { error } = await client.call('generate', [{ description: 'a bakery', count: 0 }])
    expect(error).toMatchObject({ status: 400, code: 'invalid_request', retry_after: null })
    expect(error?.hint).toEqual(expect.any(String))
    expect(error?.request_id).toEqual(expect.any(String))
    expect(error?.errors?.map(({ pointer }) => pointer)).toEqual(['/count'])
    using stranger = drive(language, node.url, 'nw_wrong')
    expect((await stranger.call('getUsage')).error).toMatchObject({ status: 401, code: 'invalid_token' })
  })

  test.for(languages)('%s keeps an id inside its segment of the path', async (language) => {
    const key = await makeKey()
    using client = drive(language, node.url, key)
    await client.call('generate', [{ description: 'a bakery', count: 1 }])
    for (const id of ['', '.', '..']) {
      expect((await client.call('deleteHistoryRecord', [id])).error?.code).toBe('ValueError')
    }
    for (const id of ['../history', 'a/b', '?', '#']) {
      expect((await client.call('deleteHistoryRecord', [id])).error?.status).toSatisfy(
        (status: number) => status >= 400,
      )
    }
    expect((await client.call('listHistory')).data.history).toHaveLength(1)
  })

  test.for([
    ['python', '/usr/bin/python3 -B -'],
    ['php', '/usr/bin/php'],
  ] as const)('the example of the README in %s runs', async ([folder, command]) => {
    const [program = ''] = blocksOf(readPage(`examples/${folder}/README.md`), folder)
    const env = { NAMEWRIGHT_URL: node.url, NAMEWRIGHT_API_KEY: await makeKey(), PROGRAM: program }
    const ran = await runShell(`cd examples/${folder} && printf %s "$PROGRAM" | ${command}`, env)
    expect(ran.code, ran.stdout + ran.stderr).toBe(0)
    const lines = ran.stdout.trim().split('\n')
    expect(lines.length).toBeGreaterThanOrEqual(5)
    for (const line of lines) expect(line).toMatch(/^\S.* [a-z0-9-]+(?:\.[a-z]+)+ \$\d+\.\d\d$/)
  })
})

describe.for(languages)('%s against a scripted server', (language) => {
  const refusal = (code: string) =>
    JSON.stringify({ status: 'error', error: { code, message: 'Wait.', hint: 'Later.' } })
  const success = JSON.stringify({ status: 'success', data: { suggestions: [] } })

  /** The answers in turn; the last one stays. */
  async function script(...answers: ((response: ServerResponse) => void)[]) {
    const seen: IncomingHttpHeaders[] = []
    const server = createServer((request, response) => {
      answers[Math.min(seen.push(request.headers), answers.length) - 1]?.(response)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = drive(language, `http://127.0.0.1:${port}`, 'nw_key')
    const close = () => {
      client[Symbol.dispose]()
      server.close()
      server.closeAllConnections()
    }
    return { client, seen, [Symbol.dispose]: close }
  }
  const answer =
    (status: number, text: string, headers: Record<string, string> = {}) =>
    (response: ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
    }

  test('429 and 503 are retried after Retry-After, with the same key', async () => {
    using scripted = await script(
      answer(429, refusal('rate_limited'), { 'retry-after': '1' }),
      answer(503, refusal('overloaded'), { 'retry-after': '0' }),
      answer(200, success),
    )
    const startedAt = performance.now()
    expect((await scripted.client.call('generate', [{ description: 'a', count: 1 }])).data).toEqual({ suggestions: [] })
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000)
    const keys = scripted.seen.map((headers) => headers['idempotency-key'])
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    await scripted.client.call('generate', [{ description: 'a', count: 1 }], { idempotency_key: 'mine' })
    expect(scripted.seen.at(-1)?.['idempotency-key']).toBe('mine')
    await scripted.client.call('generate', [{ description: 'a', count: 1 }])
    expect(keys).not.toContain(scripted.seen.at(-1)?.['idempotency-key'])
  })

  test.for([
    [429, { 'retry-after': '3600' }, 3600],
    [503, {}, null],
    [500, { 'retry-after': '0' }, 0],
  ] as const)('%d with %j is not retried', async ([status, headers, retryAfter]) => {
    using scripted = await script(answer(status, refusal('unavailable'), headers))
    const { error } = await scripted.client.call('getUsage')
    expect(error).toMatchObject({ status, code: 'unavailable', hint: 'Later.', retry_after: retryAfter })
    expect(scripted.seen).toHaveLength(1)
  })

  test('a redirect is an error, and no other server gets the key', async () => {
    using scripted = await script(answer(200, success))
    await scripted.client.call('getUsage')
    const { host = '' } = scripted.seen[0] ?? {}
    using redirecting = await script(answer(302, '', { location: `http://${host}/v1/usage` }))
    expect((await redirecting.client.call('getUsage')).error).toMatchObject({
      status: 302,
      code: 'unexpected_response',
    })
    expect(scripted.seen).toHaveLength(1)
  })

  test.for(['<html>', '[]', '7', '{"data": 7}', ''])('the response %s of somebody else is an error', async (text) => {
    using scripted = await script(answer(200, text))
    expect((await scripted.client.call('getUsage')).error).toMatchObject({ status: 200, code: 'unexpected_response' })
    using refusing = await script(answer(502, text))
    expect((await refusing.client.call('getUsage')).error).toMatchObject({ status: 502, code: 'unexpected_response' })
  })

  test('a header cannot be smuggled in with a key', async () => {
    using scripted = await script(answer(200, success))
    const { error } = await scripted.client.call('generate', [{}], { idempotency_key: 'a\r\nX-Other: 1' })
    expect([error?.code, scripted.seen]).toEqual(['ValueError', []])
  })

  test('an unreachable service is an error of the network', async () => {
    using client = drive(language, 'http://127.0.0.1:1', 'nw_key')
    expect((await client.call('getUsage')).error).toEqual({ code: 'OSError' })
  })
})
