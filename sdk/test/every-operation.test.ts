/**
 * docs/every-operation.md: every operation of the contract, and its three examples run against a real service.
 *
 * A relay in front of the service records the requests, so that curl, the package and the command are tested in the same
 * way: the example exits with 0, it calls the operation of its section, and no request fails.
 */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, readPage, sectionOf } from '../../server/test/docs/pages.ts'
import { openWorld } from '../../server/test/world.ts'
import type { Node, World } from '../../server/test/world.ts'
import { makeId } from '../../server/src/model/id.ts'
import { openFolder, startBlock } from './cli/harness.ts'
import { installBuilt } from './packed.ts'
import type { Installed } from './packed.ts'
import { typeCheck } from './type-check.ts'

const PAGE = readPage('docs/every-operation.md')
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])

const { paths } = JSON.parse(readPage('api/openapi.json')) as { paths: Record<string, object> }
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.keys(methods).flatMap((method) => (METHODS.has(method) ? [`${method.toUpperCase()} ${path}`] : [])),
)

const [opening = '', ...sections] = PAGE.split(/^(?=## )/m)
const [exports = ''] = blocksOf(opening, 'sh')
const [beginning = ''] = blocksOf(opening, 'ts')

interface Example {
  readonly operation: string
  readonly kind: 'curl' | 'TypeScript' | 'namewright'
  readonly code: string
}

const examples = operations.flatMap((operation): Example[] => {
  const section = sectionOf(PAGE, `## ${operation}`)
  return [
    ...blocksOf(section, 'sh').map((code): Example => ({
      operation,
      code,
      kind: code.startsWith('curl ') ? 'curl' : 'namewright',
    })),
    ...blocksOf(section, 'ts').map((code): Example => ({ operation, code, kind: 'TypeScript' })),
  ]
})
const inTypeScript = examples.filter(({ kind }) => kind === 'TypeScript')
const fileOf = ({ operation }: Example) => `${operation.replaceAll(/[^a-z]+/gi, '-')}.ts`
const programOf = ({ code }: Example) => `${beginning}\n${code}\nexport {}\n`

test('the page has every operation of the contract, and no other', () => {
  const titles = sections.map((section) => /^## (.*)$/m.exec(section)?.[1] ?? '')
  expect(titles.toSorted()).toEqual(operations.toSorted())
})

test.for(operations)(
  '%s has an example with curl, in TypeScript, and with the command or a reason why not',
  (operation) => {
    const kinds = examples.filter((one) => one.operation === operation).map(({ kind }) => kind)
    const reason = /^The command (?:has no|does not|watches only).*\.$/m.exec(sectionOf(PAGE, `## ${operation}`))
    expect(kinds).toEqual(reason ? ['curl', 'TypeScript'] : ['curl', 'namewright', 'TypeScript'])
  },
)

describe('the examples', () => {
  let installed: Installed
  let world: World
  let node: Node
  let relay: Relay
  beforeAll(async () => {
    installed = installBuilt()
    // Nothing listens there, so that no event leaves this machine.
    world = await openWorld({ NAMEWRIGHT_OUTBOUND_ROUTES: 'hooks.example.com=127.0.0.1:1' })
    node = await world.startNode()
    await world.startWorker()
    relay = await openRelay(node.url)
  }, 120_000)
  afterAll(async () => {
    relay.close()
    await world[Symbol.asyncDispose]()
    installed[Symbol.dispose]()
  })

  test('type-check', { timeout: 60_000 }, () => {
    for (const example of inTypeScript) writeFileSync(`${installed.folder}/${fileOf(example)}`, programOf(example))
    const files = inTypeScript.map(fileOf)
    expect(new Set(files).size).toBe(operations.length)
    expect(typeCheck(installed.folder, files)).toBe('')
  })

  test.for(examples)('$kind does $operation', { timeout: 60_000 }, async (example) => {
    const env = await makeReader()
    using home = openFolder()
    const file = `${installed.folder}/run-${fileOf(example)}`
    if (example.kind === 'TypeScript') writeFileSync(file, programOf(example))
    const block = example.kind === 'TypeScript' ? `"${process.execPath}" "${file}"` : `${exports}${example.code}`
    relay.seen.length = 0
    const ran = await startBlock(block, home.path, env).ended()
    expect(ran.code, `${ran.stdout}${ran.stderr}`).toBe(0)
    expect(relay.seen.map(({ operation }) => operation)).toContain(example.operation)
    for (const { operation, status } of relay.seen) expect([operation, status < 300]).toEqual([operation, true])
  })

  /** The values that the reader fills in, from an account that has used every operation once. */
  async function makeReader(): Promise<Record<string, string>> {
    const account = await world.makeAccount()
    const { secret: key } = await world.makeKey(account)
    const call = async (path: string, body: unknown) => {
      const { json, status, text } = await node.call(path, { key, body })
      expect(status, text).toBeLessThan(300)
      return json.data
    }
    await call('/v1/generate', { description: 'a bakery', count: 1 })
    const { json: past } = await node.call('/v1/history?limit=1', { key })
    const { favorite } = await call('/v1/favorites', { domain: 'free-for-sure-example.com', watch: true })
    const seen = { available: true, price: '$12.99', checked_at: '2026-01-01T00:00:00.000Z' }
    await world.owner.query(
      `INSERT INTO favorite_change (account_id, favorite_id, id, created_at, kind, before, after)
       VALUES ($1, $2, $3, now(), 'price_changed', $4, $4)`,
      [account, favorite.id, makeId(Date.now()), JSON.stringify(seen)],
    )
    // An invalid request ends at once, so that there is a result to read. The rest is canceled: no worker runs.
    const { batch } = await call('/v1/batches', { requests: [{}, { description: 'a bakery', count: 1 }] })
    await node.call(`/v1/batches/${batch.id}/cancel`, { key, method: 'POST' })
    const { webhook } = await call('/v1/webhooks', {
      url: 'https://hooks.example.com/',
      events: ['quota.warning'],
    })
    const { json: tried } = await node.call(`/v1/webhooks/${webhook.id}/test`, { key, method: 'POST' })
    return {
      NAMEWRIGHT_URL: relay.url,
      NAMEWRIGHT_API_KEY: key,
      HISTORY_ID: past.data.history[0].id,
      FAVORITE_ID: favorite.id,
      BATCH_ID: batch.id,
      WEBHOOK_ID: webhook.id,
      DELIVERY_ID: tried.data.delivery.id,
    }
  }
})

interface Relay {
  readonly url: string
  /** Each request, by its operation in the OpenAPI document. */
  readonly seen: { operation: string; status: number }[]
  close(): void
}

async function openRelay(to: string): Promise<Relay> {
  const seen: Relay['seen'] = []
  const server = createServer((asked, answer) => {
    const { method = '', url = '', headers } = asked
    const onwards = request(`${to}${url}`, { method, headers }, (answered) => {
      const { statusCode: status = 0 } = answered
      seen.push({ operation: operationOf(method, url), status })
      answer.writeHead(status, answered.headers)
      answered.pipe(answer)
    })
    onwards.on('error', () => answer.destroy())
    answer.on('close', () => onwards.destroy())
    asked.pipe(onwards)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The operation of a request in the OpenAPI document. */
function operationOf(method: string, url: string): string {
  const [path = ''] = url.split('?')
  const fits = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
  return `${method} ${Object.keys(paths).find(fits) ?? path}`
}
