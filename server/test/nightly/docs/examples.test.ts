/**
 * Every example of the manual is run against a real node: in curl, in TypeScript and with the command. The nine steps of
 * docs/demo.md have a test of their own: sdk/test/nightly/quickstart.test.ts.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../../start-app.ts'
import type { Node, World } from '../../world.ts'
import { installBuilt } from '../../../../sdk/test/packed.ts'
import { blocksOf, listPages, readPage, ROOT } from '../../docs/pages.ts'
import { runShell } from '../../docs/shell.ts'

const ONE_MACHINE = 'docs/demo.md'
const examples = listPages()
  .filter((path) => path !== ONE_MACHINE)
  .flatMap((path) =>
    blocksOf(readPage(path), 'sh')
      .filter((block) => /\bcurl "/.test(block))
      .map((block, i) => ({ name: `curl ${i + 1} of ${path}`, block })),
  )

const tabsOf = (tab: 'ts [TypeScript]' | 'sh [command]') =>
  listPages().flatMap((path) =>
    blocksOf(readPage(path), tab.replaceAll(/[[\]]/g, '\\$&')).map((block, i) => ({
      name: `${tab} ${i + 1} of ${path}`,
      block,
    })),
  )
// What every example in TypeScript begins with, unless it makes the client itself.
const [client = ''] = blocksOf(readPage('docs/quickstart.md'), 'ts')

describe('the examples of the manual', () => {
  let world: World
  let node: Node
  let installed: ReturnType<typeof installBuilt>
  beforeAll(async () => {
    installed = installBuilt()
    // Nobody listens there: what an example sends stays on this machine.
    world = await startApp({ own: true, settings: { NAMEWRIGHT_OUTBOUND_ROUTES: 'hooks.example.com=127.0.0.1:1' } })
    node = await world.startNodeProcess()
    await world.startWorker()
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    installed[Symbol.dispose]()
  })

  /** What the pages let the reader fill in: an account that has used every endpoint once. */
  async function variables(): Promise<Record<string, string>> {
    const { secret: key } = await world.makeKey(await world.makeAccount())
    for (const description of ['a bakery', 'a chess club']) {
      await node.call('/v1/generate', { key, body: { description, count: 1 } })
    }
    const history = await node.call('/v1/history?limit=1', { key })
    const favorite = await node.call('/v1/favorites', { key, body: { domain: 'free-for-sure-example.com' } })
    // Canceled, so that it has ended without a worker.
    const batch = await node.call('/v1/batches', { key, body: { requests: [{ description: 'tea', count: 1 }] } })
    await node.call(`/v1/batches/${batch.json.data.batch.id}/cancel`, { key, method: 'POST' })
    const events = ['quota.warning']
    const webhook = await node.call('/v1/webhooks', { key, body: { url: 'https://hooks.example.com/', events } })
    const tried = `/v1/webhooks/${webhook.json.data.webhook.id}/test`
    const delivery = await node.call(tried, { key, method: 'POST' })
    return {
      NAMEWRIGHT_URL: node.url,
      NAMEWRIGHT_API_KEY: key,
      HISTORY_ID: history.json.data.history[0].id,
      FAVORITE_ID: favorite.json.data.favorite.id,
      BATCH_ID: batch.json.data.batch.id,
      WEBHOOK_ID: webhook.json.data.webhook.id,
      DELIVERY_ID: delivery.json.data.delivery.id,
      NEXT_CURSOR: history.json.data.next_cursor,
      // Of a stream that nobody remembers: then it begins anew.
      LAST_EVENT_ID: `${'x'.repeat(22)}.1`,
    }
  }

  test('there are some in the README and on every page that shows the API', () => {
    const pages = new Set(examples.map(({ name }) => name.split(' ').at(-1) ?? ''))
    expect([...pages].toSorted()).toEqual([
      'README.md',
      'docs/README.md',
      'docs/batches.md',
      'docs/check.md',
      'docs/generate.md',
      'docs/guides/agents.md',
      'docs/guides/embedding-in-a-checkout.md',
      'docs/mcp.md',
      'docs/operations.md',
      'docs/permissions.md',
      'docs/quickstart.md',
      'docs/watching.md',
      'docs/webhooks.md',
    ])
  })

  test.for(examples)('$name is answered with success', async ({ block }) => {
    const ran = await runShell(block, await variables())
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.statuses).toHaveLength([...block.matchAll(/\bcurl /g)].length)
    for (const status of ran.statuses) expect(status, ran.stdout).toSatisfy(isSuccess)
  })

  test.for(tabsOf('ts [TypeScript]'))('$name runs', { timeout: 60_000 }, async ({ block }) => {
    const file = `${await mkdtemp(`${installed.folder}/example-`)}/example.ts`
    await writeFile(file, block.includes('createNamewright(') ? block : client + block)
    const ran = await runShell('node "$FILE"', { ...(await variables()), FILE: file })
    expect(ran.code, ran.stderr).toBe(0)
  })

  test.for(tabsOf('sh [command]'))(
    '$name finds something, or says that there is nothing',
    { timeout: 60_000 },
    async ({ block }) => {
      const folder = await mkdtemp(`${installed.folder}/command-`)
      const bin = `${fileURLToPath(ROOT)}node_modules/.bin`
      const env = {
        ...(await variables()),
        FOLDER: folder,
        XDG_CONFIG_HOME: folder,
        PATH: `${bin}:${process.env.PATH}`,
      }
      const ran = await runShell(`pnpm() { shift; "$@"; }\ncd "$FOLDER"\n${block}`, env)
      expect([0, 1], ran.stderr).toContain(ran.code)
    },
  )
})

describe('the checkout in TypeScript', () => {
  test('runs as it stands, and ends with a link to the cart', { timeout: 60_000 }, async () => {
    await using world = await startApp({ own: true })
    const node = await world.startNodeProcess()
    const { secret: key } = await world.makeKey(await world.makeAccount(), { scopes: ['generate', 'domains:check'] })
    const [program = ''] = blocksOf(readPage('docs/guides/embedding-in-a-checkout.md'), 'ts')
    const file = `${await mkdtemp(`${tmpdir()}/namewright-guide-`)}/checkout.ts`
    await writeFile(file, program)
    const ran = await runShell('node "$FILE"', { FILE: file, NAMEWRIGHT_URL: node.url, NAMEWRIGHT_API_KEY: key })
    await rm(dirname(file), { recursive: true })
    expect(ran.code, ran.stderr).toBe(0)
    expect(ran.stdout.match(/\.(?:com|net) \$\d+\.\d\d/g)?.length).toBeGreaterThanOrEqual(6)
    expect(ran.stdout.trim().split('\n').at(-1)).toMatch(
      /^https:\/\/shop\.example\/cart\?domain=[a-z0-9-]+\.(?:com|net)$/,
    )
  })
})

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
