/**
 * Which files belong to the first load: the start and everything that it imports, but not what it imports later
 * (`import()`). Texts and styles are divided along this line, so both follow the code: a part that becomes lazy takes its
 * texts and its styles with it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const IMPORT = /^(?:import|export)\s(?!type\s)(?:[^'"]*?\sfrom\s+)?['"](\.[^'"]+\.tsx?)['"]/gm

/** Absolute paths, of our own files only. */
export function firstFiles(start: string): readonly string[] {
  const found = new Set<string>()
  const waiting = [start]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file) || !existsSync(file)) continue
    found.add(file)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) waiting.push(join(dirname(file), path))
  }
  return [...found].toSorted()
}
