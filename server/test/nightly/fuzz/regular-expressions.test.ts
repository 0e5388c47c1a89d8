/**
 * Every regular expression of the server, given 64 KiB of what it likes best: none may take more than 50 ms of CPU.
 *
 * Whoever reads a body decides what the expressions read. So all of them are tried, wherever they stand and whatever
 * they are meant for; where the text cannot be that long, the list below says what it is and how long it can be.
 *
 * An expression is attacked with what it matches: each part of a match is pumped up where it stands, which is how
 * backtracking is made to start over, and what follows then does not fit. Sizes grow step by step, so that what takes
 * exponential time is seen while it takes moments.
 */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const SOURCES = new URL('../../../src/', import.meta.url).pathname
const SIZES = [12, 16, 20, 24, 28, 32, 48, 256, 1_024, 4_096, 16_384, 65_536]
const LARGEST = 65_536
const DECISIVE = 4_096
const MAX_MS = 50
// What is linear reads 4 KiB in a twentieth of this; what is quadratic needs more than ten times as long.
const SUSPICIOUS_MS = 0.5
const MATCHES = 2
// A longer match has the same parts again.
const MAX_MATCH_LENGTH = 12

/** What reads nothing that comes from a caller. */
const OUR_OWN: readonly { folder: string; reads: string }[] = [
  { folder: 'platform/config/', reads: 'the settings of the operator' },
  { folder: 'platform/db/', reads: 'statements and migrations' },
  { folder: 'cli/', reads: 'the words of a command' },
]
/** Text that cannot be as long as that: `file`, the beginning of the expression, the longest there is and why. */
const SHORT: readonly { file: string; begins: string; most: number; why: string }[] = []

interface Found {
  readonly file: string
  readonly pattern: string
  readonly flags: string
}

interface Syntax {
  readonly type?: string
  readonly regex?: { readonly pattern: string; readonly flags: string }
  readonly key?: Syntax
  readonly name?: string
  readonly value?: unknown
}

const found = await findAll()

test('the expressions are really found, in code and in schemas', () => {
  const has = (file: string, begins: string) => found.some((one) => one.file === file && one.pattern.startsWith(begins))
  expect(has('http/auth.ts', '^Bearer +')).toBe(true)
  expect(has('http/wire/schemas.ts', '^(?!0000)')).toBe(true)
  expect(found.length).toBeGreaterThan(150)
})

test('an expression that backtracks is found out', () => {
  expect(slowest({ file: '', pattern: '^(a+)+$', flags: '' }, LARGEST)).toBeDefined()
  expect(slowest({ file: '', pattern: '\\s+$', flags: '' }, LARGEST)).toBeDefined()
  expect(slowest({ file: '', pattern: '^[a-z]+$', flags: '' }, LARGEST)).toBeUndefined()
})

test('no expression takes more than 50 ms for 64 KiB', { timeout: 300_000 }, () => {
  const slow = found.flatMap((one) => {
    const { most = LARGEST } =
      SHORT.find(({ file, begins }) => one.file === file && one.pattern.startsWith(begins)) ?? {}
    const worst = slowest(one, most)
    return worst === undefined ? [] : [`${one.file}: /${one.pattern}/${one.flags} takes ${worst}`]
  })
  expect(slow).toEqual([])
})

test('what is excused is there', () => {
  for (const { file, begins, why } of SHORT) {
    expect(
      found.some((one) => one.file === file && one.pattern.startsWith(begins)),
      `${file} ${begins}`,
    ).toBe(true)
    expect(why).not.toBe('')
  }
})

/** Undefined when it is quick with everything. */
function slowest({ pattern, flags }: Found, most: number): string | undefined {
  const expression = new RegExp(pattern, flags)
  for (const [before, pumped] of attacksOf(expression)) {
    for (const size of SIZES.filter((one) => one <= most)) {
      const text = `${before}${pumped.repeat(Math.ceil(size / pumped.length))}\u0000`
      let ms = cpuMsOf(expression, text)
      // Once more, because what else this process does is in it as well.
      if (ms > MAX_MS) ms = Math.min(ms, cpuMsOf(expression, text))
      if (ms > MAX_MS)
        return `${Math.round(ms)} ms for ${size} of ${JSON.stringify(pumped)} after ${JSON.stringify(before)}`
      if (size === DECISIVE && ms < SUSPICIOUS_MS) break
    }
  }
  return undefined
}

function cpuMsOf(expression: RegExp, text: string): number {
  const before = process.cpuUsage()
  if (expression.global) text.replaceAll(expression, '')
  else expression.exec(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function attacksOf(expression: RegExp): [before: string, pumped: string][] {
  const attacks = new Map<string, [string, string]>()
  const add = (before: string, pumped: string) => attacks.set(`${before} ${pumped}`, [before, pumped])
  for (const char of alphabetOf(expression.source)) add('', char)
  for (const match of matchesOf(expression)) {
    const chars = Array.from(match)
    for (let at = 0; at < chars.length; at++) {
      const before = chars.slice(0, at).join('')
      for (const length of [1, 2, 3])
        if (at + length <= chars.length) add(before, chars.slice(at, at + length).join(''))
    }
    if (chars.length > 3) add('', match)
  }
  return [...attacks.values()]
}

/** What stands in it, and one of each class. */
function alphabetOf(source: string): Set<string> {
  const literal = source.replaceAll(/\\[dDsSwWbBpPkux](?:\{[^}]*\})?/g, '').replaceAll(/[\\()[\]{}*+?|^$.]/g, '')
  return new Set([' ', '\t', '\n', 'a', 'A', '0', '-', '.', '/', '"', 'é', ...Array.from(literal)])
}

function matchesOf({ source, flags }: RegExp): string[] {
  // Control characters are not met by chance: whoever draws until one comes draws for hours.
  if (/\\[pP]\{/.test(source)) return []
  try {
    const known = new RegExp(
      source.replaceAll(/\(\?<?[=!][^)]*\)/g, ''),
      flags.includes('v') ? 'u' : flags.replace(/[giymd]/g, ''),
    )
    return fc.sample(fc.stringMatching(known, { maxLength: MAX_MATCH_LENGTH }), { numRuns: MATCHES, seed: 1 })
  } catch {
    // Something that cannot be made up; the alphabet has to do.
    return []
  }
}

async function findAll(): Promise<Found[]> {
  // The app's own builder reads TypeScript; nothing else here has a parser.
  const vite = createRequire(new URL('../../../../web/package.json', import.meta.url)).resolve('vite')
  const { parseAst } = (await import(vite)) as { parseAst: (code: string, options: { lang: 'ts' }) => unknown }
  const files = globSync('**/*.ts', { cwd: SOURCES }).filter((file) => !file.endsWith('.test.ts'))
  const callers = files.filter((file) => !OUR_OWN.some(({ folder }) => file.startsWith(folder)))
  const all = callers.toSorted().flatMap((file) => {
    const expressions: Found[] = []
    visit(parseAst(readFileSync(`${SOURCES}${file}`, 'utf8'), { lang: 'ts' }), ({ type, regex, key, value }) => {
      if (regex) expressions.push({ file, ...regex })
      const text = (value as Syntax | undefined)?.value
      if (type === 'Property' && key?.name === 'pattern' && typeof text === 'string')
        expressions.push({ file, pattern: text, flags: 'u' })
    })
    return expressions
  })
  return [...new Map(all.map((one) => [`${one.file} ${one.pattern} ${one.flags}`, one])).values()]
}

function visit(node: unknown, see: (node: Syntax) => void): void {
  if (typeof node !== 'object' || node === null || node instanceof RegExp) return
  see(node)
  for (const child of Object.values(node)) visit(child, see)
}
