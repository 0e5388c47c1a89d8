/** Inspects a Redis for the operator: its mode and role, and whether we have the permissions we need. */
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { asSentinels } from './cache.ts'
import { isSentinelUrl } from './sentinel.ts'

export interface RedisFacts {
  readonly version: string
  /** `standalone`, `cluster` or `sentinel`, as reported by the server. */
  readonly mode: string
  readonly role: string
  readonly replicas: number
  readonly evictionPolicy: string
  /** Why a script that writes was refused; undefined when it was not. */
  readonly refusal: string | undefined
}

const TIMEOUT_MS = 3_000
const WRITE = `redis.call('SET', KEYS[1], '1', 'PX', 1000) return redis.call('DEL', KEYS[1])`

/** Rejects when it cannot be reached or refuses the login. */
export async function inspectRedis(url: string): Promise<RedisFacts> {
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
  // The error event has the cause; the promise only reports a closed connection.
  let cause: unknown
  redis.on('error', (error: unknown) => (cause ??= error))
  try {
    await redis.connect()
    const reported = factsOf(await redis.info())
    return {
      version: reported.get('valkey_version') ?? reported.get('redis_version') ?? '',
      mode: reported.get('redis_mode') ?? reported.get('server_mode') ?? 'standalone',
      role: reported.get('role') ?? '',
      replicas: Number(reported.get('connected_slaves') ?? 0),
      evictionPolicy: reported.get('maxmemory_policy') ?? '',
      refusal: await redis.eval(WRITE, 1, `doctor:${randomUUID()}`).then(() => undefined, refusalOf),
    }
  } catch (error) {
    throw cause ?? error
  } finally {
    redis.disconnect()
  }
}

/** In a cluster most keys belong to another node, which is not a refusal. */
function refusalOf(error: unknown): string | undefined {
  const text = error instanceof Error ? error.message : String(error)
  return text.startsWith('MOVED') ? undefined : text
}

function factsOf(info: string): ReadonlyMap<string, string> {
  const pairs = info.split('\r\n').map((line) => line.split(':'))
  return new Map(pairs.filter(([, value]) => value !== undefined).map(([name = '', ...rest]) => [name, rest.join(':')]))
}
