/**
 * Deletes every key with a prefix from a Redis, or from every master of a cluster. For operator commands, never for a
 * request.
 */
import { Cluster, Redis } from 'ioredis'
import { asSentinels } from './cache.ts'
import { openCluster } from './cluster.ts'
import { isSentinelUrl } from './sentinel.ts'

const TIMEOUT_MS = 5_000
const PAGE = 1_000

/** Returns how many keys were deleted. Rejects when Redis does not respond. */
export async function forgetKeys(urls: readonly string[], beginning: string): Promise<number> {
  const options = { connectTimeout: TIMEOUT_MS, commandTimeout: TIMEOUT_MS, maxRetriesPerRequest: 1 }
  const [first = ''] = urls
  const redis =
    urls.length > 1
      ? openCluster(urls, { enableOfflineQueue: true, redisOptions: options, clusterRetryStrategy: () => null })
      : isSentinelUrl(first)
        ? new Redis({ ...asSentinels(first), ...options })
        : new Redis(first, { ...options, retryStrategy: () => null })
  redis.on('error', () => {})
  try {
    let dropped = 0
    if (redis instanceof Cluster) await redis.ping()
    for (const node of redis instanceof Cluster ? redis.nodes('master') : [redis]) {
      for await (const keys of node.scanStream({ match: `${beginning}*`, count: PAGE }) as AsyncIterable<string[]>) {
        dropped += await drop(node, keys)
      }
    }
    return dropped
  } finally {
    redis.disconnect()
  }
}

/** One command per key in a pipeline: keys of one cluster node need not share a slot. */
async function drop(node: Redis, keys: readonly string[]): Promise<number> {
  const answers = await Promise.all(keys.map((key) => node.unlink(key)))
  return answers.reduce((sum, count) => sum + count, 0)
}
