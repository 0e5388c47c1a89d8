/** The shape of the files themselves: names that say something, no barrels, no silenced types, sizes one can read. */
import type { Violation } from '../violation.ts'
import type { Module } from './module.ts'
import { SOURCE } from './rows.ts'

const EMPTY_NAMES = new Set(
  'util utils helper helpers common misc type types manager managers service services base impl'.split(' '),
)
const KEBAB = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const SHORT = 80
const LONG = 250

export function checkShape(module: Module): Violation[] {
  const found = [...checkNames(module), ...checkCasts(module)]
  if (module.isBarrel) {
    found.push({ line: 1, rule: 'barrel', advice: 'delete this file and import from where things are made' })
  }
  if (module.lines > LONG && !module.startsWithHeader) {
    found.push({
      line: 1,
      rule: 'size',
      advice: `above ${LONG} lines: split it, or start with /** why it is one thing */`,
    })
  }
  return found.map((finding) => ({ file: `${SOURCE}/${module.path}`, ...finding }))
}

function checkNames({ path }: Module): Omit<Violation, 'file'>[] {
  return path
    .replace(/\.ts$/, '')
    .split('/')
    .filter((name) => !KEBAB.test(name) || EMPTY_NAMES.has(name) || EMPTY_NAMES.has(name.split('-').at(-1) ?? ''))
    .map((name) => ({
      line: 1,
      rule: 'name',
      advice: `"${name}": use kebab-case, the noun it owns or the verb it does`,
    }))
}

function checkCasts({ tokens, comments }: Module): Omit<Violation, 'file'>[] {
  const casts = tokens.filter((token, at) => {
    if (token.kind !== 'word' || token.text !== 'as') return false
    const [second, third] = [tokens[at + 1]?.text, tokens[at + 2]?.text]
    return second === 'any' || (second === 'unknown' && third === 'as')
  })
  const silenced = comments.filter(({ text }) => /@ts-(?:ignore|nocheck)\b/.test(text))
  return [...casts, ...silenced].map(({ line }) => ({
    line,
    rule: 'cast',
    advice: 'give the value its type by parsing or by a guard; never silence the checker',
  }))
}

/** Half of the files under 80 lines, nine of ten under 250. */
export function checkSizes(modules: readonly Module[]): Violation[] {
  const shares = [
    { limit: SHORT, share: 0.5 },
    { limit: LONG, share: 0.9 },
  ]
  return shares.flatMap(({ limit, share }) => {
    const under = modules.filter(({ lines }) => lines < limit).length
    if (under >= modules.length * share) return []
    const advice = `${under} of ${modules.length} files are under ${limit} lines, ${share * 100} % must be: split the longest`
    return [{ file: SOURCE, line: 1, rule: 'size', advice }]
  })
}
