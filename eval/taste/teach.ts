/**
 * `node eval/taste/teach.ts`: teaches the judge on the marked pairs and says how well it tells liked names from others.
 *
 * First five times with a fifth of the descriptions held out, for honest figures; then once on everything, for
 * `server/data/names/judge.json`.
 */
import { writeFileSync } from 'node:fs'
import { FEATURES } from '../../server/src/names/judge/judge.ts'
import { readKnowledge } from '../../server/src/names/names.ts'
import { readCases } from './cases.ts'
import type { Network } from './network.ts'
import { flatten, rate, teach } from './network.ts'
import type { Opinion } from './opinion.ts'
import { agreementOf, auc, aucWithin, bestOf } from './figures.ts'
import { learnOpinions, withOpinions } from './opinion.ts'
import type { Pair } from './pairs.ts'
import { pairsOf, readMarks, toldPairs } from './pairs.ts'

const FOLDS = 5
const TASTE = new URL('../../server/data/names/taste.txt', import.meta.url)
const JUDGE = new URL('../../server/data/names/judge.json', import.meta.url)

const knowledge = await readKnowledge()
const marks = readMarks()
const cases = readCases()
const pairs = pairsOf(knowledge, marks, cases)
const told = toldPairs(knowledge, cases)
const groups = new Set(pairs.map(({ group }) => group)).size
const share = (some: readonly { liked: boolean }[]) =>
  `${((100 * some.filter(({ liked }) => liked).length) / some.length).toFixed(1)} %`
console.log(`${pairs.length} pairs of ${groups} descriptions, ${share(pairs)} liked`)

const held = Array.from({ length: FOLDS }, (_, fold) => {
  const isHeld = ({ group }: Pair) => group % FOLDS === fold
  const seen = pairs.filter((pair) => !isHeld(pair))
  const opinions = learnOpinions(seen)
  const network = teach(
    [...withOpinions(seen, opinions, true), ...told.filter((pair) => !isHeld(pair))],
    FEATURES.length,
  )
  return withOpinions(pairs.filter(isHeld), opinions, false).map((pair) => ({
    ...pair,
    rating: rate(network, pair.features),
  }))
}).flat()
console.log(
  `held out: AUC ${auc(held).toFixed(3)}, within a description ${aucWithin(held).toFixed(3)}; liked among each description's best ten ${share(bestOf(held, 10))}, best five ${share(bestOf(held, 5))}`,
)
for (const family of FEATURES.filter((feature) => feature.startsWith('family.') || feature.startsWith('kind.'))) {
  const some = held.filter(({ features }) => features[FEATURES.indexOf(family)] === 1)
  if (some.length > 50)
    console.log(
      `  ${family.padEnd(16)} ${String(some.length).padStart(6)} pairs, ${share(some)} liked, AUC ${auc(some).toFixed(3)}`,
    )
}
console.log(`agreement of two readers: ${agreementOf(marks)}`)
const opinions = learnOpinions(pairs)
save(teach([...withOpinions(pairs, opinions, true), ...told], FEATURES.length))
saveTaste()

function save(network: Network): void {
  writeFileSync(JUDGE, `${JSON.stringify({ features: FEATURES, weights: flatten(network) })}\n`)
}

function saveTaste(): void {
  const lines = (what: string, opinion: Opinion) =>
    [...opinion.all()]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${what} ${key} ${value.toFixed(3)}\n`)
  writeFileSync(
    TASTE,
    `# What readers thought of an aspect's names and of single names, above or below the average.\n${[
      ...lines('aspect', opinions.aspects),
      ...lines('name', opinions.names),
    ].join('')}`,
  )
}
