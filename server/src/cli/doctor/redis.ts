/**
 * Judges what each Redis reports about itself. Redis holds only data that may be lost, so few findings are more than
 * a warning.
 */
import type { RedisFacts } from '../../platform/cache/inspect-redis.ts'
import { notesOn, reasonOf } from './finding.ts'
import type { Finding } from './finding.ts'

export interface RedisCheck {
  /** Host and port, without credentials. */
  readonly place: string
  readonly facts: Promise<RedisFacts>
}

const MAJOR_LEAST = 7
const FULL = 0.9

export async function checkRedises(checks: readonly RedisCheck[]): Promise<readonly Finding[]> {
  const notes = notesOn('Redis')
  const isCluster = checks.length > 1
  for (const { place, facts } of checks) {
    const found = await facts.catch((error: unknown) => {
      notes.problem(
        `${place}: ${reasonOf(error)}`,
        'start it, or correct NAMEWRIGHT_REDIS_URL; until then every node enforces rate limits alone and quotas need an extra database round trip',
      )
    })
    if (found) judge(place, found, isCluster)
  }
  return notes.list

  function judge(place: string, facts: RedisFacts, isWantedCluster: boolean): void {
    const kept = facts.isAppendOnly ? 'keeps an append-only file' : 'loses its data on restart'
    notes.ok(`${place}: ${facts.version}, ${facts.mode}, ${facts.role}, ${facts.replicas} replicas, ${kept}`)
    if (Number(facts.version.split('.')[0]) < MAJOR_LEAST) {
      notes.problem(`${place} is version ${facts.version}`, `install Redis ${MAJOR_LEAST}, or Valkey`)
    }
    if (facts.mode === 'sentinel') {
      notes.problem(
        `${place} is a Sentinel, which stores no data`,
        'use sentinel://host:port/NAME, which finds the master',
      )
    } else if ((facts.mode === 'cluster') !== isWantedCluster) {
      notes.problem(
        facts.mode === 'cluster'
          ? `${place} is a cluster node, but it is the only address`
          : `${place} is not a cluster node`,
        'set one standalone Redis, or at least two nodes of one cluster',
      )
    }
    if (facts.role === 'slave' && !isWantedCluster) {
      notes.problem(`${place} is a read-only replica`, 'set its master')
    } else if (facts.refusal !== undefined) {
      notes.problem(
        `${place} rejects writes: ${facts.refusal}`,
        'allow this user to run scripts that write, and check the Redis log',
      )
    }
    if (!facts.isSaved)
      notes.warning(`${place} could not write its snapshot`, 'check the Redis log; the disk may be full')
    if (facts.maxMemory > 0 && facts.usedMemory > facts.maxMemory * FULL) {
      notes.warning(`${place} uses more than 90 % of maxmemory`, 'raise maxmemory')
    }
    if (facts.evictionPolicy.startsWith('allkeys-') || facts.evictionPolicy === 'volatile-random') {
      notes.warning(
        `${place} can evict any key when it is full (${facts.evictionPolicy})`,
        'set maxmemory-policy to volatile-ttl: evicted rate windows let extra requests pass, evicted blocks hide quota for minutes',
      )
    }
  }
}
