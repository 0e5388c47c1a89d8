/**
 * Adds Redis commands to traces: the kind of command and the number of keys. Never a key, which names domains and
 * accounts.
 */
import { withSpan } from '../tracing/trace-context.ts'
import type { Cache } from './cache.ts'

export function tracedCache(cache: Cache): Cache {
  const seen = <T>(what: string, keys: number, work: () => Promise<T>): Promise<T> =>
    withSpan(
      `redis ${what}`,
      (setAttributes) => {
        setAttributes?.({ 'db.system.name': 'redis', 'db.operation.name': what, 'db.operation.batch.size': keys })
        return work()
      },
      'client',
    )
  return {
    ...cache,
    getMany: (keys) => seen('get', keys.length, () => cache.getMany(keys)),
    setMany: (entries) => seen('set', entries.length, () => cache.setMany(entries)),
    claim: (key, value, ttlMs) => seen('claim', 1, () => cache.claim(key, value, ttlMs)),
    run: (lua, keys, args) => seen('script', keys.length, () => cache.run(lua, keys, args)),
  }
}
