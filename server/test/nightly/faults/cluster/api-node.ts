/** A node of the service, as a process that can be killed, stalled and started again where it was. */
import { COMPILED } from '../../../compiled.ts'
import type { Place } from '../steps/partition.ts'
import { startChild, until } from './child.ts'
import type { Child } from './child.ts'
import type { ApiNode } from './cluster.ts'
import { ask } from './rest.ts'

const MAIN = new URL('../../../../src/main.ts', import.meta.url).pathname

export interface ApiNodeOptions {
  readonly index: number
  readonly name: string
  readonly folder: string
  readonly place: Place
  readonly port: number
  readonly env: Record<string, string>
  /** Whether HAProxy has found it ready. */
  readonly isSeen: () => Promise<boolean>
}

export function openApiNode(options: ApiNodeOptions): ApiNode & AsyncDisposable {
  const { index, name, folder, place, port, isSeen } = options
  const url = `http://${place.host}:${port}`
  let child: Child | undefined
  let starts = 0

  async function start(more: Record<string, string> = {}): Promise<void> {
    if (child?.isRunning()) throw new Error(`${name} runs already`)
    starts += 1
    const started = startChild({
      log: `${folder}/${name}-${starts}.log`,
      before: place.before,
      command: [process.execPath, MAIN],
      cwd: folder,
      env: {
        ...COMPILED,
        ...options.env,
        NAMEWRIGHT_HOST: place.host,
        NAMEWRIGHT_PORT: String(port),
        ...more,
      },
    })
    child = started
    await until(`${name} ready`, async () => {
      if (!started.isRunning()) throw new Error(`${name} ended: ${started.output().slice(-2_000)}`)
      return (await ask('GET', place.host, port, '/readyz')).status === 200 && (await isSeen())
    })
  }

  const end = async (signal: NodeJS.Signals) => {
    // A stalled process reacts to nothing but SIGKILL.
    if (signal !== 'SIGKILL') child?.signal('SIGCONT')
    await child?.end(signal)
  }

  return {
    index,
    url,
    pid: () => child?.pid(),
    kill: () => end('SIGKILL'),
    term: () => end('SIGTERM'),
    stall: () => child?.signal('SIGSTOP'),
    resume: () => child?.signal('SIGCONT'),
    start,
    output: () => child?.output() ?? '',
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  }
}
