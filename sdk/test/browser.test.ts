/**
 * The client in a real browser. A small server serves the page, the package and the service as one origin, so that it
 * can cut a connection. The tests of the element cover calls from another origin.
 */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request as ask } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import type { Browser, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSdk } from '../../scripts/sdk/build.ts'
import { closeContexts, shareBrowser } from '../../server/test/browser.ts'
import { startApp } from '../../server/test/start-app.ts'
import type { World } from '../../server/test/world.ts'

let world: World
let origin: Awaited<ReturnType<typeof openOrigin>>
let browser: Browser
let page: Page
beforeAll(async () => {
  world = await startApp()
  const node = await world.startNode()
  origin = await openOrigin(node.url)
  browser = await shareBrowser()
  page = await browser.newPage()
  await page.goto(origin.url)
}, 120_000)
afterAll(async () => {
  await closeContexts(browser)
  await origin?.[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

/** Runs the body of a function in the page, with the package as `sdk` and a client as `namewright`. */
async function inPage(body: string, given: object = {}): Promise<unknown> {
  const { secret } = await world.makeKey(await world.makeAccount())
  const script = `(async (given) => {
    const sdk = await import('/sdk/index.js')
    const namewright = sdk.createNamewright({ baseUrl: location.origin, apiKey: '${secret}' })
    ${body}
  })(${JSON.stringify(given)})`
  return page.evaluate(script)
}

test('generates, and reads its history over several pages', async () => {
  const result = await inPage(`
    const { suggestions } = await namewright.generate({ description: 'a bakery', count: 3, deadline_ms: 20_000 })
    await namewright.generate({ description: 'a ferry', count: 1 })
    const seen = []
    for await (const { description } of namewright.history.list({ limit: 1 })) seen.push(description)
    return [suggestions.length, ...seen]
  `)
  expect(result).toEqual([3, 'a ferry', 'a bakery'])
})

test('reads a stream, and starts it again after the connection was cut', async () => {
  origin.cutNext()
  const result = await inPage(`
    const events = []
    for await (const { event, id } of namewright.stream({ description: 'a bakery', count: 3, deadline_ms: 20_000 })) events.push([event, id])
    const records = await namewright.history.page()
    return [events.at(0)[0], events.filter(([event]) => event === 'restarted').length, events.at(-1)[0], records.items.length]
  `)
  expect(result).toEqual(['suggestion', 1, 'done', 1])
  expect(origin.cuts()).toBe(1)
})

test('stops reading, and aborts on a signal', async () => {
  const result = await inPage(`
    for await (const { event } of namewright.stream({ description: 'a bakery', count: 3 })) if (event === 'suggestion') break
    const controller = new AbortController()
    const calling = namewright.generate({ description: 'a bakery', count: 3 }, { signal: controller.signal })
    controller.abort()
    return calling.catch((error) => error.name)
  `)
  expect(result).toBe('AbortError')
})

test('throws an error with its code', async () => {
  const result = await inPage(`
    const error = await namewright.generate({ description: 'a bakery', count: 0 }).catch((reason) => reason)
    return [sdk.isErrorCode(error, 'invalid_request'), error.status, error.errors[0].pointer, error.requestId.length]
  `)
  expect(result).toEqual([true, 400, '/count', 36])
})

test('verifies a webhook', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = '{"type":"webhook.test","timestamp":"2026-11-15T10:00:00Z","data":{"webhook_id":"é"}}'
  const now = Date.now()
  const signature = new Webhook(secret).sign('evt_1', new Date(now), body)
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': signature,
  }
  const result = await inPage(
    `const { data } = await sdk.verifyWebhook(given.body, new Headers(given.headers), given.secret)
     const forged = await sdk.verifyWebhook(given.body + ' ', given.headers, given.secret).catch(({ fault }) => fault)
     return [data.webhook_id, forged]`,
    { body, headers, secret },
  )
  expect(result).toEqual(['é', 'bad_signature'])
})

async function openOrigin(service: string) {
  const dist = mkdtempSync(`${tmpdir()}/namewright-dist-`)
  buildSdk(dist)
  let isToBeCut = false
  let cuts = 0
  const server = createServer((request, response) => {
    const { url = '/' } = request
    if (url.startsWith('/sdk/')) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(`${dist}/${url.slice(5)}`))
    } else if (!url.startsWith('/v1/')) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>a page</title>')
    } else {
      const upstream = ask(`${service}${url}`, { method: request.method, headers: request.headers })
      upstream.on('error', () => response.destroy())
      response.once('close', () => upstream.destroy())
      request.pipe(upstream)
      upstream.once('response', (answer: IncomingMessage) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.on('error', () => response.destroy())
        const isCut = isToBeCut
        isToBeCut = false
        if (!isCut) answer.pipe(response)
        else {
          cuts += 1
          answer.once('data', (chunk: Buffer) => response.end(chunk.subarray(0, chunk.indexOf('\n') + 1)))
        }
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next response ends after its first line. */
    cutNext: () => {
      isToBeCut = true
    },
    cuts: () => cuts,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      rmSync(dist, { recursive: true, force: true })
    },
  }
}
