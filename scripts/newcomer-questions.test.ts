/** Seven questions of somebody new to the code, each answered by one search for the word of the field. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listFiles } from './repo-files.ts'

const ROOT = `${import.meta.dirname}/..`
const SEARCHED = [/^server\/src\/(?!.*\.test\.ts$).*\.ts$/, /^web\/[^/]+\.ts$/, /^docs\/guides\/.*\.md$/]
// More files than this are no answer.
const FEW = 6

const files = listFiles(ROOT)
  .filter((file) => SEARCHED.some((pattern) => pattern.test(file)))
  .map((file) => ({ file, text: readFileSync(`${ROOT}/${file}`, 'utf8') }))

test.each([
  ['where is a price formatted', /formatPrice/, 'server/src/model/money.ts'],
  ['where is quota returned', /returns unused quota/i, 'server/src/tenancy/quota/quota.ts'],
  ['where is RDAP throttled', /throttles/i, 'server/src/availability/budget.ts'],
  ['how do I add a registrar', /add(?:ing)? a registrar/i, 'docs/guides/adding-a-registrar.md'],
  ['how do I add a suffix', /add(?:ing)? a suffix/i, 'docs/guides/adding-a-suffix.md'],
  ['where is 429 decided', /\b429\b.*(?:rate|status)|status.*\b429\b/i, 'server/src/http/within-limits.ts'],
  ['where do the texts of the app come from', /texts of the app/i, 'web/catalogs.ts'],
])('%s', (_question, word, answer) => {
  const hits = files.filter(({ text }) => text.split('\n').some((line) => word.test(line))).map(({ file }) => file)
  expect(hits).toContain(answer)
  expect(hits.length).toBeLessThanOrEqual(FEW)
})
