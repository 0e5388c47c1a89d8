/**
 * What Lighthouse reads off the search page, as on a middling phone. How fast the page is depends on how busy this machine
 * is, so that is only printed.
 */
import lighthouse from 'lighthouse'
import { expect, it } from 'vitest'
import { openBrowser } from '../../../server/test/browser.ts'
import { freePort } from '../../../server/test/free-port.ts'
import { shareStage } from '../stage.ts'

it('is for everybody, and built as pages should be', { timeout: 300_000 }, async () => {
  await using stage = await shareStage()
  const port = await freePort()
  const browser = await openBrowser([`--remote-debugging-port=${port}`])
  const onlyCategories = ['accessibility', 'best-practices', 'performance']
  const found = await lighthouse(`${stage.url}/`, { port, logLevel: 'error', onlyCategories })
  await browser.close()
  if (!found) throw new Error('Lighthouse said nothing')
  const { categories, audits, environment } = found.lhr
  const scoreOf = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const machine = Math.round(environment.benchmarkIndex)
  console.log(`Lighthouse: performance ${scoreOf('performance')} on a machine of ${machine}`)
  const isWanted = (name: string) =>
    ['accessibility', 'best-practices'].some((category) =>
      categories[category]?.auditRefs.some(({ id, weight }) => id === name && weight > 0),
    )
  expect(Object.keys(audits).filter((name) => audits[name]?.score === 0 && isWanted(name))).toEqual([])
  expect(scoreOf('accessibility')).toBe(100)
  expect(scoreOf('best-practices')).toBeGreaterThanOrEqual(95)
})
