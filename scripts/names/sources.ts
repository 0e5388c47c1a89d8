/**
 * The written knowledge of `server/data/names/`, read as it is written; every mistake in it is named by file and line.
 *
 * Only the build and the tools that check or extend the knowledge read these files; the engine reads what the build
 * makes of them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { KINDS } from '../../server/src/names/knowledge/kinds.ts'

export const FOLDER = new URL('../../server/data/names/', import.meta.url)

export interface Entry {
  /** As written: "brown envelope", "crop+clock", "placemint". */
  readonly text: string
  readonly kind: keyof typeof KINDS
  readonly image: string
  /** Among the few best of its aspect, by the choice of a strict reader. */
  readonly starred: boolean
}

export interface Aspect {
  readonly head: string
  readonly aliases: readonly string[]
  readonly entries: readonly Entry[]
  readonly where: string
}

const ENTRY = /^(\*?)([a-z]+(?:[ +][a-z]+)*)\/([wonprivsmxck])(?:=(.+))?$/
const ROW = /^([^:()]+?)(?: \(([^)]*)\))?: (.+)$/

export function readLines(root: URL, file: string): { text: string; where: string }[] {
  return readFileSync(new URL(file, root), 'utf8')
    .split('\n')
    .map((text, at) => ({ text, where: `${file}:${at + 1}` }))
    .filter(({ text }) => text.trim() !== '' && !text.startsWith('#'))
}

/** Every `.txt` of a folder, in order of their names. */
export function readFolder(root: URL, folder: string): { text: string; where: string; file: string }[] {
  return readdirSync(new URL(`${folder}/`, root))
    .filter((file) => file.endsWith('.txt'))
    .toSorted()
    .flatMap((file) => readLines(root, `${folder}/${file}`).map((line) => ({ ...line, file: file.slice(0, -4) })))
}

export function readAspects(root: URL): { aspects: Aspect[]; mistakes: string[] } {
  const mistakes: string[] = []
  const heads = new Map<string, string>()
  const aspects = readFolder(root, 'aspects').flatMap(({ text, where }) => {
    const row = ROW.exec(text)
    if (row === null) {
      mistakes.push(`${where}: write "aspect (other words): association/kind=image, …"`)
      return []
    }
    const [, head = '', aliases = '', rest = ''] = row
    const before = heads.get(head)
    if (before !== undefined) mistakes.push(`${where}: ${head} stands in ${before} already`)
    heads.set(head, where)
    return [{ head, aliases: listOf(aliases), entries: readEntries(rest, where, mistakes), where }]
  })
  return { aspects, mistakes }
}

function readEntries(text: string, where: string, mistakes: string[]): Entry[] {
  const seen = new Set<string>()
  return listOf(text).flatMap((part) => {
    const match = ENTRY.exec(part)
    if (match === null) mistakes.push(`${where}: "${part}" is not text/kind or text/kind=image`)
    if (match === null || seen.has(match[2]!)) return []
    seen.add(match[2]!)
    const [, star, name = '', kind = 'w', image = ''] = match
    return [{ text: name, kind: kind as keyof typeof KINDS, image, starred: star === '*' }]
  })
}

export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** The words a text is made of, where it shows them. */
export function wordsIn(text: string): string[] {
  return text.split(/[ +]/)
}
