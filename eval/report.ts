/** From an evaluation to a report: figures beside their aims, the makers beside each other, names for reading. */
import { AIMS, isReached, parityAim, type Aim } from './aims.ts'
import { NAMES_PER_ANSWER } from './answers.ts'
import { relevancesOf } from './measures/relevance.ts'
import { toJudged } from './maker.ts'
import { measureFamilies } from './families.ts'
import { listBrands, listOffensive, recurringIn, type Figures } from './figures.ts'
import type { Evaluation } from './names.ts'
import type { Asked } from './questions.ts'
import { cell, type Block, type Cell } from './render/blocks.ts'
import { marginOf, meanOf } from './statistics.ts'

interface Column {
  readonly key: keyof Figures
  readonly label: string
  readonly aim?: Aim
  readonly show: (value: number) => string
}

const ratio = (value: number) => value.toFixed(2)
const percent = (value: number) => `${(100 * value).toFixed(1)} %`
const whole = (value: number) => value.toFixed(0)

const COLUMNS: readonly Column[] = [
  { key: 'relevance', label: 'relevance', aim: AIMS.relevance, show: ratio },
  { key: 'specificity', label: 'specific', show: ratio },
  { key: 'echo', label: 'echo', aim: AIMS.echo, show: percent },
  { key: 'form', label: 'form AUC', aim: AIMS.form, show: ratio },
  { key: 'fluency', label: 'fluency', aim: AIMS.fluency, show: whole },
  { key: 'distinctness', label: 'distinct', show: percent },
  { key: 'overlap', label: 'most repeated', aim: AIMS.overlap, show: percent },
  { key: 'offensive', label: 'offensive', aim: AIMS.offensive, show: whole },
  { key: 'brands', label: 'brands', aim: AIMS.brands, show: whole },
]
const WORST_SHOWN = 20

export function makeReport(evaluation: Evaluation): Block[] {
  const { asked, ofGroup } = evaluation
  const isFull = asked.ours.length > 0
  return [
    ...(isFull ? [heading('The engine'), figuresTable(ofGroup, true), ...remarks(evaluation)] : []),
    ...(asked.companies.length > 0 ? [heading('Other makers, same descriptions'), makersTable(evaluation)] : []),
    ...(isFull ? [heading('By family'), familiesTable(evaluation)] : []),
    heading('Languages'),
    ...languages(evaluation),
    ...(isFull ? [heading('What turns up most often'), worstTable(evaluation)] : []),
    ...(asked.sample.length > 0 ? [heading('A fresh sample, for reading'), ...asked.sample.map(namesOf)] : []),
    ...(isFull ? [heading('The abstract descriptions'), ...asked.abstract.map(namesOf)] : []),
  ]
}

function figuresTable(rows: ReadonlyMap<string, Figures>, withAims: boolean): Block {
  const shown = ({ key, aim, show }: Column, figures: Figures): Cell => {
    const value = figures[key]
    if (Number.isNaN(value)) return cell('–')
    return withAims && aim !== undefined ? cell(show(value), isReached(value, aim)) : cell(show(value))
  }
  const aims = [cell('aim'), ...COLUMNS.map(({ aim, show }) => cell(aim === undefined ? '' : sayAim(aim, show)))]
  return {
    kind: 'table',
    head: ['', ...COLUMNS.map(({ label }) => label)],
    rows: [
      ...[...rows].map(([name, figures]) => [cell(name), ...COLUMNS.map((column) => shown(column, figures))]),
      ...(withAims ? [aims] : []),
    ],
  }
}

function sayAim({ least, most }: Aim, show: (value: number) => string): string {
  if (least !== undefined && most !== undefined) return `${show(least)} to ${show(most)}`
  return least === undefined ? `≤ ${show(most ?? 0)}` : `≥ ${show(least)}`
}

function remarks({ asked, yardstick }: Evaluation): Block[] {
  const all = unrelated(asked)
  const names = all.flatMap(({ read }) => read.names)
  const full = meanOf(all.map(({ read }) => (read.names.length >= NAMES_PER_ANSWER ? 1 : 0)))
  const free = meanOf(all.map(({ answer }) => answer.names.length / Math.max(1, lastRank(answer))))
  const offensive = listOffensive(names, yardstick)
  const brands = listBrands(names, yardstick)
  return [
    paragraph(
      `${percent(full)} of ${all.length} answers have all ten names; ${percent(free)} of what was proposed up to the last of them was free.`,
    ),
    ...sayMargin(asked.companies, yardstick),
    ...(offensive.length > 0 ? [paragraph(`Offensive: ${offensive.join(', ')}`)] : []),
    ...(brands.length > 0 ? [paragraph(`Brands: ${brands.join(', ')}`)] : []),
  ]
}

function sayMargin(asked: readonly Asked[], { scale, similarity }: Evaluation['yardstick']): Block[] {
  if (scale === undefined || asked.length < 2) return []
  const relevances = relevancesOf(
    asked.map(({ read }) => toJudged(read)),
    scale,
    similarity,
  )
  return [
    paragraph(
      `The relevance of the companies' answers is sure to ± ${ratio(marginOf(relevances))} (95 %); the step from a stranger's name to the own is ${scale.width.toFixed(3)} in raw similarity.`,
    ),
  ]
}

/** How far down the proposals the answer reaches. */
function lastRank({ names, proposals }: Asked['answer']): number {
  const last = names.at(-1)
  return last === undefined ? proposals.length : proposals.indexOf(last) + 1
}

function makersTable({ makers, ofGroup }: Evaluation): Block {
  const engine = ofGroup.get('companies')
  return figuresTable(new Map([...(engine === undefined ? [] : [['the engine', engine] as const]), ...makers]), false)
}

function familiesTable({ asked, yardstick }: Evaluation): Block {
  const families = measureFamilies(
    unrelated(asked).map(({ read }) => read),
    yardstick,
  )
  return {
    kind: 'table',
    head: ['family', 'share of names', 'relevance', 'echo'],
    rows: families.map(({ style, share, relevance, echo }) => [
      cell(style.replaceAll('_', ' ')),
      cell(percent(share)),
      cell(Number.isNaN(relevance) ? '–' : ratio(relevance)),
      cell(percent(echo)),
    ]),
  }
}

function languages({ parity, parallel }: Evaluation): Block[] {
  const count = parallel['en']?.length ?? 0
  return [
    paragraph(`${count} everyday descriptions as native speakers write them: relevance divided by that of English.`),
    {
      kind: 'table',
      head: ['language', 'parity', 'aim'],
      rows: [...parity].map(([language, value]) => {
        const aim = parityAim(language)
        return [cell(language), cell(ratio(value), isReached(value, aim)), cell(sayAim(aim, ratio))]
      }),
    },
  ]
}

function worstTable({ asked }: Evaluation): Block {
  return {
    kind: 'table',
    head: ['', 'what', 'in answers'],
    rows: recurringIn(unrelated(asked).map(({ read }) => read))
      .slice(0, WORST_SHOWN)
      .map(({ text, what, share }) => [cell(text), cell(what), cell(percent(share), isReached(share, AIMS.overlap))]),
  }
}

function unrelated({ companies, ours, abstract }: Evaluation['asked']): Asked[] {
  return [...companies, ...ours, ...abstract]
}

function namesOf({ text, read }: Asked): Block {
  return { kind: 'names', title: text, names: read.names.map(({ name }) => name) }
}

function heading(text: string): Block {
  return { kind: 'heading', text }
}

function paragraph(text: string): Block {
  return { kind: 'paragraph', text }
}
