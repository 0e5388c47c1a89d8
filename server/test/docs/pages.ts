/** The manual as tests see it: the text of a page, its fenced blocks, and the rows of its tables. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = new URL('../../../', import.meta.url)

export function readPage(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8')
}

/** README.md and every page of the manual; decisions are not a part of it. */
export function listPages(): string[] {
  const inDocs = globSync('docs/**/*.md', { cwd: fileURLToPath(ROOT) }).toSorted()
  return ['README.md', ...inDocs.filter((path) => !path.startsWith('docs/decisions/'))]
}

export function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}(?: \\[[^\\]]+\\])?\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  )
}

/** The cells of every table row whose first cell is one word in backticks, without the backticks of that word. */
export function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => /^\| `[^`]+` +\|/.test(line))
    .map((line) => line.slice(1, -1).split('|'))
    .map(([name = '', ...cells]) => [bare(name.trim()), ...cells.map((cell) => cell.trim())])
}

/** What follows a heading, up to the next one of the same depth. */
export function sectionOf(text: string, heading: string): string {
  const [, after = ''] = text.split(`\n${heading}\n`)
  const depth = heading.indexOf(' ')
  return after.split(new RegExp(`^#{1,${depth}} `, 'm'))[0] ?? ''
}

export function bare(cell: string): string {
  return cell.replace(/^`|`$/g, '')
}
