import { expect, test } from 'vitest'
import { cell, type Block } from './blocks.ts'
import { renderHtml } from './html.ts'
import { renderMarkdown } from './markdown.ts'

const blocks: Block[] = [
  { kind: 'heading', text: 'Figures' },
  {
    kind: 'table',
    head: ['what', 'value'],
    rows: [
      [cell('echo'), cell('9 %', true)],
      [cell('form'), cell('0.9', false)],
    ],
  },
  { kind: 'names', title: 'maps & <old> *stories*', names: ['Mayfly', 'Kiln'] },
]

test('a figure shows whether it reached its aim, in both forms', () => {
  expect(renderMarkdown(blocks)).toContain('| echo | 9 % ✓ |\n| form | 0.9 ✗ |')
  expect(renderHtml('Report', blocks)).toContain('<td class="bad">0.9 ✗</td>')
})

test('what somebody wrote cannot become markup', () => {
  expect(renderHtml('Report', blocks)).toContain('maps &amp; &lt;old&gt;')
  expect(renderMarkdown(blocks)).toContain(String.raw`\<old\> \*stories\*`)
})

test('the page is self-contained', () => {
  expect(renderHtml('Report', blocks)).not.toMatch(/<script|<link|https?:/)
})
