/**
 * `pnpm build`, the part of the command: `command/src` → `command/dist`, with the engines that it runs by itself and without
 * a dependency, and the facts that they read → `command/data`.
 *
 * It is bundled because Node strips no types under `node_modules`. The facts of the service and the lists of the naming have
 * different file names, or are the same, so that one folder beside the code serves both.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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

export async function buildCommand(home: string): Promise<void> {
  const bundle = await rolldown({
    input: `${ROOT}/command/src/bin.ts`,
    platform: 'node',
    transform: { target: 'node22.19' },
    onLog(level, log, report) {
      // An import that is not found would only fail where it runs.
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message)
      report(level, log)
    },
  })
  rmSync(`${home}/dist`, { recursive: true, force: true })
  await bundle.write({ dir: `${home}/dist`, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' })
  await bundle.close()
  rmSync(`${home}/data`, { recursive: true, force: true })
  mkdirSync(`${home}/data`)
  for (const name of FACTS) cpSync(`${ROOT}/server/data/${name}`, `${home}/data/${name}`, { recursive: true })
  for (const name of readdirSync(LISTS)) {
    const isOther =
      FACTS.includes(name) && !readFileSync(`${LISTS}/${name}`).equals(readFileSync(`${home}/data/${name}`))
    if (isOther) throw new Error(`${name} is a file of the service and another one of the naming`)
    cpSync(`${LISTS}/${name}`, `${home}/data/${name}`, { recursive: true })
  }
}

if (import.meta.main) await buildCommand(`${ROOT}/command`)
