/**
 * One of several processes that want more from a host than it gives: takes whatever it can until it is asked to end,
 * then prints every grant with the times between which it was made.
 *
 *     node server/test/budget-taker.ts <redis url> <host> <seconds> <per second> <nodes>
 */
import { setTimeout as wait } from 'node:timers/promises'
import { openBudget } from '../src/engines/availability/budget.ts'
import { openCache } from '../src/platform/cache/cache.ts'
import { REDIS_TIMEOUT_MS } from './redis.ts'

export interface Grant {
  readonly from: number
  readonly to: number
  readonly tokens: number
}

if (import.meta.main) {
  const [url = '', host = '', seconds, start, nodes] = process.argv.slice(2)
  const cache = await openCache({ urls: [url], timeoutMs: REDIS_TIMEOUT_MS })
  const budget = openBudget({ cache, now: Date.now, start: Number(start), nodes: Number(nodes) })
  const grants: Grant[] = []
  for (const end = Date.now() + Number(seconds) * 1000; Date.now() < end;) {
    const from = Date.now()
    const tokens = await budget.take(host, 7)
    if (tokens > 0) grants.push({ from, to: Date.now(), tokens })
    await wait(5)
  }
  console.log(JSON.stringify(grants))
  await cache.close()
}
