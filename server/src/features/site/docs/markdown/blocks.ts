/**
 * Parses a page into blocks: headings, paragraphs, lists, tables, code, quotes.
 *
 * Works line by line, and recursively inside a list or a quote. As strict as `inline.ts`, and for the same reason:
 * anything outside the subset is refused with its line.
 */
import { parseInline, UnsupportedMarkdown } from './inline.ts'
import type { Inline } from './inline.ts'

export type Block =
  | { readonly kind: 'heading'; readonly depth: number; readonly words: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly words: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly (readonly Block[])[] }
  | MarkdownTable

export interface MarkdownTable {
  readonly kind: 'table'
  readonly head: readonly Cell[]
  readonly rows: readonly (readonly Cell[])[]
}

export type Cell = readonly Inline[]

const FENCE = /^(`{3,})(.*)$/
const HEADING = /^(#{1,6})(?: +(.*))?$/
const ITEM = /^(-|(\d{1,3})\.) +(?=\S)/
const SEPARATOR = /^\|(?: *:?-+:? *\|)+$/
const BEGINS = /^(?:`{3,}|~{3,}|#{1,6} |> ?|\||- |1\. )/

/** What a line must not begin with, and what to write instead. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^ *\t/, 'tabs are not supported: use spaces'],
  [/^ {4,}/, 'indented code is not supported: use a fence'],
  [/^ /, 'a line begins at the margin, or as deep as the text of its list'],
  [/^~{3,}/, 'a fence is made of backticks'],
  [/^(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,}|=+)$/, 'rules and underlined headings are not supported: use # headings'],
  [/^[*+] /, 'a list is made with -'],
  [/^\d+\) /, 'a numbered list is made with 1.'],
  [/^\[[^\]]+\]:/, 'definitions of links are not supported: write [text](address)'],
  [/^#{5,} /, 'headings have four levels at most'],
  [/^#+[^#\s]/, 'a heading has a space after its #'],
]

export function parseBlocks(text: string): Block[] {
  return blocksOf(text.replace(/\r\n/g, '\n').replace(/\n$/, '').split('\n'), 1)
}

function blocksOf(lines: readonly string[], first: number): Block[] {
  const blocks: Block[] = []
  let at = 0
  const lineNo = () => first + at
  const refuse = (advice: string): never => {
    throw new UnsupportedMarkdown(lineNo(), advice)
  }

  function code(): Block {
    const [, fence = '', language = ''] = FENCE.exec(lines[at] ?? '') ?? []
    if (!/^[a-z0-9+-]*$/.test(language)) refuse('after a fence stands one word, the language')
    const end = lines.findIndex((line, index) => index > at && line.trimEnd() === fence)
    if (end === -1) refuse('a fence without its end')
    const inside = lines.slice(at + 1, end).join('\n')
    at = end + 1
    return { kind: 'code', language, text: inside }
  }

  function heading(): Block {
    const [, marks = '', words = ''] = HEADING.exec(lines[at] ?? '') ?? []
    if (words === '') refuse('a heading without words')
    const block: Block = { kind: 'heading', depth: marks.length, words: parseInline(words.trim(), lineNo()) }
    at += 1
    return block
  }

  function quote(): Block {
    const start = at
    while (lines[at]?.startsWith('>')) at += 1
    const inside = lines.slice(start, at).map((line) => line.replace(/^> ?/, ''))
    return { kind: 'quote', blocks: blocksOf(inside, first + start) }
  }

  function list(): Block {
    const isNumbered = ITEM.exec(lines[at] ?? '')?.[2] !== undefined
    const start = isNumbered ? Number(ITEM.exec(lines[at] ?? '')?.[2]) : undefined
    const items: Block[][] = []
    for (;;) {
      const marker = ITEM.exec(lines[at] ?? '')
      if (!marker || (marker[2] !== undefined) !== isNumbered) break
      const indent = ' '.repeat(marker[0].length)
      const from = at
      at += 1
      while (at < lines.length) {
        const line = lines[at] ?? ''
        const isInside = line.startsWith(indent)
        const isGap = line.trim() === '' && (lines[at + 1] ?? '').startsWith(indent)
        if (!isInside && !isGap) break
        at += 1
      }
      const own = lines.slice(from, at).map((line) => line.slice(indent.length))
      items.push(blocksOf([(lines[from] ?? '').slice(indent.length), ...own.slice(1)], first + from))
      const next = lines[at] ?? ''
      if (next.trim() !== '' && !ITEM.test(next)) refuse('an item goes on indented as deep as its text')
      // One empty line is allowed between items.
      if (next.trim() === '' && ITEM.test(lines[at + 1] ?? '')) at += 1
    }
    return { kind: 'list', start, items }
  }

  function table(): Block {
    const start = at
    while (lines[at]?.startsWith('|')) at += 1
    const [head = '', separator = '', ...rows] = lines.slice(start, at)
    if (!SEPARATOR.test(separator.trimEnd()))
      throw new UnsupportedMarkdown(first + start + 1, 'a table without its rule')
    const cells = cellsOf(head, first + start)
    const body = rows.map((row, index) => {
      const line = first + start + 2 + index
      const found = cellsOf(row, line)
      if (found.length === cells.length) return found
      throw new UnsupportedMarkdown(line, `${found.length} cells under ${cells.length} headings`)
    })
    return { kind: 'table', head: cells, rows: body }
  }

  function paragraph(): Block {
    const start = at
    do at += 1
    while (at < lines.length && (lines[at] ?? '').trim() !== '' && !BEGINS.test(lines[at] ?? '') && !isRefused())
    const words = lines.slice(start, at).map((line) => line.trimStart())
    if (words.some((line, index) => index < words.length - 1 && line.endsWith('  ')))
      refuse('line breaks are not supported: begin a new paragraph')
    return { kind: 'paragraph', words: parseInline(words.join('\n').trimEnd(), first + start) }
  }

  function isRefused(): boolean {
    return REFUSED.some(([pattern]) => pattern.test(lines[at] ?? ''))
  }

  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.trim() === '') {
      at += 1
      continue
    }
    for (const [pattern, advice] of REFUSED) if (pattern.test(line)) refuse(advice)
    if (FENCE.test(line)) blocks.push(code())
    else if (HEADING.test(line)) blocks.push(heading())
    else if (line.startsWith('>')) blocks.push(quote())
    else if (line.startsWith('|')) blocks.push(table())
    else if (ITEM.test(line)) blocks.push(list())
    else blocks.push(paragraph())
  }
  return blocks
}

function cellsOf(row: string, line: number): Cell[] {
  const trimmed = row.trimEnd()
  if (!/^\|.*\|$/.test(trimmed)) throw new UnsupportedMarkdown(line, 'a row begins and ends with |')
  return trimmed
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => parseInline(cell.trim().replaceAll('\\|', '|'), line))
}
