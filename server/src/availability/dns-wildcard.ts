/**
 * Can DNS be believed about a suffix? Not where every name seems to exist: some registries answer for all names, and
 * some resolvers put an answer of their own in the place of NXDOMAIN.
 *
 * So each suffix is probed with a label that nobody has, once a day, before the first answer under it is believed.
 * What was found is kept here and in the shared cache, under the resolvers' addresses: another node's resolvers may
 * behave otherwise. The probe and the cache are asked together and the first to know wins. A probe without an answer
 * leaves the former state; a suffix that was never probed is not believed.
 */
import { randomInt } from 'node:crypto'
import type { Cache } from '../cache/cache.ts'
import type { DnsClient } from './dns-client.ts'

export interface Wildcards {
  /** What is known now; undefined: nothing yet. `fresh` is false when it is time to probe. */
  find(suffix: string): { readonly isWildcard: boolean; readonly fresh: boolean } | undefined
  /** Probes; ends when the probe is over, however it went. One probe at a time per suffix. */
  learn(suffix: string): Promise<void>
}

export interface WildcardOptions {
  readonly client: DnsClient
  readonly cache: Pick<Cache, 'getMany' | 'setMany'>
  readonly resolvers: readonly string[]
  readonly now: () => number
}

interface State {
  readonly isWildcard: boolean
  readonly until: number
}

const DAY_MS = 24 * 60 * 60 * 1000
// After a probe without an answer: no request waits for the next one sooner than this.
const AGAIN_MS = 60_000
// 26^20 of them: that somebody has registered the one we draw will not happen.
const LABEL_LENGTH = 20
// More than there are suffixes; a caller who asks about names below made-up ones must not fill the memory.
const MOST = 10_000

export function createWildcards({ client, cache, resolvers, now }: WildcardOptions): Wildcards {
  const states = new Map<string, State>()
  const probes = new Map<string, Promise<void>>()
  const prefix = `dns-wildcard:1:${resolvers.join(',')}:`

  function keep(suffix: string, state: State) {
    states.delete(suffix)
    states.set(suffix, state)
    if (states.size > MOST) states.delete(states.keys().next().value ?? suffix)
  }

  async function probe(suffix: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const key = prefix + suffix
    let over = false
    const withdraw = client.ask(`${randomLabel()}.${suffix}`, 'DS', (answer) => {
      if (over) return
      over = true
      if (answer.kind === 'exists' || answer.kind === 'absent') {
        const state = { isWildcard: answer.kind === 'exists', until: now() + DAY_MS }
        keep(suffix, state)
        void cache.setMany([{ key, value: writeState(state), ttlMs: DAY_MS }])
      } else {
        const former = states.get(suffix)
        if (former !== undefined) keep(suffix, { ...former, until: now() + AGAIN_MS })
      }
      resolve()
    })
    const recall = async () => {
      const [value] = await cache.getMany([key])
      const state = readState(value ?? '', now())
      if (state === undefined || over) return
      over = true
      withdraw()
      keep(suffix, state)
      resolve()
    }
    void recall()
    await promise
    probes.delete(suffix)
  }

  return {
    find(suffix) {
      const state = states.get(suffix)
      return state && { isWildcard: state.isWildcard, fresh: state.until > now() }
    },
    learn(suffix) {
      let running = probes.get(suffix)
      if (running === undefined) probes.set(suffix, (running = probe(suffix)))
      return running
    },
  }
}

function writeState({ isWildcard, until }: State): string {
  return `${isWildcard ? 'w' : 'n'}${until}`
}

/** Undefined for what was not written by us, is over, or claims to last longer than it may. */
function readState(value: string, at: number): State | undefined {
  const [, letter = '', digits = ''] = /^([wn])(\d{1,16})$/.exec(value) ?? []
  const until = Number(digits)
  return until > at && until <= at + DAY_MS ? { isWildcard: letter === 'w', until } : undefined
}

function randomLabel(): string {
  return Array.from({ length: LABEL_LENGTH }, () => String.fromCharCode(0x61 + randomInt(26))).join('')
}
