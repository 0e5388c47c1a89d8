/** How many bytes of this process are really in use: what is garbage but not yet collected says nothing about leaks. */
import { setImmediate as tick } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export async function memoryInUse(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  // Twice, with a turn in between: closed sockets let go of their buffers only then.
  for (let i = 0; i < 2; i++) {
    await tick()
    collect()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
