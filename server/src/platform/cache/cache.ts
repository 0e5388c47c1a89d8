/**
 * Redis, for data that may be lost: verdicts, rate-limit windows, leased quota blocks.
 *
 * `getMany` and `setMany` never fail: without Redis nothing is found and nothing is stored. `run` fails with
 * `CacheDown`, because code that counts in Redis must know when it did not.
 *
 * On a Redis Cluster a script may touch several keys only when they share a hash tag (`{…}`), which the caller must
 * ensure. There `getMany` reads key by key in one pipeline, since unrelated keys live on different nodes.
 */
import { hash } from 'node:crypto'
import { Redis, type Cluster } from 'ioredis'
import { startPauseTolerantTimer } from '../pause-tolerant-timer.ts'
import { withSpan } from '../tracing/trace-context.ts'
import { CacheDown } from './cache-down.ts'
import { openCluster } from './cluster.ts'
import { isSentinelUrl, parseSentinels } from './sentinel.ts'

/** `off`: no Redis is configured, and everything is lost at once. */
export type CacheState = 'up' | 'down' | 'off'

export interface Cache {
  getMany(keys: readonly string[]): Promise<readonly (string | null)[]>
  setMany(entries: readonly { key: string; value: string; ttlMs: number }[]): Promise<void>
  /** Sets the key unless it exists; returns the existing value. Fails with CacheDown. */
  claim(key: string, value: string, ttlMs: number): Promise<string | null>
  /** Removes the key if it still holds this value. */
  release(key: string, value: string): Promise<void>
  /** Runs a Lua script on the server, atomically. Fails with CacheDown. */
  run(lua: string, keys: readonly string[], args: readonly (string | number)[]): Promise<readonly (string | number)[]>
  state(): CacheState
  close(): Promise<void>
}

const READY_TIMEOUT_MS = 2_000
// A sentinel that does not respond is skipped, and retried a little later.
const SENTINEL_TIMEOUT_MS = 1_000
const SENTINEL_RETRY_MS = 5_000

const SET_MANY = `for i, key in ipairs(KEYS) do redis.call('SET', key, ARGV[2 * i - 1], 'PX', ARGV[2 * i]) end`
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`

export interface CacheOptions {
  /** Empty: no Redis. One node then counts alone. */
  readonly urls: readonly string[]
  /**
   * Redis responds within a millisecond or two; without a response for this long it counts as down. Every caller waits
   * that long.
   */
  readonly timeoutMs: number
}

/** What an operator loses without Redis, for the log and the doctor. */
export const WITHOUT_REDIS =
  'this node counts rate limits and checks alone and forgets them at a restart, and caches verdicts only in memory'

/** As a Redis that is down for ever, without connections and without waiting. */
function openNoCache(): Cache {
  const fail = () => Promise.reject(new CacheDown('no Redis is configured'))
  return {
    getMany: async (keys) => keys.map(() => null),
    setMany: async () => {},
    claim: fail,
    release: async () => {},
    run: fail,
    state: () => 'off',
    close: async () => {},
  }
}

export async function openCache({ urls, timeoutMs }: CacheOptions): Promise<Cache> {
  if (urls.length === 0) return openNoCache()
  const options = {
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt: number) => Math.min(50 * attempt, 1_000),
  }
  const [first = ''] = urls
  const redis =
    urls.length > 1
      ? openCluster(urls, { enableAutoPipelining: true, redisOptions: { ...options, commandTimeout: timeoutMs } })
      : isSentinelUrl(first)
        ? new Redis({ ...options, commandTimeout: timeoutMs, ...asSentinels(first) })
        : new Redis(first, { ...options, commandTimeout: timeoutMs })
  // state() reflects a lost connection, and the client reconnects; the event needs no other handling.
  redis.on('error', () => {})
  await ready(redis)
  // A cluster is ready with its first node; this connects to the others before the first request.
  if (!(redis instanceof Redis)) await Promise.allSettled(redis.nodes('master').map((node) => node.ping()))
  const digests = new Map<string, string>()
  // On a single Redis the timeout starts when a command is sent; in a cluster that may be long after the call.
  const soon = <T>(answer: Promise<T>) => (redis instanceof Redis ? answer : inTime(answer, timeoutMs))

  return {
    getMany: (keys) =>
      traced('get', keys.length, async () => {
        if (keys.length === 0) return []
        try {
          if (redis instanceof Redis) return await redis.mget([...keys])
          return await Promise.all(keys.map((key) => soon(redis.get(key)).catch(() => null)))
        } catch {
          return keys.map(() => null)
        }
      }),

    setMany: (entries) =>
      traced('set', entries.length, async () => {
        if (redis instanceof Redis) {
          // One command for all keys: separate commands would cost as much as computing the values again.
          const keys = entries.map(({ key }) => key)
          const args = entries.flatMap(({ value, ttlMs }) => [value, Math.ceil(ttlMs)])
          await redis.eval(SET_MANY, keys.length, ...keys, ...args).catch(() => null)
          return
        }
        const set = ({ key, value, ttlMs }: (typeof entries)[number]) => redis.set(key, value, 'PX', Math.ceil(ttlMs))
        await Promise.all(entries.map((entry) => soon(set(entry)).catch(() => null)))
      }),

    claim: (key, value, ttlMs) =>
      traced('claim', 1, async () => {
        try {
          return await soon(redis.set(key, value, 'PX', ttlMs, 'NX', 'GET'))
        } catch (cause) {
          throw new CacheDown('Redis did not respond', { cause })
        }
      }),

    async release(key, value) {
      await soon(redis.eval(RELEASE, 1, key, value)).catch(() => 0)
    },

    run: (lua, keys, args) =>
      traced('script', keys.length, async () => {
        // Also checked on a single Redis, which would accept it, so that the error does not first appear on a cluster.
        if (!shareTag(keys)) throw new Error(`the keys of a script share no hash tag: ${keys.join(' ')}`)
        let sha1 = digests.get(lua)
        if (!sha1) digests.set(lua, (sha1 = hash('sha1', lua)))
        try {
          const answer = await soon(redis.evalsha(sha1, keys.length, ...keys, ...args)).catch((error: unknown) => {
            // A restarted Redis has lost its scripts, and a promoted replica may never have had them.
            if (isReply(error, 'NOSCRIPT')) return soon(redis.eval(lua, keys.length, ...keys, ...args))
            throw error
          })
          return answer as (string | number)[]
        } catch (cause) {
          // An error in the script is a bug of ours and must not pass as an outage.
          if (isReply(cause, 'ERR')) throw cause
          throw new CacheDown('Redis did not respond', { cause })
        }
      }),

    state: () => (redis.status === 'ready' ? 'up' : 'down'),
    close: async () => {
      redis.disconnect()
    },
  }
}

/** A trace has the kind of a command and the number of keys. Never a key, which names domains and accounts. */
function traced<T>(what: string, keys: number, work: () => Promise<T>): Promise<T> {
  return withSpan(
    `redis ${what}`,
    (setAttributes) => {
      setAttributes?.({ 'db.system.name': 'redis', 'db.operation.name': what, 'db.operation.batch.size': keys })
      return work()
    },
    'client',
  )
}

/** The sentinels name the master; when they name another one, the connection moves at once. */
export function asSentinels(url: string) {
  const { hosts, name, database, username, password, sentinelPassword, tls } = parseSentinels(url)
  return {
    sentinels: [...hosts],
    name,
    db: database,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(sentinelPassword ? { sentinelPassword } : {}),
    ...(tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    // A hanging master keeps its connections open: only the sentinels' failover message ends them.
    failoverDetector: true,
    sentinelReconnectStrategy: () => SENTINEL_RETRY_MS,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    connectTimeout: SENTINEL_TIMEOUT_MS,
    // A demoted master answers writes with this error.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  }
}

/** Waits briefly for the first connection; the service also starts without Redis. */
function ready(redis: Redis | Cluster): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, READY_TIMEOUT_MS)
    redis.once('ready', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Whether a cluster stores them on one node: they have the same text between the first braces. */
function shareTag(keys: readonly string[]): boolean {
  if (keys.length < 2) return true
  const [first, ...rest] = keys.map((key) => /^[^{]*\{([^}]+)\}/.exec(key)?.[1])
  return first !== undefined && rest.every((tag) => tag === first)
}

/** A result after the timeout is discarded. */
function inTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopTimer = startPauseTolerantTimer(timeoutMs, () => reject(new Error('Command timed out')))
    void answer.then(resolve, reject).finally(stopTimer)
  })
}

function isReply(error: unknown, kind: string): boolean {
  return error instanceof Error && error.name === 'ReplyError' && error.message.startsWith(kind)
}
