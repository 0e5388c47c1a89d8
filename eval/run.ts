/** `pnpm eval blind | benchmark`: how good the names are, by the marks of readers who do not know who made which. */
import { parseArgs } from 'node:util'
import { tellBenchmark } from './benchmark/score.ts'
import { runBlind } from './blind/command.ts'

const USAGE = `usage: pnpm eval blind [--popular FILE] [--compounds N] [--seed S]
       pnpm eval blind --marks FOLDER [--keep NAME]
       pnpm eval benchmark [FILE]`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    popular: { type: 'string' },
    marks: { type: 'string' },
    compounds: { type: 'string' },
    keep: { type: 'string' },
  },
})

switch (positionals[0]) {
  case 'blind':
    console.log(
      await runBlind({
        ...values,
        compounds: values.compounds === undefined ? undefined : Number(values.compounds),
        seed: values.seed ?? new Date().toISOString().slice(0, 10),
      }),
    )
    break
  case 'benchmark':
    console.log(tellBenchmark(positionals[1]))
    break
  default:
    console.error(USAGE)
    process.exitCode = 2
}
