/** The search page through Lighthouse, as on a middling phone. */
import lighthouse from 'lighthouse'
import { openBrowser } from '../../server/test/browser.ts'
import { freePort } from '../../server/test/free-port.ts'

const CATEGORIES = ['accessibility', 'best-practices', 'performance'] as const
/** Of these, what fails is named. */
const READ_OFF = ['accessibility', 'best-practices'] as const

export interface Scores {
  readonly accessibility: number
  readonly practices: number
  readonly performance: number
  /** How fast this machine is at the moment. */
  readonly benchmark: number
  readonly failed: readonly string[]
}

export interface Lighthouse extends AsyncDisposable {
  audit(url: string): Promise<Scores>
}

export async function openLighthouse(): Promise<Lighthouse> {
  const port = await freePort()
  const browser = await openBrowser([`--remote-debugging-port=${port}`])
  return {
    async audit(url) {
      const found = await lighthouse(url, { port, logLevel: 'error', onlyCategories: [...CATEGORIES] })
      if (!found) throw new Error('Lighthouse said nothing')
      const { categories, audits, environment } = found.lhr
      const scoreOf = (name: (typeof CATEGORIES)[number]) => Math.round((categories[name]?.score ?? 0) * 100)
      const isWanted = (name: string) =>
        READ_OFF.some((category) => categories[category]?.auditRefs.some(({ id, weight }) => id === name && weight > 0))
      return {
        accessibility: scoreOf('accessibility'),
        practices: scoreOf('best-practices'),
        performance: scoreOf('performance'),
        benchmark: environment.benchmarkIndex,
        failed: Object.entries(audits).flatMap(([name, { score }]) => (score === 0 && isWanted(name) ? [name] : [])),
      }
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}
