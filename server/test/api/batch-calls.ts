/** What tests of batches do again and again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Node } from '../world.ts'

export const requestsOf = (count: number, word = 'bread') =>
  Array.from({ length: count }, (_, i) => ({ description: `a shop for ${word}, the ${i}th`, count: 1, seed: i }))

/** Until it is no longer running. */
export async function waitForEnd(node: Node, key: string, path: string): Promise<Answer> {
  for (;;) {
    const answer = await node.call(path, { key })
    if (answer.json.data?.batch?.state !== 'running') return answer
    await sleep(100)
  }
}
