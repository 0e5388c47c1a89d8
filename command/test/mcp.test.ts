/** `namewright mcp`: the official client over standard input and output, at both revisions of the protocol. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentOf, connect, REVISIONS } from '../../server/test/mcp-client.ts'
import type { Mode } from '../../server/test/mcp-client.ts'
import { startApp } from '../../server/test/start-app.ts'
import type { Node, World } from '../../server/test/world.ts'
import { BIN, startCli } from './harness.ts'

let world: World
let node: Node
let key: string
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(() => world[Symbol.asyncDispose]())

const envOf = (by = key) => ({ NAMEWRIGHT_URL: node.url, NAMEWRIGHT_API_KEY: by, HOME: '/nonexistent' })

async function cross(mode: Mode, by = key): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], env: envOf(by), stderr: 'pipe' }),
  )
  return client
}

describe.each(REVISIONS)('a client %s', (_what, mode) => {
  test('sees and does the same as over HTTP', { timeout: 90_000 }, async () => {
    const far = await connect(node, key, { mode })
    const near = await agentOf(await cross(mode))
    expect((await near.client.listTools()).tools).toEqual((await far.client.listTools()).tools)
    const domains = ['taken-for-sure.com', 'free-for-sure-cli.com']
    const [checked, suggested] = await Promise.all([
      near.call('check', { domains }),
      near.call('suggest_names', { description: 'a bakery', count: 2 }),
    ])
    expect(checked.data.domains.map(({ domain }: { domain: string }) => domain)).toEqual(domains)
    expect(suggested.data.suggestions).toHaveLength(2)
    await near.client.close()
  })

  test('with a wrong key is not authorized', { timeout: 90_000 }, async () => {
    await expect(cross(mode, 'nw_wrong-key')).rejects.toThrow()
  })
})

test('a wrong key is reported in the response and on standard error', { timeout: 60_000 }, async () => {
  const bridge = startCli(['mcp'], { env: envOf('nw_wrong-key') })
  bridge.child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
  const { stdout, stderr } = await bridge.ended()
  expect(JSON.parse(stdout)).toMatchObject({
    id: 1,
    error: { code: -32_000, message: expect.stringContaining('invalid_token') },
  })
  expect(stderr).toContain('namewright: invalid_token')
})

test('an invalid message gets a parse error, and the end of input ends the command', { timeout: 60_000 }, async () => {
  const bridge = startCli(['mcp'], { env: envOf() })
  bridge.child.stdin?.end('this is no JSON\n{"jsonrpc":"2.0","id":7,"method":"tools/list"}\n')
  const { code, stdout } = await bridge.ended()
  expect(code).toBe(0)
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers.find(({ id }) => id === null)?.error.code).toBe(-32_700)
  expect(answers.find(({ id }) => id === 7)?.result.tools).toHaveLength(3)
})
