/**
 * What a reader was told, kept for five minutes in case the connection breaks: who comes back with the token, on any
 * node, is told the rest.
 *
 * A log belongs to an account, a request and a token, and its name is a hash of the three: somebody else's token, or one
 * that is made up, leads to nothing. One worker at a time writes to it, by a claim that every entry renews, so work that
 * still runs for a lost connection is listened to and not done twice.
 *
 * All of it may be lost. A log that is not there, or does not reach as far as its reader does, is as good as none: then
 * the request is a new one. It never decides what was spent or recorded.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto'
import type { Cache } from '../cache/cache.ts'

export interface KeptEvent {
  readonly event: string
  /** JSON text. */
  readonly data: string
}

/** Whose stream it is, and what was asked. */
export interface Subject {
  readonly account: string
  readonly request: string
}

export interface StreamLog extends AsyncDisposable {
  readonly token: string
  /** How many events there are, as far as is known here. */
  readonly length: number
  /** The next event. Not waited for; what cannot be kept is not resumed. */
  keep(event: KeptEvent): void
  /** What others have added since. */
  listen(): Promise<readonly KeptEvent[]>
  /** Whether the work is ours to do now. */
  claim(): Promise<boolean>
}

export interface Streams {
  /** `lastsMs`: how long the work may take. */
  begin(subject: Subject, lastsMs: number): StreamLog
  /** Whether anything is kept under this token shows when one listens. */
  resume(subject: Subject, token: string, lastsMs: number): StreamLog
}

const KEEP_MS = 300_000
// A thousand domains with all that is said of them, twice, and half as much again.
const MOST_BYTES = 2 * 1024 * 1024
// A worker that dies holds its claim for that much longer than it could have worked.
const CLAIM_SLACK_MS = 5_000

// KEYS: the log, the claim. ARGV: mark, claim in ms, keep in ms, entries before, entries. Refused to all but the one
// worker whose entries follow on what is there.
const APPEND = `
local holder = redis.call('GET', KEYS[2])
if holder and holder ~= ARGV[1] then return {0} end
if redis.call('LLEN', KEYS[1]) ~= tonumber(ARGV[4]) then return {0} end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
for i = 5, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {1}
`
const READ = `return redis.call('LRANGE', KEYS[1], ARGV[1], -1)`

export function openStreams({ cache }: { cache: Cache }): Streams {
  function resume({ account, request }: Subject, token: string, lastsMs: number): StreamLog {
    const name = hash('sha256', JSON.stringify([account, request, token]))
    const keys = [`s:{${name}}`, `w:{${name}}`] as const
    const mark = randomUUID()
    let [length, written, bytes] = [0, 0, 0]
    let isKeeping = true
    let waiting: string[] = []
    let writing: Promise<void> | undefined

    /** One write at a time; what comes meanwhile goes with the next. */
    async function write(): Promise<void> {
      while (isKeeping && waiting.length > 0) {
        const entries = waiting
        waiting = []
        const args = [mark, lastsMs + CLAIM_SLACK_MS, KEEP_MS, written, ...entries]
        const [kept] = await cache.run(APPEND, keys, args).catch(() => [0])
        if (kept !== 1) isKeeping = false
        written += entries.length
      }
      waiting = []
      writing = undefined
    }

    return {
      token,
      get length() {
        return length
      },
      keep({ event, data }: KeptEvent) {
        length += 1
        bytes += data.length
        if (bytes > MOST_BYTES) isKeeping = false
        if (!isKeeping) return
        waiting.push(`${event} ${data}`)
        writing ??= write()
      },
      async listen() {
        const entries = await cache.run(READ, [keys[0]], [length]).catch(() => [])
        const heard = entries.map((entry) => eventOf(String(entry)))
        length += heard.length
        written = length
        for (const { data } of heard) bytes += data.length
        return heard
      },
      async claim() {
        const holder = await cache.claim(keys[1], mark, lastsMs + CLAIM_SLACK_MS).catch(() => null)
        return holder === null || holder === mark
      },
      async [Symbol.asyncDispose]() {
        await writing
        await cache.release(keys[1], mark)
      },
    }
  }

  return {
    begin: (subject, lastsMs) => resume(subject, randomBytes(16).toString('base64url'), lastsMs),
    resume,
  }
}

function eventOf(entry: string): KeptEvent {
  const space = entry.indexOf(' ')
  return { event: entry.slice(0, space), data: entry.slice(space + 1) }
}
