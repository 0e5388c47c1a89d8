/** The budgets that all commands of one user share. */
import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openCacheFolder } from './cache-file.ts'
import { openFileBudget } from './file-budget.ts'

const [REGISTRY, REGISTRAR] = ['rdap.example', 'api.vercel.com']
const HOUR_MS = 60 * 60_000

let root: string
let path: string
let at = 1_800_000_000_000
const now = () => at
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'namewright-budget-'))
})
beforeEach(() => {
  path = join(root, crypto.randomUUID())
})
afterAll(() => rm(root, { recursive: true }))

/** As a command of its own would. */
const open = () => openFileBudget({ folder: openCacheFolder({ path, onRefused: () => {} }), now })
const fileOf = () => join(path, 'budgets.json')

test('a registry gets five lookups at once and five a second, a registrar one a second, from all commands together', async () => {
  const [one, other] = [open(), open()]
  expect([await one.take(REGISTRY, 3), await other.take(REGISTRY, 9), await one.take(REGISTRY, 1)]).toEqual([3, 2, 0])
  expect([one.waitOf(REGISTRY), other.waitOf(REGISTRY), other.rateOf(REGISTRY)]).toEqual([200, 200, 5])
  at += 400
  expect([await open().take(REGISTRY, 9), await one.take(REGISTRY, 9)]).toEqual([2, 0])
  expect([await one.take(REGISTRAR, 9), await other.take(REGISTRAR, 9)]).toEqual([5, 0])
  at += 1_000
  expect([await one.take(REGISTRAR, 9), await other.take(REGISTRY, 9)]).toEqual([1, 5])
  at += HOUR_MS
  expect(await one.take(REGISTRY, 9), 'never more than five').toBe(5)
})

test('"too many requests" halves the rate for every command, once per event, for an hour', async () => {
  const [one, other] = [open(), open()]
  await one.take(REGISTRY, 1)
  await Promise.all([one.limited(REGISTRY), one.limited(REGISTRY), other.limited(REGISTRY)])
  expect(await open().take(REGISTRY, 9)).toBe(0)
  at += 400
  expect([await other.take(REGISTRY, 9), other.rateOf(REGISTRY)]).toEqual([1, 2.5])
  at += 10_000
  await other.limited(REGISTRY)
  at += 10_000
  expect([await one.take(REGISTRY, 9), one.rateOf(REGISTRY)]).toEqual([5, 1.25])
  at += HOUR_MS
  expect([await open().take(REGISTRY, 9), one.rateOf(REGISTRY), other.rateOf(REGISTRY)]).toEqual([5, 5, 5])
})

test('no command asks before a Retry-After is over, and none longer than a day', async () => {
  const one = open()
  await one.limited(REGISTRY, 90_000)
  await one.limited(REGISTRAR, 400 * 24 * HOUR_MS)
  const other = open()
  expect([await other.take(REGISTRY, 1), other.waitOf(REGISTRY)]).toEqual([0, 90_000])
  at += 89_999
  expect([await one.take(REGISTRY, 1), await open().take(REGISTRY, 1)]).toEqual([0, 0])
  at += 1
  expect(await open().take(REGISTRY, 9)).toBe(1)
  at += 24 * HOUR_MS
  expect(await open().take(REGISTRAR, 1)).toBe(1)
})

test('a clock that goes back neither fills a bucket nor lets it wait for long', async () => {
  const one = open()
  await one.take(REGISTRY, 5)
  await one.limited(REGISTRAR, 10_000)
  at -= 3 * HOUR_MS
  expect([await open().take(REGISTRY, 9), await one.take(REGISTRY, 9)]).toEqual([0, 0])
  at += 1_000
  expect(await open().take(REGISTRY, 9)).toBe(5)
  at += 8_999
  expect([await open().take(REGISTRAR, 1), await one.take(REGISTRAR, 1)]).toEqual([0, 0])
  at += 1
  expect(await one.take(REGISTRAR, 1)).toBe(1)
})

test('a damaged file is an empty one, and none makes a host faster', async () => {
  const day = at + 365 * 24 * HOUR_MS
  for (const [content, granted] of [
    ['{', 5],
    ['{"at":1,"hosts":7}', 5],
    [JSON.stringify({ at, hosts: [null, 7, [], [REGISTRY], [REGISTRY, '5', 0, 0, 0]] }), 5],
    [JSON.stringify({ at, hosts: [[REGISTRY, 5_000, 0, 0, 0]] }), 5],
    [JSON.stringify({ at, hosts: [[REGISTRY, 0, 0, 0, 0]] }), 5],
    [`{"at":${at},"hosts":[["${REGISTRY}",5,1e999,0,0]]}`, 5],
    [JSON.stringify({ at, hosts: [[REGISTRY, 5, -1e15, 0, 0]] }), 5],
    [JSON.stringify({ at, hosts: [[REGISTRY, 5, day, 0, 0]] }), 0],
  ] as const) {
    await open().take('else.example', 1)
    await writeFile(fileOf(), content)
    expect(await open().take(REGISTRY, 9), content).toBe(granted)
  }
  at += 1_000
  expect(await open().take(REGISTRY, 9), 'a bucket said to be full in a year').toBe(5)
})

test('while another process holds the file nothing is sent, and "too many requests" is not forgotten', async () => {
  const one = open()
  await one.take(REGISTRY, 1)
  await writeFile(`${fileOf()}.lock`, `${process.ppid} elsewhere a`)
  expect([await one.take(REGISTRY, 1), one.waitOf(REGISTRY) > 0]).toEqual([0, true])
  await one.limited(REGISTRY, 5_000)
  await rm(`${fileOf()}.lock`)
  at += 4_999
  expect(await one.take(REGISTRY, 1)).toBe(0)
  at += 1
  expect([await one.take(REGISTRY, 1), await open().take(REGISTRY, 1), one.rateOf(REGISTRY)]).toEqual([1, 0, 2.5])
})

test('without a folder a command has a bucket of its own', async () => {
  await open().take(REGISTRY, 5)
  await chmod(path, 0o777)
  const one = open()
  expect([await one.take(REGISTRY, 9), await one.take(REGISTRY, 9)]).toEqual([5, 0])
  await one.limited(REGISTRY, 1_000)
  at += 1_000
  expect([await one.take(REGISTRY, 9), one.rateOf(REGISTRY)]).toEqual([1, 2.5])
})

test('the file forgets the hosts of which there is nothing to know', async () => {
  const one = open()
  await one.take(REGISTRY, 1)
  await one.take(REGISTRAR, 1)
  at += 10_000
  await one.take('else.example', 1)
  const { hosts } = JSON.parse(await readFile(fileOf(), 'utf8')) as { hosts: [string][] }
  expect(hosts.map(([host]) => host)).toEqual(['else.example'])
})

test('five commands at once send a registry no more than one may, and not less', async () => {
  const [folder, budget] = ['cache-file.ts', 'file-budget.ts'].map((name) => new URL(name, import.meta.url).href)
  const seconds = 3
  const script = `
    const { openCacheFolder } = await import(${JSON.stringify(folder)})
    const { openFileBudget } = await import(${JSON.stringify(budget)})
    const folder = openCacheFolder({ path: ${JSON.stringify(path)}, onRefused: console.error })
    const budget = openFileBudget({ folder, now: Date.now })
    const grants = []
    for (const end = Date.now() + ${seconds * 1000}; Date.now() < end;) {
      const from = Date.now()
      const tokens = await budget.take('rdap.example', 3)
      if (tokens > 0) grants.push({ from, to: Date.now(), tokens })
      await new Promise((ended) => setTimeout(ended, 10))
    }
    console.log(JSON.stringify(grants))
  `
  const outputs = await Promise.all(
    Array.from({ length: 5 }, () =>
      text(
        spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] }).stdout,
      ),
    ),
  )
  const grants = outputs
    .flatMap((output) => JSON.parse(output) as { from: number; to: number; tokens: number }[])
    .toSorted((a, b) => a.from - b.from)
  for (const [index, first] of grants.entries()) {
    let tokens = 0
    let to = first.from
    for (const grant of grants.slice(index)) {
      tokens += grant.tokens
      to = Math.max(to, grant.to)
      expect(tokens).toBeLessThanOrEqual(5 + ((to - first.from) / 1000) * 5)
    }
  }
  const all = grants.reduce((sum, { tokens }) => sum + tokens, 0)
  expect(all).toBeGreaterThanOrEqual(5 + (seconds - 1) * 5 * 0.8)
})
