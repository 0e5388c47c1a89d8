/**
 * `pnpm build`, the part of the command: `command/src` → `command/dist`, with the engines that it runs by itself and without
 * a dependency, and the facts that they read → `command/data`.
 *
 * It is bundled because Node strips no types under `node_modules`. One folder beside the code has the facts
 * of the service and the lists of the naming, whose file names differ.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { rolldown } from 'rolldown'

const ROOT = `${import.meta.dirname}/../..`
const LISTS = `${ROOT}/packages/names/data`
// Of the service's facts, what the engines of the command read.
const FACTS = [
  'country-suffixes.json',
  'currencies.json',
  'eligibility.json',
  'plain-words.txt',
  'presets.json',
  'rdap.json',
  'registrars.json',
  'reserved-names.json',
  'root-zone.json',
  'suffix-terms.jsonl',
  'suffix-traits.json',
  'suffixes.jsonl',
  'variants.json',
  'vercel-suffixes.json',
  'messages',
]

/** The licences of the packages in the bundle, which have to come along. */
function licencesOf(modules: Iterable<string>): string {
  const homes = [...modules].flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
  const texts = [...new Set(homes)].map((home) => {
    const { name, version } = JSON.parse(readFileSync(`${home}/package.json`, 'utf8')) as Record<string, string>
    const file = readdirSync(home).find((one) => /^licen[cs]e/i.test(one))
    if (file === undefined) throw new Error(`${name} has no licence`)
    return `${name} ${version}\n\n${readFileSync(`${home}/${file}`, 'utf8').trim()}\n`
  })
  return ['The program contains these packages.\n', ...texts.toSorted()].join(`\n${'-'.repeat(80)}\n\n`)
}

/** As much of rolldown's as is used. */
export interface ModuleGraph {
  getModuleIds(): Iterable<string>
  getModuleInfo(id: string): {
    readonly code: string | null
    readonly importedIds: readonly string[]
    readonly dynamicallyImportedIds: readonly string[]
  } | null
}

interface BuildOptions {
  /** Of the compression, which takes most of the time. */
  readonly quality?: number
  readonly onModules?: (graph: ModuleGraph) => void
}

export async function buildCommand(home: string, { quality = 10, onModules }: BuildOptions = {}): Promise<void> {
  const bundle = await rolldown({
    input: `${ROOT}/command/src/bin.ts`,
    platform: 'node',
    transform: { target: 'node22.19' },
    plugins: [
      {
        name: 'modules',
        buildEnd() {
          onModules?.(this)
        },
      },
    ],
    onLog(level, log, report) {
      // An import that is not found would only fail where it runs.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
      report(level, log)
    },
  })
  rmSync(`${home}/dist`, { recursive: true, force: true })
  const { output } = await bundle.write({
    dir: `${home}/dist`,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // Half of the size, and less to compile at each start.
    minify: true,
  })
  await bundle.close()
  const modules = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
  writeFileSync(`${home}/dist/LICENSES.txt`, licencesOf(modules))
  cpSync(`${ROOT}/command/src/known-domains.jsonl`, `${home}/dist/known-domains.jsonl`)
  rmSync(`${home}/data`, { recursive: true, force: true })
  mkdirSync(`${home}/data/languages`, { recursive: true })
  for (const name of FACTS) cpSync(`${ROOT}/server/data/${name}`, `${home}/data/${name}`, { recursive: true })
  for (const name of readdirSync(LISTS, { recursive: true, encoding: 'utf8' })) {
    if (FACTS.includes(name)) throw new Error(`${name} is a file of the service and another one of the naming`)
    // A quarter smaller than the archive alone would make them.
    if (!/\.(?:txt|json)$/.test(name)) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
    writeFileSync(`${home}/data/${name}.br`, brotliCompressSync(readFileSync(`${LISTS}/${name}`), { params }))
  }
}

if (import.meta.main) await buildCommand(`${ROOT}/command`)
