import { expect, test } from 'vitest'
import type { AccountId } from '../../model/caller.ts'
import { openCache } from '../../platform/cache/cache.ts'
import { createStreamPlaces } from './places.ts'

test('without Redis a node counts the open streams of a plan itself', async () => {
  const account = '0198d2c4-0000-7000-8000-000000000000' as AccountId
  const places = createStreamPlaces(await openCache({ urls: [], timeoutMs: 50 }))
  const first = await places.take(account, 1, 1_000)
  expect(first).toBeDefined()
  expect(await places.take(account, 1, 1_000)).toBeUndefined()
  await first?.[Symbol.asyncDispose]()
  expect(await places.take(account, 1, 1_000)).toBeDefined()
})
