/** Starts `internet.ts` beside the test, tells it what is so of each name, and receives the addresses of its servers. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { RegistrarWorld } from '../../../internet/registrar-world.ts'

/** What is so of each name; of any other, that it is free. */
export interface World extends RegistrarWorld {
  readonly delegated: ReadonlySet<string>
}

export interface Addresses {
  /** PEM. */
  readonly ca: string
  readonly caFile: string
  /** By manner, mood (or list of `LIST_STATES`) and state. */
  readonly resolvers: Readonly<Record<string, string>>
  readonly registrars: Readonly<Record<string, string>>
  readonly rdap: Readonly<Record<string, string>>
  /** One of each where suffixes differ: see `neighbours.ts`. */
  readonly mixedResolver: string
  readonly mixedRdap: string
}

export interface TruthInternet extends AsyncDisposable {
  readonly addresses: Addresses
}

export async function openTruthInternet(world: World): Promise<TruthInternet> {
  const { pathname } = new URL('internet.ts', import.meta.url)
  const child = fork(pathname, { execArgv: [], serialization: 'advanced' })
  child.send(world)
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => Promise.reject(new Error(`the servers ended with ${String(code)}`)))
  const [addresses] = (await Promise.race([once(child, 'message'), failed])) as [Addresses]
  failed.catch(() => {})
  return {
    addresses,
    async [Symbol.asyncDispose]() {
      child.disconnect()
      await ended
    },
  }
}
