/** Blocks as Markdown, which is also what the terminal shows. */
import type { Block, Cell } from './blocks.ts'

export function renderMarkdown(blocks: readonly Block[]): string {
  return `${blocks.map(renderBlock).join('\n\n')}\n`
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `## ${block.text}`
    case 'paragraph':
      return escape(block.text)
    case 'table':
      return renderTable(block.head, block.rows)
    default:
      return `**${escape(block.title)}**\n\n${block.names.length === 0 ? 'no names' : block.names.map(escape).join(' · ')}`
  }
}

function renderTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows.map((row) => row.map(textOf))].map((line) => line.map(escape))
  const widths = head.map((_, at) => Math.max(3, ...lines.map((line) => widthOf(line[at] ?? ''))))
  const draw = (line: readonly string[]) =>
    `| ${widths.map((width, at) => (line[at] ?? '') + ' '.repeat(width - widthOf(line[at] ?? ''))).join(' | ')} |`
  const [first = [], ...rest] = lines
  return [draw(first), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest.map(draw)].join('\n')
}

function textOf({ text, reached }: Cell): string {
  if (reached === undefined) return text
  return `${text} ${reached ? '✓' : '✗'}`
}

function escape(text: string): string {
  return text.replaceAll(/[|*_<>`[\]\\#]/g, String.raw`\$&`)
}

function widthOf(text: string): number {
  return Array.from(text).length
}
