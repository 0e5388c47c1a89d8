/**
 * The rows of `server/src`, and the rule that imports only point down.
 *
 * A *unit* is a file or folder directly in `src`, or, in a group (`flows/`, `tenancy/`, `platform/` …), a file or folder
 * directly in the group. Every unit belongs to one row. Inside a unit files import each other freely. Between units an
 * import must go to a lower row; units of the same row never import each other, except in the lowest row, where only
 * cycles are forbidden. This is the whole law; the tables below are the only place to change it.
 */
import { posix } from 'node:path'
import type { Violation } from '../violation.ts'
import type { Import, Module } from './module.ts'

export const SOURCE = 'server/src'

const ROWS = ['main', 'interface', 'wire', 'context', 'flow', 'capability', 'platform'] as const
type Row = (typeof ROWS)[number]

/** Folders whose files and folders are units of their own, with the row of all of them. */
const GROUPS: ReadonlyMap<string, Row> = new Map<string, Row>([
  ['flows', 'flow'],
  ['tenancy', 'capability'],
  ['identity', 'capability'],
  ['library', 'capability'],
  ['automation', 'capability'],
  ['platform', 'platform'],
])

/** Folders of `cli/` that do the work of a command: capabilities, while the commands themselves are one interface. */
const COMMAND_CAPABILITIES: ReadonlySet<string> = new Set(['cli/backup', 'cli/demo', 'cli/doctor'])

/** Units whose row their name gives; any other unit outside a group is a capability. */
const NAMED: ReadonlyMap<string, Row> = new Map<string, Row>([
  ['main', 'main'],
  ['http', 'interface'],
  ['cli', 'interface'],
  ['worker', 'interface'],
  ['wire', 'wire'],
  ['context', 'context'],
  ['model', 'platform'],
  ['errors', 'platform'],
])

export function unitOf(path: string): string {
  const [top = '', second = ''] = path.replace(/\.ts$/, '').split('/')
  const inner = `${top}/${second}`
  const isFolder = path.split('/').length > 2
  return GROUPS.has(top) || (isFolder && COMMAND_CAPABILITIES.has(inner)) ? inner : top
}

export function rowOf(path: string): Row {
  return GROUPS.get(path.split('/')[0] ?? '') ?? NAMED.get(unitOf(path)) ?? 'capability'
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
  if (unit === 'errors')
    return { rule: 'platform', advice: `errors.ts imports nothing; move what needs ${specifier} out` }
  const target = findTarget(from, specifier)
  if (target === undefined) return judgeOutside(unit, specifier)
  const [fromRow, toRow] = [rowOf(from), rowOf(target)]
  if (unit === unitOf(target)) return undefined
  if (unit === 'model')
    return { rule: 'platform', advice: `model/ imports only model/; move what needs ${target} up a row` }
  if (fromRow === toRow && fromRow !== 'platform') {
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
    return { rule: 'platform', advice: `model/ knows no packages; keep ${specifier} out of it` }
  }
  return undefined
}
