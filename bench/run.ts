/** `pnpm bench generate | availability | batches | index | keys | model | names | overload | tracing`: what things cost, beside something to compare them with. */
import { parseArgs } from 'node:util'
import { benchAvailability } from './availability.ts'
import { benchBatches } from './batches.ts'
import { benchGenerate, NotMeasurable } from './generate.ts'
import { benchIndex } from './index.ts'
import { benchKeys } from './keys.ts'
import { benchModel } from './model.ts'
import { benchNames } from './names.ts'
import { benchOverload } from './overload.ts'
import { benchTracing } from './tracing.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    names: { type: 'string' },
    requests: { type: 'string' },
    resolvers: { type: 'string' },
    seconds: { type: 'string' },
  },
})
const names = values.names === undefined ? undefined : Number(values.names)

switch (positionals[0]) {
  case 'generate':
    await benchGenerate({ seconds: Number(values.seconds ?? 6), resolvers: values.resolvers }).catch(
      (error: unknown) => {
        if (!(error instanceof NotMeasurable)) throw error
        console.error(error.message)
        process.exitCode = 1
      },
    )
    break
  case 'availability':
    await benchAvailability({ names: names ?? 100_000 })
    break
  case 'batches':
    await benchBatches({ items: 2_000, rounds: 3 })
    break
  case 'index':
    await benchIndex({ names: names ?? 10_000_000 })
    break
  case 'keys':
    // Longer than a key is remembered, so that reading it again is part of the figure.
    await benchKeys({ seconds: Number(values.seconds ?? 12), known: [1, 64, 10_000], revocations: 20 })
    break
  case 'model':
    await benchModel({ requests: Number(values.requests ?? 20_000) })
    break
  case 'names':
    await benchNames({ requests: 400 })
    break
  case 'overload':
    await benchOverload({ seconds: Number(values.seconds ?? 60) })
    break
  case 'tracing':
    await benchTracing({ seconds: Number(values.seconds ?? 6) })
    break
  default:
    console.error(`usage: pnpm bench generate [--seconds N] [--resolvers ADDRESS:PORT]
       pnpm bench availability [--names N]
       pnpm bench batches
       pnpm bench index [--names N]
       pnpm bench keys [--seconds N]
       pnpm bench model [--requests N]
       pnpm bench names
       pnpm bench overload [--seconds N]
       pnpm bench tracing [--seconds N]`)
    process.exitCode = 2
}
