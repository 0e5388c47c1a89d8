/** However many keys are tried, a process remembers a bounded number of them. */
import { expect, test } from 'vitest'
import { createCredentialCache } from '../source.ts'
import { startApp } from '../start-app.ts'

test('after 50,000 others the first key is read again and the last is not', async () => {
  await using world = await startApp({ own: true })
  const reads: string[] = []
  const recall = createCredentialCache({
    db: world.db,
    // A clock that stands still, so that nothing is forgotten for its age.
    now: () => 0,
    read: async (id: string) => reads.push(id),
    keyIdOf: () => undefined,
  })
  for (let i = 0; i <= 50_000; i++) await recall.get(`k${i}`)
  expect(reads).toHaveLength(50_001)
  await recall.get('k50000')
  expect(reads).toHaveLength(50_001)
  await recall.get('k0')
  expect(reads).toHaveLength(50_002)
  recall.close()
})

test('a key that is in use is not evicted by any number of invented ones', async () => {
  await using world = await startApp({ own: true })
  const reads: string[] = []
  const recall = createCredentialCache({
    db: world.db,
    now: () => 0,
    read: async (id: string) => reads.push(id),
    keyIdOf: () => undefined,
  })
  await recall.get('real')
  for (let i = 0; i < 120_000; i++) {
    await recall.get(`invented-${i}`)
    if (i % 10_000 === 0) await recall.get('real')
  }
  expect(reads.filter((id) => id === 'real')).toHaveLength(1)
  recall.close()
})
