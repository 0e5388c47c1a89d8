/**
 * Redis, for what may be lost: verdicts, rate windows, leased quota blocks.
 *
 * `getMany` and `setMany` never fail: without Redis nothing is found and nothing is kept. `run` does fail, with
 * `CacheDown`, because whoever counts in Redis must know when it did not.
 *
 * On a Redis Cluster a script may touch several keys only when they share a hash tag (`{…}`), which is the caller's
 * part; `getMany` there asks key by key on one pipeline, since unrelated keys live on different nodes.
 */
import { hash } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Cluster } from 'ioredis'
import { openCluster } from './cluster.ts'
import { isSentinelUrl, parseSentinels } from './sentinel.ts'

export interface Cache {
  getMany(keys: readonly string[]): Promise<readonly (string | null)[]>
  setMany(entries: readonly { key: string; value: string; ttlMs: number }[]): Promise<void>
  /** Sets the key unless it is there; answers what was there. Fails with CacheDown. */
  claim(key: string, value: string, ttlMs: number): Promise<string | null>
  /** Removes the key if it still holds this value. */
  release(key: string, value: string): Promise<void>
  /** Runs a Lua script on the server, atomically. Fails with CacheDown. */
  run(lua: string, keys: readonly string[], args: readonly (string | number)[]): Promise<readonly (string | number)[]>
  isUp(): boolean
  close(): Promise<void>
}

export class CacheDown extends Error {}

const READY_TIMEOUT_MS = 2_000
// A sentinel that does not answer is passed over for the next one, and tried again a little later.
const SENTINEL_TIMEOUT_MS = 1_000
const SENTINEL_RETRY_MS = 5_000

const SET_MANY = `for i, key in ipairs(KEYS) do redis.call('SET', key, ARGV[2 * i - 1], 'PX', ARGV[2 * i]) end`
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`

export interface CacheOptions {
  readonly urls: readonly string[]
  /** Redis answers within a millisecond or two; without an answer for so long it is down. Every caller waits that long. */
  readonly timeoutMs: number
}

export async function openCache({ urls, timeoutMs }: CacheOptions): Promise<Cache> {
  const options = {
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt: number) => Math.min(50 * attempt, 1_000),
  }
  const [first = ''] = urls
  const redis =
    urls.length > 1
      ? openCluster(urls, { enableAutoPipelining: true, redisOptions: options })
      : isSentinelUrl(first)
        ? new Redis({ ...options, commandTimeout: timeoutMs, ...asSentinels(first) })
        : new Redis(first, { ...options, commandTimeout: timeoutMs })
  // A lost connection shows in isUp() and is retried; there is nothing else to do about the event.
  redis.on('error', () => {})
  await ready(redis)
  // A cluster is ready with its first node; the others are connected to here, before anybody is in a hurry.
  if (!(redis instanceof Redis)) await Promise.allSettled(redis.nodes('master').map((node) => node.ping()))
  const digests = new Map<string, string>()
  // One Redis counts from when a command is sent; in a cluster that may be long after it was given.
  const soon = <T>(answer: Promise<T>) => (redis instanceof Redis ? answer : inTime(answer, timeoutMs))

  return {
    async getMany(keys) {
      if (keys.length === 0) return []
      try {
        if (redis instanceof Redis) return await redis.mget([...keys])
        return await Promise.all(keys.map((key) => soon(redis.get(key)).catch(() => null)))
      } catch {
        return keys.map(() => null)
      }
    },

    async setMany(entries) {
      if (redis instanceof Redis) {
        // One command for all: as commands of their own they would cost as much as finding out what they say.
        const keys = entries.map(({ key }) => key)
        const args = entries.flatMap(({ value, ttlMs }) => [value, Math.ceil(ttlMs)])
        await redis.eval(SET_MANY, keys.length, ...keys, ...args).catch(() => null)
        return
      }
      const set = ({ key, value, ttlMs }: (typeof entries)[number]) => redis.set(key, value, 'PX', Math.ceil(ttlMs))
      await Promise.all(entries.map((entry) => soon(set(entry)).catch(() => null)))
    },

    async claim(key, value, ttlMs) {
      try {
        return await soon(redis.set(key, value, 'PX', ttlMs, 'NX', 'GET'))
      } catch (cause) {
        throw new CacheDown('Redis did not answer', { cause })
      }
    },

    async release(key, value) {
      await soon(redis.eval(RELEASE, 1, key, value)).catch(() => 0)
    },

    async run(lua, keys, args) {
      // Also on one Redis, which would not mind: a cluster is nowhere to find it out.
      if (!shareTag(keys)) throw new Error(`the keys of a script share no hash tag: ${keys.join(' ')}`)
      let sha1 = digests.get(lua)
      if (!sha1) digests.set(lua, (sha1 = hash('sha1', lua)))
      try {
        const answer = await soon(redis.evalsha(sha1, keys.length, ...keys, ...args)).catch((error: unknown) => {
          // A Redis that restarted has forgotten its scripts, and a replica that took over may never have known them.
          if (isReply(error, 'NOSCRIPT')) return soon(redis.eval(lua, keys.length, ...keys, ...args))
          throw error
        })
        return answer as (string | number)[]
      } catch (cause) {
        // A mistake in the script is ours and must not pass as an outage.
        if (isReply(cause, 'ERR')) throw cause
        throw new CacheDown('Redis did not answer', { cause })
      }
    },

    isUp: () => redis.status === 'ready',
    close: async () => {
      redis.disconnect()
    },
  }
}

/** The master is whoever the sentinels name; when they name another, the connection moves at once. */
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
    // A master that hangs keeps its connections open: only the sentinels' word ends them.
    failoverDetector: true,
    sentinelReconnectStrategy: () => SENTINEL_RETRY_MS,
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    connectTimeout: SENTINEL_TIMEOUT_MS,
    // A master that was deposed says so to whoever writes to it.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  }
}

/** Waits a little for the first connection; a service without Redis starts all the same. */
function ready(redis: Redis | Cluster): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, READY_TIMEOUT_MS)
    redis.once('ready', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Whether a cluster keeps them together, by what stands between the first braces. */
function shareTag(keys: readonly string[]): boolean {
  if (keys.length < 2) return true
  const [first, ...rest] = keys.map((key) => /^[^{]*\{([^}]+)\}/.exec(key)?.[1])
  return first !== undefined && rest.every((tag) => tag === first)
}

/** Late is as good as never: what comes after that is heard by nobody. */
function inTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Command timed out')), timeoutMs)
    void answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function isReply(error: unknown, kind: string): boolean {
  return error instanceof Error && error.name === 'ReplyError' && error.message.startsWith(kind)
}
