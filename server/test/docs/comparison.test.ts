/** What docs/comparison.md calls "not yet" is on the roadmap, which it refers to. */
import { expect, test } from 'vitest'
import { readPage } from './pages.ts'

test('ROADMAP.md names everything that the comparison calls not yet', () => {
  const [, section = ''] = readPage('docs/comparison.md').split('\n## Not yet\n')
  const [body = ''] = section.split('\n## ')
  const missing = body.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2).split(';')[0] ?? ''] : []))
  expect(missing.length).toBeGreaterThan(0)
  const roadmap = readPage('ROADMAP.md')
  for (const one of missing) expect(roadmap).toContain(`- ${one}\n`)
})
