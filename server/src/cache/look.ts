/** An operator's look at a Redis: what it is, what it keeps, and whether we may do there what we need to. */
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { asSentinels } from './cache.ts'
import { isSentinelUrl } from './sentinel.ts'

export interface RedisFacts {
  readonly version: string
  /** `standalone`, `cluster` or `sentinel`, as it says itself. */
  readonly mode: string
  readonly role: string
  readonly replicas: number
  readonly maxMemory: number
  readonly usedMemory: number
  readonly evictionPolicy: string
  readonly isAppendOnly: boolean
  /** Whether it could write its snapshot the last time. */
  readonly isSaved: boolean
  /** Why a script that writes was refused; undefined when it was not. */
  readonly refusal: string | undefined
}

const TIMEOUT_MS = 3_000
const WRITE = `redis.call('SET', KEYS[1], '1', 'PX', 1000) return redis.call('DEL', KEYS[1])`

/** Rejects when it cannot be reached or does not let us in. */
export async function lookAtRedis(url: string): Promise<RedisFacts> {
  const options = {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
  }
  const redis = isSentinelUrl(url)
    ? new Redis({ ...asSentinels(url), ...options, sentinelRetryStrategy: () => null })
    : new Redis(url, options)
  // Its error event says more than the promise, which only says that the connection was closed.
  let cause: unknown
  redis.on('error', (error: unknown) => (cause ??= error))
  try {
    await redis.connect()
    const told = factsOf(await redis.info())
    const number = (name: string) => Number(told.get(name) ?? 0)
    return {
      version: told.get('valkey_version') ?? told.get('redis_version') ?? '',
      mode: told.get('redis_mode') ?? told.get('server_mode') ?? 'standalone',
      role: told.get('role') ?? '',
      replicas: number('connected_slaves'),
      maxMemory: number('maxmemory'),
      usedMemory: number('used_memory'),
      evictionPolicy: told.get('maxmemory_policy') ?? '',
      isAppendOnly: told.get('aof_enabled') === '1',
      isSaved: told.get('rdb_last_bgsave_status') !== 'err',
      refusal: await redis.eval(WRITE, 1, `doctor:${randomUUID()}`).then(() => undefined, refusalOf),
    }
  } catch (error) {
    throw cause ?? error
  } finally {
    redis.disconnect()
  }
}

/** In a cluster most keys are another node's, which is no refusal. */
function refusalOf(error: unknown): string | undefined {
  const text = error instanceof Error ? error.message : String(error)
  return text.startsWith('MOVED') ? undefined : text
}

function factsOf(info: string): ReadonlyMap<string, string> {
  const pairs = info.split('\r\n').map((line) => line.split(':'))
  return new Map(pairs.filter(([, value]) => value !== undefined).map(([name = '', ...rest]) => [name, rest.join(':')]))
}
