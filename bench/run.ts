/** `pnpm bench generate | availability | index | names`: what things cost, beside something to compare them with. */
import { parseArgs } from 'node:util'
import { benchAvailability } from './availability.ts'
import { benchGenerate } from './generate.ts'
import { benchIndex } from './index.ts'
import { benchNames } from './names.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { names: { type: 'string' }, seconds: { type: 'string' } },
})
const names = values.names === undefined ? undefined : Number(values.names)

switch (positionals[0]) {
  case 'generate':
    await benchGenerate({ seconds: Number(values.seconds ?? 6) })
    break
  case 'availability':
    await benchAvailability({ names: names ?? 100_000 })
    break
  case 'index':
    await benchIndex({ names: names ?? 10_000_000 })
    break
  case 'names':
    await benchNames({ requests: 400 })
    break
  default:
    console.error(`usage: pnpm bench generate [--seconds N]
       pnpm bench availability [--names N]
       pnpm bench index [--names N]
       pnpm bench names`)
    process.exitCode = 2
}
