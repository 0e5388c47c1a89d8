/**
 * The rows of `web/src`: pages and what they are made of → `api` → `ui` → `i18n`, `preferences` → `store`. Imports point down only. What
 * the app knows of the service it knows through the SDK and `api/`, the one place that calls `fetch`.
 */
import { dirname, join } from 'node:path/posix'
import type { Violation } from '../violation.ts'

export const WEB_SOURCE = 'web/src'

const ROWS: readonly (readonly string[])[] = [
  ['main', 'prerender', 'routes'],
  [],
  ['api'],
  ['ui'],
  ['i18n', 'preferences'],
  ['store'],
]
const FEATURES = 1

export function checkWeb(files: ReadonlyMap<string, string>): Violation[] {
  return [...files].flatMap(([path, text]) => [
    ...findAll(text, /\bfrom '([^']+)'|\bimport\('([^']+)'\)/g).flatMap(({ found, line }) =>
      checkImport(path, found[1] ?? found[2] ?? '', line),
    ),
    ...(unitOf(path) === 'api' ? [] : findAll(text, /(?<![\w.'])fetch\(/g)).map(({ line }) => ({
      file: path,
      line,
      rule: 'reach',
      advice: 'only api/ calls fetch: ask through the SDK or askSettings',
    })),
  ])
}

function checkImport(path: string, specifier: string, line: number): Violation[] {
  const fail = (rule: string, advice: string): Violation[] => [{ file: path, line, rule, advice }]
  if (!specifier.startsWith('.')) return []
  const target = join(dirname(path), specifier)
  if (target.startsWith('web/messages/')) return []
  if (!target.startsWith(`${WEB_SOURCE}/`)) return fail('outside', `the app may not import ${target}: use 'namewright'`)
  if (rowOf(target) >= rowOf(path)) return []
  return fail('row', `${unitOf(path)} may not import ${unitOf(target)}: imports point down only`)
}

function rowOf(path: string): number {
  const row = ROWS.findIndex((units) => units.includes(unitOf(path)))
  return row === -1 ? FEATURES : row
}

/** The folder right below the source, or the file there. */
function unitOf(path: string): string {
  return (path.slice(WEB_SOURCE.length + 1).split('/')[0] ?? '').replace(/\.tsx?$/, '')
}

function findAll(text: string, shape: RegExp) {
  return [...text.matchAll(shape)].map((found) => ({ found, line: text.slice(0, found.index).split('\n').length }))
}
