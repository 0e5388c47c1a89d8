import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Reply } from '../people-world.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

const GIVE_UP_MS = 5_000

/**
 * The last request that is accepted is sent within this time. What a slow machine takes to answer does not count: the
 * promise is about when a request is made.
 */
export async function expectRefused(call: () => Promise<Reply>, refusal: string, withinMs = 1_000): Promise<void> {
  const startedAt = runningMs()
  for (let acceptedMs = 0; ;) {
    const sentMs = runningMs() - startedAt
    const { status, json } = await call()
    if (status !== 200 || sentMs > GIVE_UP_MS) {
      expect(`${status} ${json?.error?.code}`).toBe(refusal)
      return expect(acceptedMs).toBeLessThan(withinMs)
    }
    acceptedMs = sentMs
    await sleep(100)
  }
}
