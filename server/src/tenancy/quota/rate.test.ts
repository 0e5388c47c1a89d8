import { expect, test } from 'vitest'
import { CacheDown } from '../../platform/cache/cache.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import type { Caller } from '../../model/caller.ts'
import { createRate } from './rate.ts'

const away = { run: () => Promise.reject(new CacheDown()) } as Partial<Cache> as Cache
const caller = {
  accountId: 'account',
  keyId: 'key',
  quota: { perMinute: 60, burst: 10, perDay: null, perMonth: null },
} as Partial<Caller> as Caller

test('without Redis each of four nodes admits a fourth of a key’s rate, and a burst that is rounded up', async () => {
  let at = 0
  const admit = createRate({ cache: away, now: () => at, nodes: 4, blockKey: () => '', dayOf: () => '' })
  const admitted = async () => {
    const passes = await Promise.all(Array.from({ length: 20 }, () => admit(caller)))
    return passes.filter(({ allowed }) => allowed).length
  }
  expect(await admitted()).toBe(3)
  at += 3_900
  expect(await admitted()).toBe(0)
  at += 100
  expect(await admitted()).toBe(1)
})
