/** `namewright version`. */
import { EXIT } from '../exit.ts'
import type { Invocation } from '../spec.ts'
import { readVersion } from '../version.ts'

export async function version({ streams }: Invocation): Promise<number> {
  streams.stdout.write(`${readVersion()}\n`)
  return EXIT.found
}
