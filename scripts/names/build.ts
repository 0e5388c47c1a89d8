/**
 * Compiles `server/data/names/` into `server/build/names.bin`: `pnpm build`.
 *
 * The same sources always give the same bytes. A mistake in the sources stops the build with its file and line.
 * `--if-stale` does nothing when the file was made of exactly these sources.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { COMPILED } from '../../server/src/names/names.ts'
import { writePacked } from '../../server/src/names/knowledge/packed.ts'
import { compile } from './compile.ts'
import { FOLDER } from './sources.ts'

const STAMP = new URL('names.sha256', COMPILED)

const stamp = digest()
if (!process.argv.includes('--if-stale') || readStamp() !== stamp) {
  const started = performance.now()
  const bytes = writePacked(compile())
  mkdirSync(new URL('.', COMPILED), { recursive: true })
  writeFileSync(COMPILED, bytes)
  writeFileSync(STAMP, stamp)
  console.error(
    `names.bin: ${(bytes.length / 1e6).toFixed(1)} MB in ${((performance.now() - started) / 1000).toFixed(1)} s`,
  )
}

/** Of every file that has a say in the outcome: the sources, the build and the engine's counting of forms. */
function digest(): string {
  const hash = createHash('sha256').update(readFileSync(new URL('../brands.txt', FOLDER)))
  for (const folder of [FOLDER, new URL('./', import.meta.url), new URL('../../server/src/names/', import.meta.url)]) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => `${entry.parentPath}/${entry.name}`)
    for (const file of files.toSorted()) hash.update(file.slice(file.indexOf('names'))).update(readFileSync(file))
  }
  return hash.digest('hex')
}

function readStamp(): string {
  try {
    return readFileSync(STAMP, 'utf8')
  } catch {
    return ''
  }
}
