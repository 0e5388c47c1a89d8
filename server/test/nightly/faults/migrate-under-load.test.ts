/** Nodes go on while the schema changes under them, and while somebody's long read keeps it from changing. */
import { expect, test } from 'vitest'
import { startApp } from '../../start-app.ts'
import { migrateUnderLoad } from './migrate/under-load.ts'

test('callers notice nothing of a migration that has to wait for a long read', { timeout: 180_000 }, async () => {
  await using world = await startApp({ own: true })
  const holdMs = 20_000
  const migrated = await migrateUnderLoad(world, { holdMs, perSecond: 20 })
  expect(migrated.errors).toEqual([])
  expect(migrated.applied).toEqual(['9998_expand.sql', '9999_index.sql'])
  expect(migrated.newer).toEqual(['9998_expand.sql', '9999_index.sql'])
  expect(migrated.calls).toBeGreaterThan(50)
  // It did wait: otherwise nothing was shown.
  expect(migrated.tookMs).toBeGreaterThan(holdMs)
  expect(migrated.longestWaitMs).toBeGreaterThan(0)
  // A statement steps back after two seconds, and not when the long read ends; the rest is for a busy machine.
  expect(migrated.longestWaitMs).toBeLessThan(holdMs / 2)
})
