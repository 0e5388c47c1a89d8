/**
 * Opens a Redis Cluster so that commands fail fast and a failover is found quickly.
 *
 * By default the client waits and retries when a node is gone, sixteen times a tenth of a second. All code here can
 * work without Redis, so a command fails at once instead. The slots are refreshed continuously, because a pipeline that
 * was redirected for two keys at once is not sent again and does not update the client's slot table.
 */
import { Cluster } from 'ioredis'
import type { Redis } from 'ioredis'

// The delay until a node learns of a new master. One short connection each time.
const SLOTS_EVERY_MS = 1_000
// The least: covers a connection, a login and the response. Callers may wait for a shorter time.
const NODE_TIMEOUT_MS = 1_000
// A moved slot is redirected once, and a migrating one once more.
const MAX_REDIRECTIONS = 3

export interface ClusterUse {
  readonly enableAutoPipelining?: boolean
  readonly enableOfflineQueue?: boolean
  readonly clusterRetryStrategy?: () => null
  readonly redisOptions: {
    readonly connectTimeout?: number
    readonly commandTimeout: number
    readonly maxRetriesPerRequest?: number
  }
}

export function openCluster(urls: readonly string[], { redisOptions, ...use }: ClusterUse): Cluster {
  const cluster = new Cluster([...urls], {
    enableOfflineQueue: false,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    maxRedirections: MAX_REDIRECTIONS,
    slotsRefreshInterval: SLOTS_EVERY_MS,
    ...use,
    redisOptions: {
      ...redisOptions,
      commandTimeout: Math.max(NODE_TIMEOUT_MS, redisOptions.commandTimeout),
      ...loginOf(urls),
    },
  })
  // The first command to a node has no time to wait for the connection. A failed connection is retried with the slots.
  cluster.on('+node', (node: Redis) => void node.connect().catch(() => {}))
  return cluster
}

/** Nodes that are not in the configured addresses, such as promoted ones, need the same login. */
function loginOf([first = '']: readonly string[]): { username?: string; password?: string; tls?: object } {
  const { protocol, username, password } = new URL(first)
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  }
}
