/** From a reader's marks and the secret key to shares: who made names that somebody would register, and of which family. */

export interface List {
  readonly maker: string
  readonly names: readonly string[]
  /** Of each name. */
  readonly families: readonly string[]
}

export interface Key {
  readonly seed: string
  readonly lists: (List & { readonly id: string; readonly letter: string })[]
}

const LINE = /^\s*(\d+)\s+([A-Z])\s*:\s*([\d\s,]*)$/

export function tally(key: Key, marks: string): string {
  const read = [...parseMarks(marks)].flatMap(([place, numbers]) => {
    const list = key.lists.find(({ id, letter }) => `${Number(id)} ${letter}` === place)
    if (list === undefined) throw new Error(`there is no list ${place} in the key of seed ${key.seed}`)
    return list.names.map((_, at) => ({
      maker: list.maker,
      family: `${list.maker}: ${list.families[at] ?? ''}`,
      isMarked: numbers.has(at + 1),
    }))
  })
  if (read.length === 0) throw new Error('no line of the form "07 B: 1 4 9" was found')
  return [...shares(read, ({ maker }) => maker), '', ...shares(read, ({ family }) => family)].join('\n')
}

/** "7 B" → the numbers marked there. */
export function parseMarks(text: string): Map<string, ReadonlySet<number>> {
  const marks = new Map<string, ReadonlySet<number>>()
  for (const line of text.split('\n')) {
    const [, id, letter, numbers = ''] = LINE.exec(line) ?? []
    if (id !== undefined) marks.set(`${Number(id)} ${letter}`, new Set(numbers.match(/\d+/g)?.map(Number)))
  }
  return marks
}

function shares<Mark extends { isMarked: boolean }>(marks: readonly Mark[], groupOf: (mark: Mark) => string): string[] {
  return Object.entries(Object.groupBy(marks, groupOf))
    .map(([group, all = []]) => ({ group, all: all.length, marked: all.filter(({ isMarked }) => isMarked).length }))
    .toSorted((a, b) => b.marked / b.all - a.marked / a.all)
    .map(
      ({ group, all, marked }) => `${((100 * marked) / all).toFixed(1).padStart(5)} %  ${marked} of ${all}  ${group}`,
    )
}
