/**
 * One database and one node per test worker for all files with the same settings, which for most of them are none:
 * accounts isolate them. A start costs as much as a hundred requests, and most files need a node as any other.
 *
 * A file gets a view of its own. Its first `startNode()` answers the shared node, and further ones and those with
 * settings start processes that end with the file. Whoever stops a node, empties a table or counts what is in the whole
 * database opens a world of its own instead (`openWorld`).
 */
import { openWorld } from './world.ts'
import type { Node, World } from './world.ts'

interface Shared {
  readonly world: World
  readonly node: Node
}

const openShared = sharing(async (env): Promise<Shared> => {
  const world = await openWorld(env)
  return { world, node: await world.startNode() }
})

export async function shareWorld(env: Record<string, string> = {}): Promise<World> {
  const { world, node } = await openShared(env)
  return viewOf(world, node)
}

/** Opens once for the same settings. */
export function sharing<T>(open: (env: Record<string, string>) => Promise<T>): typeof open {
  const opened = new Map<string, Promise<T>>()
  return (env) => {
    const key = JSON.stringify(Object.entries(env).toSorted(([one], [other]) => one.localeCompare(other)))
    const shared = opened.get(key) ?? open(env)
    opened.set(key, shared)
    return shared
  }
}

/** Of a world that others use too: what it starts beyond `node` ends with the view. */
export function viewOf(world: World, node: Node): World {
  const started: Pick<Node, 'stop'>[] = []
  let isGiven = false
  return {
    ...world,
    async startNode(env = {}) {
      if (!isGiven && Object.keys(env).length === 0) {
        isGiven = true
        return sharedNode(node)
      }
      const own = await world.startNode(env)
      started.push(own)
      return own
    },
    async startWorker(env) {
      const own = await world.startWorker(env)
      started.push(own)
      return own
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((one) => one.stop('SIGKILL')))
    },
  }
}

/** What it wrote before this file is nothing of this file's. */
export function sharedNode(node: Node): Node {
  const from = node.output().length
  return {
    ...node,
    output: () => node.output().slice(from),
    stop: () => Promise.reject(new Error('this node is shared: a test that stops one opens a world of its own')),
  }
}
