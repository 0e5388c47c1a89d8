/**
 * `pnpm exec node server/test/nightly/fuzz/fuzz.ts`: 40,000 requests made from the OpenAPI document, most of them wrong in some way, to a real node.
 *
 *   pnpm exec node server/test/nightly/fuzz/fuzz.ts                        another seed each time
 *   pnpm exec node server/test/nightly/fuzz/fuzz.ts --seed 7 --count 3000  those of this seed
 *   pnpm exec node server/test/nightly/fuzz/fuzz.ts --seed 7 --only 4711   one of them, shrunk again
 *
 * Needs `pnpm services --tests`. Exit code 1 when an answer was wrong, or when the node held more at the end than after warming up.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { openFuzzWorld } from './fuzz-world.ts'
import { faultsOf, formatReport } from './report.ts'
import { runFuzz } from './run-fuzz.ts'

const { values } = parseArgs({
  options: { seed: { type: 'string' }, count: { type: 'string', default: '40000' }, only: { type: 'string' } },
})
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed)
console.log(`seed ${seed}`)
await using world = await openFuzzWorld()
const report = await runFuzz(world, {
  seed,
  count: Number(values.count),
  only: values.only === undefined ? undefined : Number(values.only),
  onProgress: (sent) => {
    if (sent % 1_000 === 0) console.log(`${sent} sent`)
  },
})
console.log(formatReport(report))
if (faultsOf(report).length > 0) process.exitCode = 1
