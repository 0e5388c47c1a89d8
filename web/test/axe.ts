/**
 * What axe finds on a page as it is: WCAG 2.2 at levels A and AA. It is brought in by the debugger, because the policy of
 * our pages lets nobody else's script in.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as Axe from 'axe-core'
import type { Page } from 'playwright-core'

declare global {
  interface Window {
    readonly axe?: typeof Axe
  }
}

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Once for each page that was loaded. */
export async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(SOURCE)
}

/** Each as one line: the rule, where, and why. `rules` are the only ones; else all of WCAG. */
export function violationsOn(page: Page, rules?: readonly string[]): Promise<string[]> {
  return page.evaluate(
    async ({ tags, only }) => {
      if (!window.axe) throw new Error('axe was not brought')
      const found = await window.axe.run(document, {
        runOnly: only ? { type: 'rule', values: [...only] } : { type: 'tag', values: tags },
        // Off unless asked for by name, though WCAG 2.2 has it.
        ...(only ? {} : { rules: { 'target-size': { enabled: true } } }),
        resultTypes: ['violations'],
      })
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, target, failureSummary }) =>
          [id, String(target), html.slice(0, 200), (failureSummary ?? '').replaceAll(/\s+/g, ' ')].join(' | '),
        ),
      )
    },
    { tags: TAGS, only: rules },
  )
}
