/** No lookup that waits for budget is lost, however much time passes between two steps. */
import { expect, test } from 'vitest'
import { createBudgetQueue } from './budget-queue.ts'
import type { WaitingRequest } from './budget-queue.ts'

test('who cannot wait is refused, also where the wait is over before it was noted', async () => {
  let at = 0
  const { promise: refused, resolve: refuse } = Promise.withResolvers<WaitingRequest>()
  const queue = createBudgetQueue<WaitingRequest>({
    budget: { take: async () => 0, waitOf: () => 0, rateOf: () => 1 },
    host: 'one.example',
    // Every read of the clock advances it by more than any wait.
    now: () => (at += 5),
    perToken: 1,
    wantedTokens: ({ size }) => size,
    send: () => {},
    refuse,
  })
  const item = { fairnessKeys: new Set(['ada']), giveUpAt: 0 }
  queue.add([item])
  expect(await refused).toBe(item)
})
