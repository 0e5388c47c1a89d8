/** The limits of the command that people install. `pnpm bench command` prints the figures. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installCommand, runInstalled } from '../../command/test/installed.ts'
import type { InstalledCommand } from '../../command/test/installed.ts'
import { openCommandInternet } from '../../server/test/internet/command-internet.ts'
import {
  measureFirstName,
  measureForwarder,
  measureSuggest,
  measureTogether,
  measureVersion,
  medianOf,
  REGISTRIES,
  SUGGEST,
  undisturbedFirstMs,
  undisturbedMs,
} from '../command.ts'

const ROUNDS = 5
const BURST = 5
// What is granted at different moments may arrive together: a connection is opened first, by five busy processes.
const LATE_SECONDS = 1
const NODES = ['22.19.0', '24', '26']

let command: InstalledCommand
beforeAll(async () => {
  command = await installCommand()
}, 240_000)
afterAll(() => command[Symbol.dispose]())

test('it is one package of at most 4 MB, and 2 MB with the English lists alone', () => {
  expect(command.packages).toEqual(['namewright'])
  expect(command.packedBytes).toBeLessThanOrEqual(4_000_000)
  expect(command.packedInEnglishBytes).toBeLessThanOrEqual(2_000_000)
})

test('it takes 100 ms of CPU time to say its version, and 0.8 s to the first name', { timeout: 300_000 }, async () => {
  expect(medianOf(measureVersion(command, ROUNDS).version)).toBeLessThanOrEqual(100)
  expect(medianOf(await measureFirstName(command, ROUNDS))).toBeLessThanOrEqual(800)
})

test('twenty names appear within 2.5 s, the first within 1.5 s', { timeout: 300_000 }, async () => {
  const runs = await measureSuggest(command, SUGGEST, ROUNDS)
  expect(medianOf(runs.map(undisturbedFirstMs))).toBeLessThanOrEqual(1_500)
  expect(medianOf(runs.map(undisturbedMs))).toBeLessThanOrEqual(2_500)
})

test('without the registrar they appear within 12 s, and 9 s if RDAP was tested', { timeout: 300_000 }, async () => {
  const args = [...SUGGEST, ...REGISTRIES]
  const [cold, warm] = [await measureSuggest(command, args, 3), await measureSuggest(command, args, 3, true)]
  expect(medianOf(cold.map(undisturbedMs))).toBeLessThanOrEqual(12_000)
  expect(medianOf(warm.map(undisturbedMs))).toBeLessThanOrEqual(9_000)
})

test.each([{ options: REGISTRIES }, { options: [] }])(
  'five at once send a host no more than one may ($options)',
  { timeout: 300_000 },
  async ({ options }) => {
    const { served, bursts } = await measureTogether(command, options)
    expect(served).toBeGreaterThan(0)
    expect(bursts.length).toBeGreaterThan(0)
    for (const { host, burst, perSecond } of bursts)
      expect(burst, host).toBeLessThanOrEqual(BURST + perSecond * LATE_SECONDS)
  },
)

test('through the forwarder of a home every domain is looked up', { timeout: 300_000 }, async () => {
  const { all, unknown } = await measureForwarder(command)
  expect({ all, unknown }).toEqual({ all: 1_100, unknown: 0 })
})

describe.each(NODES)('with Node %s', (version) => {
  let folder: string
  let node: string
  beforeAll(() => {
    folder = mkdtempSync(`${tmpdir()}/namewright-node-`)
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, `node@${version}`], {
      stdio: 'pipe',
    })
    node = `${folder}/node_modules/node/bin/node`
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(new RegExp(`^v${version}`))
  }, 240_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('it names, checks and serves agents', { timeout: 120_000 }, async () => {
    await using internet = await openCommandInternet({ isRegistered: (domain) => domain.startsWith('taken') })
    const env = { ...internet.env, NAMEWRIGHT_CACHE_DIR: `${folder}/cache` }
    const run = (...args: readonly string[]) => runInstalled(command, args, { env, node })
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)

    const named = await run('suggest', 'a bakery that delivers by bicycle', '-n', '3', '--tlds', 'com', '--json')
    expect(named.code, named.stderr).toBe(0)
    const { suggestions } = JSON.parse(named.stdout) as { suggestions: { domains: { available: boolean }[] }[] }
    expect(suggestions.map(({ domains }) => domains[0]?.available)).toEqual([true, true, true])

    const checked = await run('check', 'taken-by-us.com', 'free-for-us.com', '--ndjson')
    const statuses = checked.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { status: string }).status)
    expect(statuses).toEqual(['taken', 'available'])

    expect(await askAgents(node, env)).toEqual(['suggest_names', 'check'])
  })
})

/** `initialize`, then `tools/list`: the names of the tools. */
async function askAgents(node: string, env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const child = spawn(node, [command.bin, 'mcp'], { cwd: command.home, env: { HOME: command.home, ...env } })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  async function ask(id: number, method: string, params: object): Promise<Record<string, unknown>> {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    const { value = '' } = await lines.next()
    const { result } = JSON.parse(value) as { result?: Record<string, unknown> }
    if (result === undefined) throw new Error(`${method} is answered ${value}`)
    return result
  }
  const clientInfo = { name: 'test', version: '1' }
  await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  const { tools } = await ask(2, 'tools/list', {})
  const closed = once(child, 'close')
  child.stdin.end()
  await closed
  return (tools as readonly { name: string }[]).map(({ name }) => name)
}
