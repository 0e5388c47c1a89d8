/**
 * A Markdown page as the checks see it: its links, its anchors, the words it sets in backticks.
 *
 * Line by line and by pattern, because that is all our pages need; fenced code holds no links, and neither do words in
 * backticks. Anchors follow GitHub's rule for headings, since that is where the pages are read.
 */
export interface Page {
  readonly links: readonly Mention[]
  readonly codeWords: readonly Mention[]
  readonly anchors: ReadonlySet<string>
  /** The first heading without its `#`, or ''. */
  readonly title: string
  readonly lines: readonly string[]
}

export interface Mention {
  readonly text: string
  readonly line: number
}

const FENCE = /^\s*(`{3,}|~{3,})/
const CODE = /(`+)(.+?)\1/g
const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/g
const DEFINITION = /^\s*\[[^\]]+\]:\s+<?([^\s>]+)/g
const ATTRIBUTE = /\s(?:href|src)="([^"]+)"/g
const NAMED_ANCHOR = /<a\s[^>]*(?:id|name)="([^"]+)"/g
const HEADING = /^#{1,6}\s+(.+?)\s*#*$/

export function readPage(text: string): Page {
  const lines = text.replace(/\n$/, '').split('\n')
  const links: Mention[] = []
  const codeWords: Mention[] = []
  const anchors = new Set<string>()
  const headings: string[] = []
  let fence = ''
  for (const [index, written] of lines.entries()) {
    const mark = FENCE.exec(written)?.[1] ?? ''
    if (fence !== '' || mark !== '') {
      // A fence ends with at least as many of the same mark as it began with.
      if (fence === '') fence = mark
      else if (mark.startsWith(fence)) fence = ''
      continue
    }
    const line = index + 1
    for (const [, , word] of written.matchAll(CODE)) codeWords.push({ text: word?.trim() ?? '', line })
    const prose = written.replace(CODE, '')
    for (const pattern of [LINK, DEFINITION, ATTRIBUTE]) {
      for (const [, target] of prose.matchAll(pattern)) links.push({ text: target ?? '', line })
    }
    for (const [, name] of prose.matchAll(NAMED_ANCHOR)) anchors.add(name ?? '')
    const heading = HEADING.exec(written)?.[1]
    if (heading !== undefined) {
      anchors.add(anchorOf(heading, headings))
      headings.push(heading)
    }
  }
  return { links, codeWords, anchors, title: headings[0] ?? '', lines }
}

function anchorOf(heading: string, earlier: readonly string[]): string {
  const slug = slugOf(heading)
  const repeats = earlier.filter((other) => slugOf(other) === slug).length
  return repeats === 0 ? slug : `${slug}-${repeats}`
}

function slugOf(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}
