/**
 * Every path that ARCHITECTURE.md sets in backticks exists, so that the map never shows a house that was torn down.
 *
 * A word counts as a path when it starts at one of our folders, or ends like one of our files or like a folder. Short
 * forms (`wire.ts`, `names/`) are true when some path ends that way; `*` and NNNN stand for anything within a name.
 */
import type { Violation } from '../violation.ts'
import type { Page } from './markdown.ts'

const FOLDERS = 'server docs scripts api bench eval data migrations deploy sdk web src test .ci'.split(' ')
const PATH = /^[\w.@*-]+(?:\/[\w.@*-]+)*\/?$/
const FILE_END = /\.(?:ts|md|sql)$/

export function checkNamedPaths(file: string, page: Page, paths: ReadonlySet<string>): Violation[] {
  return page.codeWords
    .filter(({ text }) => isPath(text) && !exists(text, paths))
    .map(({ text, line }) => ({ file, line, rule: 'path', advice: `\`${text}\` does not exist: correct the page` }))
}

function isPath(word: string): boolean {
  const [first = '', ...more] = word.split('/')
  return PATH.test(word) && ((more.length > 0 && FOLDERS.includes(first)) || FILE_END.test(word) || word.endsWith('/'))
}

function exists(word: string, paths: ReadonlySet<string>): boolean {
  const pattern = word
    .replace(/\/$/, '')
    .replaceAll('.', String.raw`\.`)
    .replace(/\*+|NNNN/g, '[^/]*')
  const ending = new RegExp(`(?:^|/)${pattern}$`)
  return [...paths].some((path) => ending.test(path))
}
