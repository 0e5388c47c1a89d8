/**
 * A Helm chart rendered without Helm: values over the chart's own, its templates, the functions that Helm and Sprig add and
 * the chart uses. `lookup` finds nothing, as in `helm template`. Objects come back parsed, in the order of their files.
 */
import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { isTrue, openTemplates } from './go-template.ts'
import type { Func } from './go-template.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of an object is what the test is about
export type KubernetesObject = any

export interface Rendered {
  readonly objects: readonly KubernetesObject[]
  readonly notes: string
  readonly values: Record<string, unknown>
}

export interface Release {
  readonly name?: string
  readonly values?: Record<string, unknown>
  /** What `lookup` finds, by name. */
  readonly found?: Readonly<Record<string, unknown>>
}

export function renderChart(folder: string, { name = 'namewright', values = {}, found = {} }: Release): Rendered {
  const read = (path: string) => readFileSync(`${folder}/${path}`, 'utf8')
  const chart = parse(read('Chart.yaml')) as Record<string, unknown>
  const merged = merge(parse(read('values.yaml')) as Record<string, unknown>, values)
  const files = globSync('templates/*', { cwd: folder }).toSorted()
  const dot = {
    Values: merged,
    Chart: Object.fromEntries(Object.entries(chart).map(([key, value]) => [capital(key), value])),
    Release: { Name: name, Namespace: 'names', Service: 'Helm' },
  }
  const lookup: Func = (_version, _kind, _namespace, wanted) => found[String(wanted)] ?? {}
  const templates = openTemplates(new Map(files.map((path) => [path, read(path)])), { ...FUNCTIONS, lookup })
  const objects = files
    .filter((path) => path.endsWith('.yaml'))
    .flatMap((path) => {
      const text = templates.render(path, dot)
      return parseAllDocuments(text, { uniqueKeys: true }).map((document) => {
        if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]?.message}\n${text}`)
        return document.toJS()
      })
    })
    .filter((one) => one !== null)
  return { objects, notes: templates.render('templates/NOTES.txt', dot), values: merged }
}

/** Maps are merged, everything else is replaced. */
function merge(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const under = merged[key]
    merged[key] = isMap(under) && isMap(value) ? merge(under, value) : value
  }
  return merged
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}

const indent = (spaces: unknown, text: unknown) =>
  String(text)
    .split('\n')
    .map((line) => `${' '.repeat(Number(spaces))}${line}`)
    .join('\n')

const FUNCTIONS: Readonly<Record<string, Func>> = {
  add: (...args) => args.reduce<number>((sum, arg) => sum + Number(arg), 0),
  b64dec: (text) => Buffer.from(String(text), 'base64').toString(),
  b64enc: (text) => Buffer.from(String(text)).toString('base64'),
  default: (preset, value) => (isTrue(value) ? value : preset),
  dict: (...args) => {
    const pairs = args.flatMap((arg, index) => (index % 2 === 0 ? [[String(arg), args[index + 1]] as const] : []))
    return Object.fromEntries(pairs)
  },
  fail: (reason) => {
    throw new Error(String(reason))
  },
  // The first that has a key wins.
  merge: (...maps) => Object.assign({}, ...maps.toReversed()) as object,
  nindent: (spaces, text) => `\n${indent(spaces, text)}`,
  quote: (value) => JSON.stringify(String(value)),
  randAlphaNum: (length) => 'x'.repeat(Number(length)),
  required: (reason, value) => {
    if (value === undefined || value === null || value === '') throw new Error(String(reason))
    return value
  },
  sha256sum: (text) => hash('sha256', String(text)),
  ternary: (yes, no, test) => (isTrue(test) ? yes : no),
  toYaml: (value) => stringify(value, { lineWidth: 0 }).trimEnd(),
  trimSuffix: (suffix, text) =>
    String(text).endsWith(String(suffix)) ? String(text).slice(0, -String(suffix).length) : String(text),
  trunc: (length, text) => String(text).slice(0, Number(length)),
}
