/** Units that are handed out, not spent and nowhere to be had: hidden until their block is closed. */
import { blockName, openCache, periodsOf } from '../../../source.ts'
import type { Facts } from '../check/facts.ts'
import { REDIS_TIMEOUT_MS } from '../../../redis.ts'

const LEFT = `return {redis.call('HGET', KEYS[1], 'left') or '0'}`

/** Over all keys; `mostOfAKey` is the most that one of them misses. */
export async function strandedUnits(
  { budgets }: Facts,
  redisUrl: string,
): Promise<{ units: number; mostOfAKey: number; keys: number }> {
  const cache = await openCache({ urls: [redisUrl], timeoutMs: REDIS_TIMEOUT_MS })
  try {
    const { day } = periodsOf(Date.now())
    const missing = await Promise.all(
      budgets.map(async ({ account, key, granted, used }) => {
        const [left] = await cache.run(LEFT, [blockName({ accountId: account, keyId: key }, day)], [])
        return granted - used - Number(left)
      }),
    )
    const units = missing.reduce((sum, one) => sum + one, 0)
    return { units, mostOfAKey: Math.max(0, ...missing), keys: missing.length }
  } finally {
    await cache.close()
  }
}
