/** Starts `internet.ts` beside the test and receives the addresses of its servers. */
import { fork } from 'node:child_process'
import { once } from 'node:events'

export interface Addresses {
  /** PEM. */
  readonly ca: string
  /** By manner, mood, mood and state. */
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

export async function openTruthInternet(): Promise<TruthInternet> {
  const child = fork(new URL('internet.ts', import.meta.url).pathname, { execArgv: [] })
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
