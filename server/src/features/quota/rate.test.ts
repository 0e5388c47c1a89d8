import { expect, test } from 'vitest'
import { CacheDown } from '../../platform/cache/cache-down.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import type { Caller } from '../../model/caller.ts'
import { UNLIMITED } from '../../model/plan.ts'
import { createRate } from './rate.ts'

const away = { run: () => Promise.reject(new CacheDown()) } as Partial<Cache> as Cache
const caller = {
  accountId: 'account',
  keyId: 'key',
  quota: { perMinute: 60, burst: 10, perDay: null, perMonth: null },
} as Partial<Caller> as Caller

test('without Redis each of four nodes admits a fourth of a key’s rate, and a burst that is rounded up', async () => {
  let at = 0
  const admit = createRate({ cache: away, now: () => at, nodes: 4 })
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

test('without Redis a key that exceeds its rate takes nothing of its account, and an account that does nothing of its keys', async () => {
  const plan = { ...UNLIMITED, requestsPerMinute: 60 }
  const slow = { ...caller, plan } as Caller
  const other = { ...caller, keyId: 'other', quota: { ...caller.quota, burst: 100 }, plan } as Caller
  let at = 0
  const admit = createRate({ cache: away, now: () => at })
  const admitted = async (who: Caller, requests: number) => {
    const passes = await Promise.all(Array.from({ length: requests }, () => admit(who)))
    return passes.filter(({ allowed }) => allowed).length
  }
  expect(await admitted(slow, 200)).toBe(10)
  // The account admits 30 at once.
  expect(await admitted(other, 200)).toBe(20)
  const { allowed, remaining, retryMs } = await admit(other)
  expect({ allowed, remaining, retryMs }).toEqual({ allowed: false, remaining: 80, retryMs: 1_000 })
  at += 30_000
  expect(await admitted(other, 200)).toBe(30)
})
