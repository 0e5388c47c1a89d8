/**
 * A Redis Cluster, opened the way the service needs it: quick to say no, and quick to find who took over.
 *
 * The client's own answer to a node that is gone is to wait and try again, sixteen times a tenth of a second. Everybody
 * here has something to do without Redis, so a command fails at once instead; where the slots are is asked anew all the
 * time, because a pipeline that was moved for two keys at once is not sent again and teaches the client nothing.
 */
import { Cluster } from 'ioredis'
import type { Redis } from 'ioredis'

// How much later than the cluster itself a node knows of another master. One short connection each time.
const SLOTS_EVERY_MS = 1_000
// A connection, a login and the answer; who waits for a command has a shorter patience of their own.
const NODE_TIMEOUT_MS = 1_000
// A slot that moves is named once, and while it is on its way once more.
const MOST_REDIRECTIONS = 3

export interface ClusterUse {
  readonly enableAutoPipelining?: boolean
  readonly enableOfflineQueue?: boolean
  readonly clusterRetryStrategy?: () => null
  readonly redisOptions: {
    readonly connectTimeout?: number
    readonly commandTimeout?: number
    readonly maxRetriesPerRequest?: number
  }
}

export function openCluster(urls: readonly string[], { redisOptions, ...use }: ClusterUse): Cluster {
  const cluster = new Cluster([...urls], {
    enableOfflineQueue: false,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    maxRedirections: MOST_REDIRECTIONS,
    slotsRefreshInterval: SLOTS_EVERY_MS,
    ...use,
    redisOptions: { commandTimeout: NODE_TIMEOUT_MS, ...redisOptions, ...loginOf(urls) },
  })
  // The first command that a node gets has no time to wait for the connection. One that is not there is tried again
  // with the slots.
  cluster.on('+node', (node: Redis) => void node.connect().catch(() => {}))
  return cluster
}

/** Nodes that no address names, those that take over among them, want the same login as those that are named. */
function loginOf([first = '']: readonly string[]): { username?: string; password?: string; tls?: object } {
  const { protocol, username, password } = new URL(first)
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  }
}
