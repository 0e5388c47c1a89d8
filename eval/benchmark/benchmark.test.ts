/** The public benchmark: made from the readings, described as it is, and scored only where the protocol was kept. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { makeBenchmark } from './build.ts'
import { parseLine, readReference, requireProtocol, sharesOfReader, tellBenchmark } from './score.ts'
import type { MarkedDescription, MarkedName } from './score.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const reference = readReference()
const [first] = reference
const page = read('docs/benchmark.md')

test('the data are what the readings say, without descriptions of companies', () => {
  const text = read('eval/benchmark/marked.jsonl')
  expect(text === makeBenchmark()).toBe(true)
  expect(text).not.toContain('sha256')
  expect(reference).toHaveLength(80)
  expect(() => requireProtocol(reference, reference)).not.toThrow()
})

test('the page has every figure of the reference, and no other', () => {
  const rows = ['C', 'D', 'E', 'F'].flatMap((reader) => {
    const shares = sharesOfReader(reference, reader)
    const plain = shares.find(({ maker }) => maker === 'plain') ?? { marked: 0, all: 1 }
    return shares.map(({ maker, marked, all }) => {
      const ratio = (marked / all / (plain.marked / plain.all)).toFixed(2)
      return [reader, `\`${maker}\``, `${marked} of ${all}`, ratio]
    })
  })
  const cells = page
    .split('\n')
    .filter((line) => /^\| [A-Z] +\|/.test(line))
    .map((line) => line.slice(1, -1).split('|'))
    .map((row) => row.map((cell) => cell.trim()))
  expect(cells).toEqual(rows)
})

test('the page shows the format with a name of the data', () => {
  const [, block = ''] = /^```json\n([^]*?)^```$/m.exec(page) ?? []
  const shown = parseLine(JSON.stringify(JSON.parse(block)))
  const whole = reference.find(({ id }) => id === shown.id)
  expect(whole?.description).toBe(shown.description)
  expect(whole?.names).toEqual(expect.arrayContaining([...shown.names]))
})

const name = (text: string, maker: string, marks: MarkedName['marks']): MarkedName => ({
  name: text,
  makers: [maker],
  marks,
})
const NAMES = [
  name('a', 'mine', { X: 1, Y: 1 }),
  name('b', 'plain', { X: 1, Y: 0 }),
  name('c', 'control', { X: 0, Y: 0 }),
]
const one = (change: Partial<MarkedDescription>): MarkedDescription[] => [
  { id: first?.id ?? '', description: first?.description ?? '', names: NAMES, ...change },
]

test('a reading by the protocol is scored by reader, as a ratio to the plain model', () => {
  const folder = mkdtempSync(`${tmpdir()}/namewright-benchmark-`)
  writeFileSync(
    `${folder}/reading.jsonl`,
    `${one({})
      .map((row) => JSON.stringify(row))
      .join('\n')}\n`,
  )
  const told = tellBenchmark(`${folder}/reading.jsonl`)
  rmSync(folder, { recursive: true })
  expect(told).toContain('1 of 80 descriptions')
  expect(told).toContain('reader X\n100.0 %  1 of 1  mine  ÷ plain 1.00')
  // Without a mark for the yardstick there is no ratio.
  expect(told).toContain('reader Y\n100.0 %  1 of 1  mine\n')
})

test.for<[problem: string, marked: MarkedDescription[]]>([
  ['not a description of the benchmark', one({ id: 'z99' })],
  ['not a description of the benchmark', one({ description: 'another project' })],
  ['has no control', one({ names: NAMES.slice(0, 2) })],
  ['fewer than two readers', one({ names: [name('a', 'control', { X: 0 })] })],
  ['names that a reader did not read', one({ names: [...NAMES, name('d', 'mine', { X: 1 })] })],
  ['is there twice', [...one({}), ...one({})]],
])('what misleads is refused: %s', ([problem, marked]) => {
  expect(() => requireProtocol(marked, reference)).toThrow(problem)
})

test.for(['{}', '7', 'null', '{"id":"f01","description":"x","names":[{"name":"a","makers":[],"marks":{"X":2}}]}'])(
  'the line %s is refused',
  (line) => {
    expect(() => parseLine(line)).toThrow()
  },
)
