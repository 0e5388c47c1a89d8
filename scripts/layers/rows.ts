/**
 * The rows of `server/src`, and the rule that imports only point down.
 *
 * A *unit* is a file or folder directly in `src`; every unit belongs to one row. Inside a unit files import each other
 * freely. Between units an import must go to a lower row; units of the same row do not know each other, except in the
 * lowest row, where only cycles are forbidden. This is the whole law; the table below is the only place to change it.
 */
import { posix } from 'node:path'
import type { Violation } from '../violation.ts'
import type { Import, Module } from './module.ts'

export const SOURCE = 'server/src'

const ROWS = ['entry', 'door', 'wire', 'context', 'flow', 'capability', 'base'] as const
type Row = (typeof ROWS)[number]

/** Units whose row their name gives; any other file is a flow, any other folder a capability. */
const NAMED: ReadonlyMap<string, Row> = new Map<string, Row>([
  ['main', 'entry'],
  ['http', 'door'],
  ['admin', 'door'],
  ['worker', 'door'],
  ['wire', 'wire'],
  ['context', 'context'],
  ['model', 'base'],
  ['errors', 'base'],
  ['config', 'base'],
  ['log', 'base'],
  ['metrics', 'base'],
  ['tracing', 'base'],
  ['outbound', 'base'],
  ['db', 'base'],
  ['cache', 'base'],
])

export function unitOf(path: string): string {
  return (path.split('/')[0] ?? '').replace(/\.ts$/, '')
}

export function rowOf(path: string): Row {
  return NAMED.get(unitOf(path)) ?? (path.includes('/') ? 'capability' : 'flow')
}

/** Where a relative specifier leads, from `server/src/`; undefined for packages and for what lies outside. */
export function findTarget(from: string, specifier: string | undefined): string | undefined {
  if (specifier === undefined || !specifier.startsWith('.')) return undefined
  const path = posix.join(posix.dirname(from), specifier)
  return path.startsWith('..') ? undefined : path
}

export function checkRows(module: Module): Violation[] {
  return module.imports.flatMap((entry) => {
    const found = judge(module.path, entry)
    return found === undefined ? [] : [{ file: `${SOURCE}/${module.path}`, line: entry.line, ...found }]
  })
}

function judge(from: string, { specifier }: Import): Pick<Violation, 'rule' | 'advice'> | undefined {
  const unit = unitOf(from)
  if (specifier === undefined)
    return { rule: 'rows', advice: 'give import() one literal path, so that it can be checked' }
  if (unit === 'errors') return { rule: 'base', advice: `errors.ts imports nothing; move what needs ${specifier} out` }
  const target = findTarget(from, specifier)
  if (target === undefined) return judgeOutside(unit, specifier)
  const [fromRow, toRow] = [rowOf(from), rowOf(target)]
  if (unit === unitOf(target)) return undefined
  if (unit === 'model')
    return { rule: 'base', advice: `model/ imports only model/; move what needs ${target} up a row` }
  if (fromRow === toRow && fromRow !== 'base') {
    return {
      rule: 'siblings',
      advice: `${unit} and ${unitOf(target)} are both of the row "${fromRow}": let a higher row join them, or move the shared noun to model/`,
    }
  }
  if (ROWS.indexOf(fromRow) > ROWS.indexOf(toRow)) {
    return {
      rule: 'rows',
      advice: `imports point down, but ${target} (${toRow}) lies above this ${fromRow}: take it as an argument instead`,
    }
  }
  return undefined
}

function judgeOutside(unit: string, specifier: string): Pick<Violation, 'rule' | 'advice'> | undefined {
  const isOurs = specifier.startsWith('#') || specifier.startsWith('@namewright/')
  if (isOurs || (specifier.startsWith('.') && !specifier.endsWith('.json'))) {
    return { rule: 'rows', advice: `${SOURCE} imports only its own files, by relative path, and packages` }
  }
  if (unit === 'model' && !specifier.startsWith('node:')) {
    return { rule: 'base', advice: `model/ knows no packages; keep ${specifier} out of it` }
  }
  return undefined
}
