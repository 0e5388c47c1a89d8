/** What each Redis says of itself, judged. Redis holds only what may be lost, so little here is more than a warning. */
import type { RedisFacts } from '../cache/look.ts'
import { notesOn, reasonOf } from './finding.ts'
import type { Finding } from './finding.ts'

export interface RedisLook {
  /** Host and port, without what opens it. */
  readonly place: string
  readonly facts: Promise<RedisFacts>
}

const MAJOR_LEAST = 7
const FULL = 0.9

export async function lookAtRedises(looks: readonly RedisLook[]): Promise<readonly Finding[]> {
  const notes = notesOn('Redis')
  const isCluster = looks.length > 1
  for (const { place, facts } of looks) {
    const found = await facts.catch((error: unknown) => {
      notes.problem(
        `${place}: ${reasonOf(error)}`,
        'start it, or correct NAMEWRIGHT_REDIS_URL; until then every node counts for itself and budgets cost a round trip more',
      )
    })
    if (found) judge(place, found, isCluster)
  }
  return notes.list

  function judge(place: string, facts: RedisFacts, isWantedCluster: boolean): void {
    const kept = facts.isAppendOnly ? 'keeps an append-only file' : 'forgets what it holds when it restarts'
    notes.ok(`${place}: ${facts.version}, ${facts.mode}, ${facts.role}, ${facts.replicas} replicas, ${kept}`)
    if (Number(facts.version.split('.')[0]) < MAJOR_LEAST) {
      notes.problem(`${place} is version ${facts.version}`, `install Redis ${MAJOR_LEAST}, or Valkey`)
    }
    if (facts.mode === 'sentinel') {
      notes.problem(
        `${place} is a Sentinel, which holds nothing`,
        'name it as sentinel://host:port/NAME, which asks it for the master',
      )
    } else if ((facts.mode === 'cluster') !== isWantedCluster) {
      notes.problem(
        facts.mode === 'cluster'
          ? `${place} is a node of a cluster and named alone`
          : `${place} is no node of a cluster`,
        'name one Redis, or two or more nodes of one cluster',
      )
    }
    if (facts.role === 'slave' && !isWantedCluster) {
      notes.problem(`${place} is a replica and cannot be written to`, 'name its master')
    } else if (facts.refusal !== undefined) {
      notes.problem(
        `${place} refuses to write: ${facts.refusal}`,
        'let our user run scripts that write, and see its log',
      )
    }
    if (!facts.isSaved) notes.warning(`${place} could not write its snapshot`, 'see its log; its disk may be full')
    if (facts.maxMemory > 0 && facts.usedMemory > facts.maxMemory * FULL) {
      notes.warning(`${place} is full to more than nine tenths`, 'raise maxmemory')
    }
    if (facts.evictionPolicy.startsWith('allkeys-') || facts.evictionPolicy === 'volatile-random') {
      notes.warning(
        `${place} drops what it likes when it is full (${facts.evictionPolicy})`,
        'set maxmemory-policy to volatile-ttl: dropped windows let callers pass, dropped blocks hide budget for minutes',
      )
    }
  }
}
