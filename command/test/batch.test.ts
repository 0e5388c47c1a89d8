/** `namewright batch run` as a process that is interrupted repeatedly: results are complete, and charged once. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../../server/test/start-app.ts'
import type { Node, World } from '../../server/test/world.ts'
import { rowsOfItem } from '../src/batch-results.ts'
import { parseCsv } from '../src/csv.ts'
import { openFolder, runCli, startCli } from './harness.ts'
import type { Folder } from './harness.ts'

const ROWS = 1_000
const THINGS = [
  'bakery',
  'chess club',
  'ferry',
  'sailing school',
  'camera workshop',
  'tea house',
  'book shop',
  'orchard',
]

let world: World
let node: Node
let folder: Folder
let key: string
let env: Record<string, string>
beforeAll(async () => {
  world = await startApp({ own: true })
  node = await world.startNode()
  folder = openFolder()
  key = (await world.makeKey(await world.makeAccount())).secret
  env = { NAMEWRIGHT_URL: node.url, NAMEWRIGHT_API_KEY: key, HOME: folder.path, XDG_CONFIG_HOME: folder.path }
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function used(by = key): Promise<number> {
  return (await node.call('/v1/usage', { key: by })).json.data.usage.key.today
}

const batches = async () => (await world.owner.query('SELECT id FROM batch')).rows.length

function readResults(path: string): { header: string[]; rows: string[][] } {
  const [header = [], ...rows] = parseCsv(readFileSync(path, 'utf8'), path)
  return { header, rows }
}

describe('a thousand rows', () => {
  test(
    'interrupted twice, once before and once during the work: complete, and charged once',
    { timeout: 300_000 },
    async () => {
      const input = `${folder.path}/shops.csv`
      const out = `${folder.path}/names.csv`
      const rows = Array.from(
        { length: ROWS },
        (_, i) => `${i},"a ${THINGS[i % THINGS.length]}, number ${i}",${(i % 2) + 1}`,
      )
      writeFileSync(input, `id,description,count\n${rows.join('\n')}\n`)
      const args = ['batch', 'run', input, '--out', out, '--tlds', 'com', '--timeout', '120']

      // There is no worker yet, so the first run waits until it is interrupted.
      const first = startCli(args, { env })
      await first.saw(/1000 rows accepted/)
      first.child.kill('SIGINT')
      const firstEnd = await first.ended()
      expect(firstEnd.code).toBe(130)
      expect(firstEnd.stderr).toMatch(
        /Run the same command again[^]*namewright batch cancel [0-9a-f-]{36}\nnamewright: stopped\n$/,
      )
      expect(firstEnd.stdout).toBe('')
      expect(existsSync(out)).toBe(false)

      await world.startWorker()
      const second = startCli(args, { env })
      await second.saw(/resuming/)
      await waitUntil(async () => {
        const { finished } = (await node.call('/v1/batches', { key })).json.data.batches[0]
        return finished > 100
      })
      // The second Ctrl-C exits at once.
      second.child.kill('SIGINT')
      second.child.kill('SIGINT')
      expect((await second.ended()).code).toBe(130)

      const third = await startCli(args, { env }).ended()
      expect(third.stderr).toContain(`1000 rows: `)
      expect(third.code, third.stderr).toBe(0)
      const { header, rows: results } = readResults(out)
      expect(header).toEqual(['row', 'id', 'description', 'name', 'domain', 'available', 'price', 'error', 'outcome'])
      expect([...new Set(results.map(([row]) => Number(row)))]).toEqual(Array.from({ length: ROWS }, (_, i) => i + 1))
      for (const [row, id] of results) expect(Number(id)).toBe(Number(row) - 1)
      expect(results.find(([row]) => row === '42')?.[2]).toBe(`a ${THINGS[41 % THINGS.length]}, number 41`)
      expect(await batches()).toBe(1)
      // With one suffix each line is a suggestion, and suggestions are what is charged.
      const suggestions = results.filter(([, , , name]) => name !== '').length
      expect(suggestions).toBeGreaterThan(ROWS)
      expect(await used()).toBe(suggestions)

      // A run after completion gives the same results, and is not charged.
      const before = readFileSync(out, 'utf8')
      expect((await startCli(args, { env }).ended()).code).toBe(0)
      expect(readFileSync(out, 'utf8')).toBe(before)
      expect(await used()).toBe(suggestions)
      expect(await batches()).toBe(1)
      console.log(`${ROWS} rows, ${suggestions} suggestions, ${results.length} lines, stopped twice`)
    },
  )
})

describe('a run that resumes', () => {
  const run = (args: readonly string[], stdin = '') => runCli(['batch', 'run', ...args], { env, stdin })

  async function begun(name: string, text = 'description\na bakery\n'): Promise<{ input: string; state: string }> {
    const input = `${folder.path}/${name}.csv`
    writeFileSync(input, text)
    const ran = await run([input, '--count', '1'])
    expect(ran.code, ran.stderr).toBe(0)
    return { input, state: `${input}.namewright-batch.json` }
  }

  test('without the id of its batch finds it by the stored idempotency key', async () => {
    const { input, state } = await begun('lost-id')
    const [count, spent] = [await batches(), await used()]
    const { parts, ...rest } = JSON.parse(readFileSync(state, 'utf8'))
    writeFileSync(
      state,
      JSON.stringify({ ...rest, parts: parts.map(({ id: _lost, ...part }: { id: string }) => part) }),
    )
    const again = await run([input, '--count', '1'])
    expect(again.code, again.stderr).toBe(0)
    expect(JSON.parse(readFileSync(state, 'utf8')).parts).toEqual(parts)
    expect([await batches(), await used()]).toEqual([count, spent])
  })

  test('with another file or other options is refused, and nothing is sent', async () => {
    const { input } = await begun('changed')
    const spent = await used()
    expect(await run([input, '--count', '2'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('have changed'),
    })
    writeFileSync(input, 'description\na brewery\n')
    expect(await run([input, '--count', '1'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--restart') })
    expect(await used()).toBe(spent)
    const restarted = await run([input, '--count', '1', '--restart'])
    expect(restarted.code, restarted.stderr).toBe(0)
    expect(await used()).toBe(spent + 1)
  })

  test('whose batch was deleted fails instead of creating a new one', async () => {
    const { input } = await begun('gone')
    const [{ id }] = (await node.call('/v1/batches?limit=1', { key })).json.data.batches
    await world.owner.query('DELETE FROM batch WHERE id = $1', [id])
    const spent = await used()
    expect(await run([input, '--count', '1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no longer has the batch'),
    })
    expect(await used()).toBe(spent)
  })

  test('that stopped while sending, too long ago, is not sent again', async () => {
    const { input, state } = await begun('stale')
    const kept = JSON.parse(readFileSync(state, 'utf8'))
    const parts = kept.parts.map(({ id: _lost, ...part }: { id: string }) => part)
    writeFileSync(state, JSON.stringify({ ...kept, created_at: Date.now() - 25 * 3_600_000, parts }))
    const count = await batches()
    expect(await run([input, '--count', '1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no longer known'),
    })
    expect(await batches()).toBe(count)
  })

  test('has a state file that only its owner can read', async () => {
    const { state } = await begun('private')
    expect(statSync(state).mode & 0o777).toBe(0o600)
  })
})

test('an invalid request is a row with its error, and the others have names', async () => {
  const input = `${folder.path}/mixed.csv`
  writeFileSync(input, 'id,description,count,tlds\nA,a bakery,1,com\nB,123,1,\nC,a chess club,1,nonesuch\n')
  const ran = await runCli(['batch', 'run', input, '--ndjson'], { env })
  expect(ran.code, ran.stderr).toBe(0)
  expect(ran.stderr).toContain('3 rows: 1 with names, 0 short, 2 failed.')
  const items = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(items.map(({ row, id, status }) => [row, id, status])).toEqual([
    [1, 'A', 'success'],
    [2, 'B', 'error'],
    [3, 'C', 'error'],
  ])
  const { id } = (await node.call('/v1/batches?limit=1', { key })).json.data.batches[0]
  const csv = await runCli(['batch', 'results', id, '--csv'], { env })
  expect(csv.stdout).toMatch(/^row,name,domain,available,price,error,outcome\r\n1,\w/)
  expect(csv.stdout).toMatch(/\r\n3,,,,,invalid_request: [^\r\n]*nonesuch/)
  const status = await runCli(['batch', 'status', id, '--json'], { env })
  expect(JSON.parse(status.stdout)).toMatchObject({ state: 'completed', total: 3, failed: 2 })
  expect((await runCli(['batch', 'cancel', id], { env })).code).toBe(0)
})

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50))
}

test('a request without names is one row with the reason and the time to retry', () => {
  const shortfall = { wanted: 1, returned: 0, reason: 'availability_unknown', retry_after: 7 } as const
  const item = { index: 0, outcome: 'short', status: 'success', data: { suggestions: [], shortfall } } as const
  const error = 'no names: availability_unknown, try again in 7 s'
  expect(rowsOfItem(item, { row: 1 })).toEqual([{ row: 1, outcome: 'short', error }])
})
