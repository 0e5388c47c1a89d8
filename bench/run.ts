/** `pnpm bench app | generate | availability | batches | command | index | names | overload`: what things cost, beside something to compare them with. */
import { parseArgs } from 'node:util'
import { benchApp } from './app.ts'
import { benchAvailability } from './availability.ts'
import { benchBatches } from './batches.ts'
import { benchCommand } from './command.ts'
import { benchGenerate } from './generate.ts'
import { benchIndex } from './index.ts'
import { benchNames } from './names.ts'
import { benchOverload } from './overload.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    names: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
  },
})
const names = values.names === undefined ? undefined : Number(values.names)

switch (positionals[0]) {
  case 'app':
    await benchApp({ rounds: Number(values.rounds ?? 5) })
    break
  case 'generate':
    await benchGenerate({ seconds: Number(values.seconds ?? 6) })
    break
  case 'availability':
    await benchAvailability({ names: names ?? 100_000 })
    break
  case 'batches':
    await benchBatches({ items: 2_000, rounds: 3 })
    break
  case 'command':
    await benchCommand({ rounds: Number(values.rounds ?? 5) })
    break
  case 'index':
    await benchIndex({ names: names ?? 10_000_000 })
    break
  case 'names':
    benchNames({ requests: 400 })
    break
  case 'overload':
    await benchOverload({ seconds: Number(values.seconds ?? 60) })
    break
  default:
    console.error(`usage: pnpm bench app [--rounds N]
       pnpm bench generate [--seconds N]
       pnpm bench availability [--names N]
       pnpm bench batches
       pnpm bench command [--rounds N]
       pnpm bench index [--names N]
       pnpm bench names
       pnpm bench overload [--seconds N]`)
    process.exitCode = 2
}
