/** Thousands of requests of one seed, as `pnpm exec node server/test/nightly/fuzz/fuzz.ts` sends them: every answer documented, none a failure of ours. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFuzzWorld } from './fuzz-world.ts'
import type { FuzzWorld } from './fuzz-world.ts'
import { faultsOf, formatReport } from './report.ts'
import { runFuzz } from './run-fuzz.ts'

const COUNT = 40_000
const SEED = 20_261_115

let world: FuzzWorld
beforeAll(async () => {
  world = await openFuzzWorld()
}, 120_000)
afterAll(() => world[Symbol.asyncDispose]())

test('whatever is sent is understood or refused, and leaves the node as it was', { timeout: 1_800_000 }, async () => {
  const report = await runFuzz(world, { seed: SEED, count: COUNT })
  console.log(formatReport(report))
  expect(faultsOf(report)).toEqual([])
  expect(report.sent).toBe(COUNT)

  // A request that fails authorization tests nothing but the authorization.
  const operations = Object.entries(world.document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const tools = world.tools.map(({ name }) => `POST /mcp ${name}`)
  expect([...report.statuses.keys()].toSorted()).toEqual([...operations, ...tools].toSorted())
  for (const [operation, statuses] of report.statuses) {
    const seen = [...statuses.keys()]
    expect(
      seen.some((status) => status >= 200 && status < 300),
      `${operation} has succeeded`,
    ).toBe(true)
    expect(
      seen.some((status) => status >= 400 && status < 500),
      `${operation} has been refused`,
    ).toBe(true)
  }
  expect((await world.node.call('/readyz')).status).toBe(200)
})
