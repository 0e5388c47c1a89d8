/**
 * A Redis without memories. Verdicts are shared through Redis, so a test whose resolver lies must neither read what
 * others have learned nor teach it to them: its nodes get a database of their own, emptied first.
 */
import { Redis } from 'ioredis'

/** `database` must differ between files that run at the same time; 9 is everybody's. */
export async function emptyRedis(database: number): Promise<{ NAMEWRIGHT_REDIS_URL: string }> {
  const url = `redis://127.0.0.1:6379/${database}`
  const redis = new Redis(url)
  await redis.flushdb()
  await redis.quit()
  return { NAMEWRIGHT_REDIS_URL: url }
}
