/**
 * Judges what each Redis reports about itself. Redis holds only data that may be lost, so few findings are more than
 * a warning.
 */
import type { RedisFacts } from '../../platform/cache/inspect-redis.ts'
import { WITHOUT_REDIS } from '../../platform/cache/cache.ts'
import { notesOn, reasonOf } from './finding.ts'
import type { Finding } from './finding.ts'

export interface RedisCheck {
  /** Host and port, without credentials. */
  readonly place: string
  readonly facts: Promise<RedisFacts>
}

const MAJOR_LEAST = 7

export async function checkRedises(checks: readonly RedisCheck[]): Promise<readonly Finding[]> {
  const notes = notesOn('Redis')
  if (checks.length === 0) notes.skipped(`not set: ${WITHOUT_REDIS}`)
  const isWantedCluster = checks.length > 1
  for (const { place, facts } of checks) {
    try {
      const { version, mode, role, replicas, refusal, evictionPolicy } = await facts
      const isNew = Number(version.split('.')[0]) >= MAJOR_LEAST
      const found = `${place}: ${version}, ${mode}, ${role}, ${replicas} replicas`
      notes.require(isNew, found, `install Redis ${MAJOR_LEAST}, or Valkey`)
      const isCluster = mode === 'cluster'
      if (mode === 'sentinel')
        notes.problem(`${place} is a Sentinel, which stores no data`, 'use sentinel://host:port/NAME')
      else if (isCluster !== isWantedCluster) {
        const is = isCluster ? 'is a cluster node, but it is the only address' : 'is not a cluster node'
        notes.problem(`${place} ${is}`, 'set one standalone Redis, or at least two nodes of one cluster')
      }
      if (role === 'slave' && !isWantedCluster) notes.problem(`${place} is a read-only replica`, 'set its master')
      else if (refusal !== undefined) {
        const todo = 'allow this user to run scripts that write, and check the Redis log'
        notes.problem(`${place} rejects writes: ${refusal}`, todo)
      }
      if (evictionPolicy.startsWith('allkeys-') || evictionPolicy === 'volatile-random') {
        const why = 'evicted rate windows let extra requests pass, evicted blocks hide quota for minutes'
        const todo = `set maxmemory-policy to volatile-ttl: ${why}`
        notes.warning(`${place} can evict any key when it is full (${evictionPolicy})`, todo)
      }
    } catch (error) {
      const until = 'every node enforces rate limits alone and quotas need an extra database round trip'
      notes.problem(`${place}: ${reasonOf(error)}`, `start it, or correct NAMEWRIGHT_REDIS_URL; until then ${until}`)
    }
  }
  return notes.list
}
