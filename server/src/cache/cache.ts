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
import { Cluster, Redis } from 'ioredis'

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

// Redis answers within a millisecond or two. A fiftieth of a second without an answer is an outage, and every
// request that waits for it is a caller who waits.
const COMMAND_TIMEOUT_MS = 50
const READY_TIMEOUT_MS = 2_000

const SET_MANY = `for i, key in ipairs(KEYS) do redis.call('SET', key, ARGV[2 * i - 1], 'PX', ARGV[2 * i]) end`
const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`

export async function openCache({ urls }: { urls: readonly string[] }): Promise<Cache> {
  const options = {
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt: number) => Math.min(50 * attempt, 1_000),
  }
  const [first = ''] = urls
  const redis =
    urls.length > 1
      ? new Cluster([...urls], { enableAutoPipelining: true, enableOfflineQueue: false, redisOptions: options })
      : new Redis(first, options)
  // A lost connection shows in isUp() and is retried; there is nothing else to do about the event.
  redis.on('error', () => {})
  await ready(redis)
  const digests = new Map<string, string>()

  return {
    async getMany(keys) {
      if (keys.length === 0) return []
      try {
        if (redis instanceof Redis) return await redis.mget([...keys])
        return await Promise.all(keys.map((key) => redis.get(key).catch(() => null)))
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
      await Promise.all(entries.map(({ key, value, ttlMs }) => redis.set(key, value, 'PX', ttlMs).catch(() => null)))
    },

    async claim(key, value, ttlMs) {
      try {
        return await redis.set(key, value, 'PX', ttlMs, 'NX', 'GET')
      } catch (cause) {
        throw new CacheDown('Redis did not answer', { cause })
      }
    },

    async release(key, value) {
      await redis.eval(RELEASE, 1, key, value).catch(() => 0)
    },

    async run(lua, keys, args) {
      let sha1 = digests.get(lua)
      if (!sha1) digests.set(lua, (sha1 = hash('sha1', lua)))
      try {
        const answer = await redis.evalsha(sha1, keys.length, ...keys, ...args).catch((error: unknown) => {
          // A Redis that restarted has forgotten its scripts.
          if (isReply(error, 'NOSCRIPT')) return redis.eval(lua, keys.length, ...keys, ...args)
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

function isReply(error: unknown, kind: string): boolean {
  return error instanceof Error && error.name === 'ReplyError' && error.message.startsWith(kind)
}
