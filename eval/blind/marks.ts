/**
 * From readers' marks and the key to shares: how many of a maker's names somebody would register.
 *
 * Marks are lines such as `e07: 1 4 9`: the numbers of the names of description e07 that the reader would consider
 * registering. `e07:` means none. A description without a line was not read. Marks of one reader compare only with
 * each other, so each reader has a row, and the ratio is to the plain model's share with the same reader.
 */
import { namesOn, type Key } from './sheet.ts'

/** By description: the numbers marked there. */
export type Marks = ReadonlyMap<string, ReadonlySet<number>>

const LINE = /^\W*([a-z]+\d+)\s*:\s*([\d\s,]*)$/

export function parseMarks(text: string): Map<string, ReadonlySet<number>> {
  const marks = new Map<string, ReadonlySet<number>>()
  for (const line of text.split('\n')) {
    const [, id, numbers = ''] = LINE.exec(line.trimEnd()) ?? []
    if (id !== undefined) marks.set(id, new Set(numbers.match(/\d+/g)?.map(Number)))
  }
  return marks
}

export interface Share {
  readonly maker: string
  readonly marked: number
  readonly all: number
}

export function sharesOf(key: Key, seed: string, marks: Marks): Share[] {
  const counts = new Map<string, { marked: number; all: number }>()
  for (const [id, numbers] of marks) {
    if (key[id] === undefined) throw new Error(`there is no description ${id} in the key`)
    for (const [at, label] of namesOn(key, id, seed).entries()) {
      for (const maker of key[id][label] ?? []) {
        const count = counts.get(maker) ?? { marked: 0, all: 0 }
        counts.set(maker, { marked: count.marked + (numbers.has(at + 1) ? 1 : 0), all: count.all + 1 })
      }
    }
  }
  return [...counts].map(([maker, count]) => ({ maker, ...count })).toSorted((a, b) => partOf(b) - partOf(a))
}

/** One line for each maker, with the ratio to `yardstick` where that was read. */
export function tellShares(reader: string, shares: readonly Share[], yardstick: string): string {
  const standard = shares.find(({ maker }) => maker === yardstick)
  const lines = shares.map((share) => {
    const ratio =
      standard && standard.marked > 0 ? `  ÷ ${yardstick} ${(partOf(share) / partOf(standard)).toFixed(2)}` : ''
    return `${(100 * partOf(share)).toFixed(1).padStart(5)} %  ${share.marked} of ${share.all}  ${share.maker}${ratio}`
  })
  return [`reader ${reader}`, ...lines].join('\n')
}

function partOf({ marked, all }: Share): number {
  return all === 0 ? 0 : marked / all
}

/** How many names every maker is asked for. One with fewer free ones gets no mark for the others. */
export const NAMES_PER_ANSWER = 10
const RESAMPLES = 2_000

/**
 * The marks of whole answers: of the names asked for, how many are free and marked, and the ratio to `yardstick`. The
 * interval holds 95 % of the ratios when descriptions are drawn again, with replacement.
 */
export function tellAnswers(key: Key, seed: string, marks: Marks, yardstick: string): string {
  const makers = new Set(Object.values(key).flatMap((names) => Object.values(names).flat()))
  const markedBy = (maker: string) =>
    [...marks].map(([id, numbers]) => {
      const isMarked = (name: string, at: number) => key[id]?.[name]?.includes(maker) && numbers.has(at + 1)
      return namesOn(key, id, seed).filter(isMarked).length
    })
  const standard = markedBy(yardstick)
  const lines = [...makers].map((maker) => {
    const marked = markedBy(maker)
    const every = [...marked.keys()]
    const ratio = (picks: readonly number[]) => sumAt(marked, picks) / sumAt(standard, picks)
    const drawn = Array.from({ length: RESAMPLES }, () =>
      ratio(every.map(() => Math.floor(Math.random() * every.length))),
    )
    const [low, high] = [0.025, 0.975].map((part) => drawn.toSorted((a, b) => a - b)[Math.floor(part * RESAMPLES)])
    const interval = `${low?.toFixed(2)} to ${high?.toFixed(2)}`
    return `${sumAt(marked, every)} of ${every.length * NAMES_PER_ANSWER}  ${maker}  ÷ ${yardstick} ${ratio(every).toFixed(2)} (${interval})`
  })
  return ['free and marked, of the names asked for', ...lines].join('\n')
}

function sumAt(numbers: readonly number[], picks: readonly number[]): number {
  return picks.reduce((sum, at) => sum + (numbers[at] ?? 0), 0)
}
