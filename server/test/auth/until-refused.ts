import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '../people-world.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

const GIVE_UP_MS = 5_000

/**
 * `ms`: after how long the last request was sent that was still accepted. What a slow machine takes to answer does not
 * count: the promise is about when a request is made.
 */
export async function untilRefused(call: () => Promise<Reply>): Promise<{ ms: number; refusal: string }> {
  const startedAt = runningMs()
  for (let ms = 0; ;) {
    const sentMs = runningMs() - startedAt
    const { status, json } = await call()
    if (status !== 200 || sentMs > GIVE_UP_MS) return { ms, refusal: `${status} ${json?.error?.code}` }
    ms = sentMs
    await sleep(100)
  }
}
