/** An agent that speaks only standard input and output gets the same through a bridge that knows nothing of the tools. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFakeResolver } from '../internet/fake-resolver.ts'
import { agentOf, connect, REVISIONS } from '../mcp-client.ts'
import type { Mode } from '../mcp-client.ts'
import { emptyRedis } from '../redis.ts'
import { recordsOf } from '../readings.ts'
import { startApp } from '../start-app.ts'
import type { AccountId, Node, World } from '../world.ts'

const BRIDGE = new URL('./stdio-bridge.ts', import.meta.url).pathname

let world: World
let node: Node
let account: AccountId
let key: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  account = await world.makeAccount()
  key = (await world.makeKey(account)).secret
})
afterAll(() => world[Symbol.asyncDispose]())

function bridgeTo(to = node, by = key): StdioClientTransport {
  const args = [BRIDGE, `${to.url}/mcp`]
  return new StdioClientTransport({ command: process.execPath, args, env: { NAMEWRIGHT_API_KEY: by }, stderr: 'pipe' })
}

async function cross(mode: Mode, bridge = bridgeTo()): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(bridge)
  return client
}

describe.each(REVISIONS)('a client %s', (_what, mode) => {
  test('sees and does over the bridge what it does over HTTP', async () => {
    const far = await connect(node, key, { mode })
    const near = await agentOf(await cross(mode))
    expect(near.client.getInstructions()).toBe(far.client.getInstructions())
    expect((await near.client.listTools()).tools).toEqual((await far.client.listTools()).tools)
    const domains = ['taken-for-sure.com', 'free-for-sure-bridge.com']
    const [checked, suggested] = await Promise.all([
      near.call('check', { domains }),
      near.call('suggest_names', { description: 'a bakery', count: 2 }),
    ])
    expect(checked.data.domains.map(({ available }: { available: boolean }) => available)).toEqual([false, true])
    expect(suggested.data.suggestions).toHaveLength(2)
    expect((await near.call('saved', { action: 'add', domain: 'nowhere' })).error?.code).toBe('invalid_request')
    await expect(near.call('buy_domain')).rejects.toThrow('buy_domain')
    await near.client.close()
  })

  test('is not let in without a key', async () => {
    await expect(cross(mode, bridgeTo(node, 'nw_nobody'))).rejects.toThrow()
  })
})

test('what goes wrong before the protocol is reached is an error of the message, and is in the log', async () => {
  const child = spawn(process.execPath, [BRIDGE, `${node.url}/mcp`], { env: { NAMEWRIGHT_API_KEY: 'nw_nobody' } })
  let out = ''
  let log = ''
  child.stdout.on('data', (text: Buffer) => (out += text))
  child.stderr.on('data', (text: Buffer) => (log += text))
  child.stdin.write('{"jsonrpc":"2.0","id":5,"method":"tools/list"}\n\nno JSON\n')
  await expect.poll(() => out.split('\n').length, { timeout: 20_000 }).toBe(3)
  child.stdin.end()
  await once(child, 'close')
  const answers = out.trim().split('\n')
  const byId = new Map(answers.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error]))
  expect(byId.get(5)).toMatchObject({ code: -32_000, data: { status: 'error', error: { code: 'invalid_token' } } })
  expect(byId.get(5).message).toMatch(/^invalid_token: .+\. .+\.$/)
  expect(byId.get(null)).toMatchObject({ code: -32_700 })
  expect(log).toContain(`namewright: ${byId.get(5).message}\n`)
})

test('a call that is cancelled is not worked for', async () => {
  const enough = new AbortController()
  const silence = await openFakeResolver(() => {
    enough.abort()
    return []
  })
  const slow = await world.startNode({ ...(await emptyRedis()), NAMEWRIGHT_DNS_RESOLVERS: silence.address })
  const client = await cross('legacy', bridgeTo(slow))
  const before = await recordsOf(world, account)
  const params = { name: 'suggest_names', arguments: { description: 'a bakery', count: 2 } }
  const cancelled = client.callTool(params, { signal: enough.signal })
  const outcome = cancelled.then(
    () => 'answered',
    () => 'cancelled',
  )
  expect(await outcome).toBe('cancelled')
  // The same request, not cancelled, is answered when the deadline is over: by then the first one would have been, too.
  await client.callTool(params)
  expect(await recordsOf(world, account)).toBe(before + 1)
  await client.close()
  await silence.close()
})
