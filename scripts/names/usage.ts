/**
 * Makes `usage.txt`: how many of 10,000 descriptions mention each aspect.
 *
 *   node scripts/names/usage.ts --descriptions FILE
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readKnowledge } from '../../server/src/names/names.ts'
import { readMentions } from '../../server/src/names/understand/mentions.ts'
import { tokensOf } from '../../server/src/names/understand/tokens.ts'
import { FOLDER } from './sources.ts'

const { values } = parseArgs({ options: { descriptions: { type: 'string' } } })
if (values.descriptions === undefined)
  throw new Error('usage: node scripts/names/usage.ts --descriptions FILE (one a line)')
const descriptions = readFileSync(values.descriptions, 'utf8').split('\n').filter(Boolean)
const knowledge = await readKnowledge()
const counts = new Map<number, number>()
let words = 0
const missed = new Map<string, number>()
for (const text of descriptions) {
  const mentions = readMentions(knowledge, tokensOf(text), 'en')
  for (const aspect of new Set(mentions.flatMap(({ aspects }) => aspects)))
    counts.set(aspect, (counts.get(aspect) ?? 0) + 1)
  for (const { aspects, folded } of mentions) {
    // Weak words lead nowhere on purpose; a word that no dictionary has is somebody's name or a number.
    if (knowledge.patterns.weak.has(folded) || (aspects.length === 0 && knowledge.words.find(folded) < 0)) continue
    words++
    if (aspects.length === 0) missed.set(folded, (missed.get(folded) ?? 0) + 1)
  }
}
const rows = [...counts].map(
  ([aspect, count]) => [knowledge.aspects.head(aspect), Math.round((count / descriptions.length) * 10_000)] as const,
)
writeFileSync(
  new URL('usage.txt', FOLDER),
  `# How many of 10,000 descriptions mention an aspect, counted in ${descriptions.length.toLocaleString('en')}.\n${rows
    .filter(([, count]) => count > 0)
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([head, count]) => `${head} ${count}\n`)
    .join('')}`,
)
const covered = 1 - [...missed.values()].reduce((sum, count) => sum + count, 0) / words
console.log(
  `${(covered * 100).toFixed(2)} % of ${words} content words lead to an aspect; most missed: ${[...missed]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 60)
    .map(([word, count]) => `${word} ${count}`)
    .join(', ')}`,
)
