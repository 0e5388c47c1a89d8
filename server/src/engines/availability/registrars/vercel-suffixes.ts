/**
 * The suffixes that Vercel sells, from its own list: read on first use and then once a day, across starts if there is a
 * cache. Until it could be read, a dated copy is used, which is not complete.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { readData } from '../../../data.ts'
import { isSuffix } from '../../../model/domain.ts'
import type { LookupCache } from '../verdict-cache.ts'
import { listIn } from './fields.ts'
import type { Send } from './registrar.ts'

export interface SoldSuffixes {
  has(suffix: string): boolean
  /** False for the copy: a suffix that is not in it may be sold too. */
  readonly isComplete: boolean
}

export interface VercelSuffixes {
  /** Never rejects. */
  find(): Promise<SoldSuffixes>
  /** Why the copy is used; undefined while the list is. */
  fault(): string | undefined
}

// Suffixes change over months.
const KEEP_MS = 24 * 60 * 60_000
// After a failure, and only when names are checked: the copy is enough for the suffixes that most callers want.
const RETRY_MS = 60_000
const TIMEOUT_MS = 4_000
// It is read beside the first check of names, which takes about as long.
const FIRST_WAIT_MS = 1_000
// A few hundred suffixes are about 5 kB.
const MAX_BYTES = 256 * 1024
// com and net have always been on it; a list without them, or with only a few entries, is not the list.
const FEWEST = 3

/** Its entry in the cache. */
export const SUFFIXES_KEY = 'vs:1'

export interface VercelSuffixesOptions {
  readonly send: Send
  readonly url: string
  readonly cache?: LookupCache | undefined
  /** Without a turn the copy is used. */
  readonly takeTurn?: (() => Promise<boolean>) | undefined
  readonly now: () => number
}

export function createVercelSuffixes(options: VercelSuffixesOptions): VercelSuffixes {
  const { send, url, cache, takeTurn, now } = options
  const endpoint = new URL('/v1/registrar/tlds/supported', url)
  let known: SoldSuffixes | undefined
  let copy: SuffixCopy | undefined
  let copiedOn: string | undefined
  let fault: string | undefined
  let reading: Promise<void> | undefined
  let first: Promise<void> | undefined
  let nextAt = 0

  function use(suffixes: ReadonlySet<string>, at: number): void {
    known = { has: (suffix) => suffixes.has(suffix), isComplete: true }
    fault = undefined
    nextAt = at + KEEP_MS
  }

  async function read(): Promise<void> {
    const kept = known === undefined ? readSuffixes((await cache?.getMany([SUFFIXES_KEY]))?.[0] ?? '') : undefined
    if (kept !== undefined && kept.at <= now() && now() < kept.at + KEEP_MS) return use(kept.suffixes, kept.at)
    if (takeTurn !== undefined && !(await takeTurn())) {
      fault = 'rate limited'
      nextAt = now() + RETRY_MS
      return
    }
    // Not the caller's signal: the list is for all later callers too.
    const { signal } = new AbortController()
    const headers = { accept: 'application/json' }
    const query = { url: endpoint.href, method: 'GET', headers, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS } as const
    const answer = await send({ ...query, signal })
    const text = answer.kind === 'answer' && answer.status === 200 ? answer.body.toString() : ''
    const suffixes = new Set(listIn(text))
    if (isList(suffixes)) {
      const at = now()
      use(suffixes, at)
      void cache?.setMany([{ key: SUFFIXES_KEY, value: writeSuffixes(suffixes, at), ttlMs: KEEP_MS }])
      return
    }
    if (answer.kind === 'failed') fault = answer.reason
    else fault = answer.status === 200 ? 'it is not a list of suffixes' : `status ${answer.status}`
    nextAt = now() + RETRY_MS
  }

  return {
    async find() {
      if (now() >= nextAt) reading ??= read().finally(() => (reading = undefined))
      // Later reads run in the background.
      await (first ??= Promise.race([reading, sleep(FIRST_WAIT_MS, undefined, { ref: false })]))
      if (known !== undefined) return known
      const { suffixes, as_of: asOf } = (copy ??= readCopy())
      copiedOn = asOf
      return { has: (suffix) => suffixes.has(suffix), isComplete: false }
    },
    fault() {
      if (known !== undefined || copiedOn === undefined) return undefined
      return `its list of suffixes cannot be read: ${fault ?? 'no answer'}; the copy of ${copiedOn} is used`
    },
  }
}

function isList(suffixes: ReadonlySet<string>): boolean {
  return suffixes.size >= FEWEST && suffixes.has('com')
}

/** For the cache: when the list was read, and the list. */
function writeSuffixes(suffixes: ReadonlySet<string>, at: number): string {
  return `${at}|${[...suffixes].filter(isSuffix).join(' ')}`
}

/** Undefined for anything that `writeSuffixes` did not write. */
export function readSuffixes(text: string): { suffixes: ReadonlySet<string>; at: number } | undefined {
  const [, at, list = ''] = /^(\d{1,16})\|([a-z0-9.\- ]+)$/.exec(text) ?? []
  const suffixes = new Set(list.split(' '))
  return at !== undefined && isList(suffixes) && [...suffixes].every(isSuffix)
    ? { suffixes, at: Number(at) }
    : undefined
}

interface SuffixCopy {
  readonly suffixes: ReadonlySet<string>
  readonly as_of: string
}

function readCopy(): SuffixCopy {
  const { suffixes, as_of } = JSON.parse(readData('vercel-suffixes.json')) as { suffixes: string; as_of: string }
  return { suffixes: new Set(suffixes.split(' ')), as_of }
}
