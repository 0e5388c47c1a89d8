/** What a load needs: machines, disks and money. */
import type { Used } from './cost.ts'

export interface Plan {
  readonly one: Used
  readonly nodes: {
    readonly cores: number
    readonly machines: number
    readonly indexGib: number
    readonly fits: boolean
  }
  readonly postgres: {
    readonly cores: number
    readonly commitsPerSecond: number
    readonly walMibPerSecond: number
    /** At most, of all nodes together. */
    readonly connections: number
    /** Of nodes that nobody asks anything. */
    readonly idleStatementsPerSecond: number
    readonly rows: number
    readonly gib: number
    readonly gibPerMonth: number
    /** More than one is Citus, distributed by account. */
    readonly shards: number
    readonly servers: number
    /** What would run out first. */
    readonly because: 'CPU' | 'commits' | 'disk'
  }
  readonly redis: {
    readonly cores: number
    readonly commandsPerSecond: number
    readonly gib: number
    /** More than one is Redis Cluster. */
    readonly masters: number
    readonly servers: number
  }
  readonly dnsPerSecond: number
  readonly rdap: { readonly wantedPerSecond: number; readonly allowedPerSecond: number; readonly share: number }
  readonly trafficGibPerMonth: number
  readonly money: Readonly<Record<'nodes' | 'postgres' | 'redis' | 'disk' | 'traffic' | 'total', number>>
}
