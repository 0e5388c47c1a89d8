/**
 * Makes `repeats.txt`: in how many of 10,000 answers a name would stand if it did not take turns. Of several files of
 * descriptions, such as of companies and of everyday projects, the one where it stands most often counts.
 *
 *   node scripts/names/repeats.ts --descriptions FILE [--descriptions FILE]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readKnowledge } from '../../server/src/names/names.ts'
import { plainNameRequest } from '../../server/src/names/plain-name-request.ts'
import { propose } from '../../server/src/names/propose.ts'
import { FOLDER } from './sources.ts'

const SHOWN = 20
const PASSES = 3
// Of 10,000 answers: what is written down, and what is still too often when the others take turns.
const LEAST = 20
const TOO_OFTEN = 60

const { values } = parseArgs({ options: { descriptions: { type: 'string', multiple: true } } })
if (values.descriptions === undefined)
  throw new Error('usage: node scripts/names/repeats.ts --descriptions FILE (one a line)')
const files = values.descriptions.map((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean))
const known = await readKnowledge()

const shares = countShares(new Map())
for (let pass = 1; pass < PASSES; pass++) {
  // What takes the place of the names that wait for their turn may come too often as well.
  for (const [label, count] of countShares(shares)) {
    if (count > TOO_OFTEN) shares.set(label, Math.round(((shares.get(label) ?? LEAST) * count) / LEAST))
  }
}
const rows = [...shares].filter(([, count]) => count >= LEAST)
const answers = files.flat().length.toLocaleString('en')
writeFileSync(
  new URL('repeats.txt', FOLDER),
  `# In how many of 10,000 answers a name would stand if it did not take turns, counted in ${answers}.\n${rows
    .toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([label, count]) => `${label} ${count}\n`)
    .join('')}`,
)

/** In how many of 10,000 answers each name stands, in the file where it stands most often. */
function countShares(turns: ReadonlyMap<string, number>): Map<string, number> {
  const repeats = new Map([...turns].map(([label, count]) => [label, count / 10_000]))
  const knowledge = { ...known, patterns: { ...known.patterns, repeats } }
  const most = new Map<string, number>()
  for (const descriptions of files) {
    const counts = new Map<string, number>()
    for (const description of descriptions) {
      for (const { label } of propose(knowledge, plainNameRequest(description), SHOWN))
        counts.set(label, (counts.get(label) ?? 0) + 1)
    }
    for (const [label, count] of counts) {
      const share = Math.round((count / descriptions.length) * 10_000)
      most.set(label, Math.max(most.get(label) ?? 0, share))
    }
  }
  return most
}
