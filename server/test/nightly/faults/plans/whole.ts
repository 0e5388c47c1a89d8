/** A cluster that a plan has left in whatever state is made whole again: every node ready, both members, Redis. */
import type { Cluster } from '../cluster/cluster.ts'

const MEMBERS = [0, 1]

export async function makeWhole(cluster: Cluster): Promise<void> {
  for (const index of MEMBERS) await cluster.postgres.revive(index)
  await cluster.postgres.healthy()
  await cluster.redis.restart()
  for (const node of cluster.nodes) if (node.pid() === undefined) await node.start()
}
