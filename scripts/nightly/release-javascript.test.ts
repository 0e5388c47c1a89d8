/** The server's sources as JavaScript: what is renamed, what is left alone, and what stops a release. */
import { expect, test } from 'vitest'
import { toJavaScript } from '../release/javascript.ts'

const convert = (main: string) =>
  toJavaScript(
    new Map([
      ['src/main.ts', main],
      ['src/names/thread.ts', 'export const one: number = 1'],
    ]),
  ).get('src/main.js')

test('types go, lines stay, and every path to a source ends in .js', () => {
  const source = [
    "import type { One } from '../release/names/thread.ts'",
    "import { one } from '../release/names/thread.ts'",
    "export { one } from '../release/names/thread.ts'",
    "const later = await import('../release/names/thread.ts')",
    "const worker = new URL('names/thread.ts', import.meta.url)",
    'export const two = (one satisfies number) as number',
  ].join('\n')
  const code = convert(source) ?? ''
  expect(code.split('\n')).toHaveLength(6)
  expect(code).not.toMatch(/\.ts\b|satisfies|\bOne\b|as number/)
  expect(code.match(/thread\.js/g)).toHaveLength(4)
})

test('packages, data and messages are left alone', () => {
  const source = [
    "import fastify from 'fastify'",
    "const data = new URL('../data/rdap.json', import.meta.url)",
    "throw new Error('run node eval/run.ts')",
  ].join('\n')
  expect(convert(source)).toBe(source)
})

test('a path to a file that is not in the package stops the release', () => {
  expect(() => convert("import { one } from '../release/names/other.ts'")).toThrow('src/names/other.ts')
  expect(() => convert("new URL('thread.ts', import.meta.url)")).toThrow('src/thread.ts')
  expect(() => convert("await import('../test/world.ts')")).toThrow('test/world.ts')
})

test('syntax that has to be compiled, not stripped, stops the release', () => {
  expect(() => convert('enum Color { Red }')).toThrow(/not supported/)
})
