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
