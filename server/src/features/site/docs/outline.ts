/**
 * The order of the site, read from its first page: `docs/README.md`.
 *
 * Its headings are the groups and its lists the pages, as `- [Title](page.md): what it is for`. The sidebar, previous
 * and next, and /llms.txt are made from the same lines. To add a page to the site, add one line where readers expect
 * it.
 */
import { posix } from 'node:path'
import type { Block } from './markdown/blocks.ts'
import { plainText } from './markdown/inline.ts'

export interface Outline {
  readonly title: string
  readonly summary: string
  readonly groups: readonly Group[]
}

export interface Group {
  readonly title: string
  readonly pages: readonly OutlineEntry[]
}

export interface OutlineEntry {
  readonly title: string
  readonly about: string
  /** From the root of the repository. */
  readonly file: string
}

export const FIRST = 'docs/README.md'
/** Listed like a page. On the site it is the reference, which is generated from it. */
export const CONTRACT = 'api/openapi.json'

export function readOutline(blocks: readonly Block[]): Outline {
  const groups: { title: string; pages: OutlineEntry[] }[] = []
  let summary = ''
  for (const block of blocks) {
    if (block.kind === 'heading') groups.push({ title: plainText(block.words), pages: [] })
    else if (block.kind === 'quote' && summary === '') summary = wordsOf(block.blocks)
    else if (block.kind === 'list') groups.at(-1)?.pages.push(...block.items.flatMap(listedIn))
  }
  const [first, ...rest] = groups
  return { title: first?.title ?? '', summary, groups: rest.filter(({ pages }) => pages.length > 0) }
}

function listedIn(item: readonly Block[]): OutlineEntry[] {
  const [first] = item
  const [link, ...rest] = first?.kind === 'paragraph' ? first.words : []
  if (link?.kind !== 'link' || /^[a-z]+:|^#/.test(link.href)) return []
  const about = plainText(rest).replaceAll('\n', ' ').replace(/^: /, '')
  return [{ title: plainText(link.inside), about, file: fileOf(FIRST, link.href) }]
}

/** The file that a link in another file points to, without its anchor. */
export function fileOf(from: string, href: string): string {
  const [path = ''] = href.split('#')
  return path === '' ? from : posix.join(posix.dirname(from), path)
}

function wordsOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap((one) => (one.kind === 'paragraph' ? [plainText(one.words).replaceAll('\n', ' ')] : []))
    .join(' ')
}
