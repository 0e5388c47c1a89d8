/**
 * What Lighthouse reads off the search page is held here. How fast the page is depends on how busy this machine is, so
 * that is only printed; `pnpm measure web` measures it.
 */
import { expect, it } from 'vitest'
import { openLighthouse } from '../lighthouse.ts'
import { shareStage } from '../stage.ts'

it('is for everybody, and built as pages should be', { timeout: 300_000 }, async () => {
  await using stage = await shareStage()
  await using lighthouse = await openLighthouse()
  const { failed, accessibility, practices, performance, benchmark } = await lighthouse.audit(`${stage.url}/`)
  console.log(`Lighthouse: performance ${performance} on a machine of ${Math.round(benchmark)}`)
  expect(failed).toEqual([])
  expect(accessibility).toBe(100)
  expect(practices).toBeGreaterThanOrEqual(95)
})
