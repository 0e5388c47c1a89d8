/**
 * `pnpm measure`: what a reader of this repository has to carry, as a table of its tracked files. `pnpm measure tools`:
 * what the list of tools costs an agent, in tokens. `pnpm measure request [--files]`: the files that a request goes
 * through.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { filesOfAll, findRequestFiles } from './request-files.ts'
import { shownTool } from '../server/src/http/mcp/tool.ts'
import { FEATURES } from '../server/src/app.ts'
import { tokensOf } from './tokens.ts'

const ROOT = new URL('..', import.meta.url).pathname

const isCode = (path: string) => /\.(?:ts|tsx|js|mjs|css)$/.test(path)
const isTest = (path: string) => /(?:^|\/)test\/|\.test\.tsx?$|^bench\/|\/nightly\//.test(path)
const isUnder = (folder: string) => (path: string) => path.startsWith(`${folder}/`)

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)
const linesOf = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8').split('\n').length - 1
const linesIn = (paths: readonly string[]) => paths.reduce((sum, path) => sum + linesOf(path), 0)

function rowOf(name: string, fits: (path: string) => boolean): string[] {
  const paths = tracked.filter((path) => isCode(path) && fits(path))
  return [name, format(paths.length), format(linesIn(paths))]
}

const format = (count: number) => count.toLocaleString('en')
const isSourceOf = (folder: string) => (path: string) => isUnder(folder)(path) && !isTest(path)

function repositoryTable(): string[][] {
  const data = tracked.filter(isUnder('packages/names/data'))
  const bytes = data.reduce((sum, path) => sum + readFileSync(`${ROOT}${path}`).length, 0)
  return [
    ['', 'files', 'lines'],
    ['tracked', format(tracked.length), ''],
    rowOf('packages/names', isSourceOf('packages/names/src')),
    rowOf('packages/zone-index', isSourceOf('packages/zone-index/src')),
    rowOf('server/src', isSourceOf('server/src')),
    rowOf('web/src', isSourceOf('web/src')),
    rowOf('sdk/src', isSourceOf('sdk/src')),
    rowOf('tests and benchmarks', isTest),
    rowOf('scripts', isSourceOf('scripts')),
    rowOf('eval', isSourceOf('eval')),
    ['docs', format(tracked.filter(isUnder('docs')).length), format(linesIn(tracked.filter(isUnder('docs'))))],
    ['naming data', format(data.length), `${(bytes / 1e6).toFixed(1)} MB`],
  ]
}

function toolsTable(): string[][] {
  const tools = FEATURES.flatMap((feature) => feature.tools ?? [])
  return [
    ['tool', 'bytes', 'tokens'],
    ...tools.map((tool) => [tool.name, ...costOf(shownTool(tool))]),
    ['the list', ...costOf({ tools: tools.map(shownTool) })],
  ]
}

function costOf(value: object): string[] {
  return [format(Buffer.byteLength(JSON.stringify(value))), format(tokensOf(value))]
}

async function requestTable(): Promise<string[][]> {
  const files = await findRequestFiles(3)
  const inAll = filesOfAll(files)
  const rows = new Map([...files, ['all of them', inAll]])
  const named = (paths: readonly string[], of: string) =>
    process.argv.includes('--files') ? paths.filter((path) => of === 'all of them' || !inAll.includes(path)) : []
  return [
    ['request', 'files'],
    ...rows
      .entries()
      .flatMap(([of, paths]) => [[of, format(paths.length)], ...named(paths, of).map((path) => [`  ${path}`])]),
  ]
}

const tables: Readonly<Record<string, () => string[][] | Promise<string[][]>>> = {
  request: requestTable,
  tools: toolsTable,
}
const table = await (tables[process.argv[2] ?? ''] ?? repositoryTable)()
for (const [name = '', first = '', second = ''] of table)
  console.log(`${name.padEnd(26)}${first.padStart(8)}${second.padStart(10)}`.trimEnd())
