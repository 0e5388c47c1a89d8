/**
 * `node eval/taste/sheet.ts FIRST COUNT`: a sheet for marking, on standard output.
 *
 * For each description of the casebook, from FIRST on, names the engine could say to it, shuffled, so that the reader
 * does not know which family made a name nor how the judge rates it: most from the top of its list, some from
 * anywhere below, none that was marked for this description before. The reader answers with one line per description: its number and the numbers of the names they
 * would register.
 */
import { arrange } from '../../server/src/names/arrange.ts'
import type { Draft } from '../../server/src/names/families/draft.ts'
import { hashOf } from '../../server/src/names/hash.ts'
import type { Knowledge } from '../../server/src/names/knowledge/knowledge.ts'
import { isCoined } from '../../server/src/names/knowledge/kinds.ts'
import { readKnowledge } from '../../server/src/names/names.ts'
import { readCases } from './cases.ts'
import { draftsFor, labelOf, readMarks } from './pairs.ts'

const TOP = 36
const BELOW: readonly (readonly [(draft: Draft) => boolean, number])[] = [
  [(draft) => draft.family === 'written' && isCoined(draft.kind), 4],
  [(draft) => draft.family === 'written' && draft.apart, 2],
  [(draft) => draft.family === 'written' && !draft.apart && !isCoined(draft.kind), 2],
  [(draft) => draft.family === 'crossed', 3],
  [(draft) => !['written', 'crossed'].includes(draft.family), 1],
]

export function sheetFor(knowledge: Knowledge, description: string, marked: ReadonlySet<string>): string[] {
  const fresh = draftsFor(knowledge, description).filter(({ draft }) => !marked.has(draft.label))
  const rated = fresh.map(({ draft, features }) => ({
    draft,
    score: knowledge.judge.rate(features),
  }))
  const order = (draft: Draft) => hashOf(draft.label, hashOf(description))
  const top = arrange(rated, TOP).map(({ draft }) => draft)
  const rest = rated
    .map(({ draft }) => draft)
    .filter((draft) => !top.includes(draft))
    .toSorted((a, b) => order(a) - order(b))
  const below = BELOW.flatMap(([belongs, count]) => rest.filter(belongs).slice(0, count))
  return [...top, ...below].toSorted((a, b) => order(a) - order(b)).map(nameOf)
}

function nameOf({ parts, apart, label }: Draft): string {
  const words = apart ? parts : [label]
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
}

if (import.meta.main) {
  const knowledge = await readKnowledge()
  const [first, count] = process.argv.slice(2).map(Number)
  const marks = Map.groupBy(readMarks(), (mark) => mark.description)
  for (const [at, { description }] of readCases().entries()) {
    if (at < first! || at >= first! + count!) continue
    console.log(`## ${at} ${description}`)
    const marked = new Set(marks.get(description)?.flatMap(({ yes, no }) => [...yes, ...no].map(labelOf)))
    console.log(
      sheetFor(knowledge, description, marked)
        .map((name, place) => `${place + 1} ${name}`)
        .join(' · '),
    )
  }
}
