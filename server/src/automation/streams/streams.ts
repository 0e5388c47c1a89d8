/**
 * Logs of stream events, kept for five minutes so that a broken connection can be resumed: a client with the token gets
 * the remaining events on any node.
 *
 * A log belongs to an account, a request and a token, and its name is a hash of the three: a token of another account,
 * or an invented one, finds nothing. One worker at a time writes to it, under a claim that every entry renews. So a
 * resumed connection follows work that still runs instead of repeating it.
 *
 * All of it may be lost. A log that is missing, or shorter than the reader's position, counts as none: then the request
 * starts anew. A log never decides what was spent or recorded.
 */
import { hash, randomBytes, randomUUID } from 'node:crypto'
import type { Cache } from '../../platform/cache/cache.ts'
import { createStreamPlaces } from './places.ts'
import type { StreamPlaces } from './places.ts'

export interface KeptEvent {
  readonly event: string
  /** JSON text. */
  readonly data: string
}

/** The owner of the stream and its request. */
export interface Subject {
  readonly account: string
  readonly request: string
}

export interface StreamLog extends AsyncDisposable {
  readonly token: string
  /** The number of events known to this process. */
  readonly length: number
  /** Appends the next event. Not awaited; an event that cannot be stored cannot be resumed. */
  keep(event: KeptEvent): void
  /** Events that other processes have added since. */
  listen(): Promise<readonly KeptEvent[]>
  /** Whether this process may do the work now. */
  claim(): Promise<boolean>
}

export interface Streams {
  readonly places: StreamPlaces
  /** `maxDurationMs`: how long the work may take. */
  begin(subject: Subject, maxDurationMs: number): StreamLog
  /** The first `listen` shows whether anything is stored under this token. */
  resume(subject: Subject, token: string, maxDurationMs: number): StreamLog
}

const KEEP_MS = 300_000
// A thousand domains with all their facts, twice, plus half as much again.
const MAX_BYTES = 2 * 1024 * 1024
// A dead worker holds its claim this much longer than its work could have taken.
const CLAIM_SLACK_MS = 5_000

// KEYS: the log, the claim. ARGV: mark, claim in ms, keep in ms, entries before, entries. Accepts entries only from the
// worker that continues the log exactly.
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
  function resume({ account, request }: Subject, token: string, maxDurationMs: number): StreamLog {
    const name = hash('sha256', JSON.stringify([account, request, token]))
    const keys = [`s:{${name}}`, `w:{${name}}`] as const
    const mark = randomUUID()
    let [length, written, bytes] = [0, 0, 0]
    let isKeeping = true
    let waiting: string[] = []
    let writing: Promise<void> | undefined

    /** One write at a time; events that arrive meanwhile go with the next one. */
    async function write(): Promise<void> {
      while (isKeeping && waiting.length > 0) {
        const entries = waiting
        waiting = []
        const args = [mark, maxDurationMs + CLAIM_SLACK_MS, KEEP_MS, written, ...entries]
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
        if (bytes > MAX_BYTES) isKeeping = false
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
        const holder = await cache.claim(keys[1], mark, maxDurationMs + CLAIM_SLACK_MS).catch(() => null)
        return holder === null || holder === mark
      },
      async [Symbol.asyncDispose]() {
        await writing
        await cache.release(keys[1], mark)
      },
    }
  }

  return {
    places: createStreamPlaces(cache),
    begin: (subject, maxDurationMs) => resume(subject, randomBytes(16).toString('base64url'), maxDurationMs),
    resume,
  }
}

function eventOf(entry: string): KeptEvent {
  const space = entry.indexOf(' ')
  return { event: entry.slice(0, space), data: entry.slice(space + 1) }
}
