/** Blocks as one self-contained page, light or dark as the reader's system is. */
import type { Block, Cell } from './blocks.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1d1f24, #e6e7ea); --paper: light-dark(#fdfcfa, #16181c);
  --faint: light-dark(#5d6470, #9aa1ad); --line: light-dark(#dcdad4, #31353d);
  --good: light-dark(#17693a, #6fd49a); --bad: light-dark(#a4262c, #ff9b94); }
body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem } h2 { font-size: 1.2rem; margin-top: 2.4rem }
div { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { text-align: left; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
th { color: var(--faint); font-weight: 500 }
.good { color: var(--good) } .bad { color: var(--bad); font-weight: 600 }
h3 { font-size: 1rem; font-weight: 500; margin: 1.4rem 0 .3rem; color: var(--faint) }
ul { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem }
li { font-size: 1.05rem }`

export function renderHtml(title: string, blocks: readonly Block[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${STYLE}
</style>
</head>
<body>
<main>
<h1>${escape(title)}</h1>
${blocks.map(renderBlock).join('\n')}
</main>
</body>
</html>
`
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h2>${escape(block.text)}</h2>`
    case 'paragraph':
      return `<p>${escape(block.text)}</p>`
    case 'table':
      return `<div><table>
<thead><tr>${block.head.map((text) => `<th scope="col">${escape(text)}</th>`).join('')}</tr></thead>
<tbody>
${block.rows.map((row) => `<tr>${row.map(renderCell).join('')}</tr>`).join('\n')}
</tbody></table></div>`
    default:
      return `<h3>${escape(block.title)}</h3>
<ul>${block.names.map((name) => `<li>${escape(name)}</li>`).join('')}</ul>`
  }
}

function renderCell({ text, reached }: Cell): string {
  if (reached === undefined) return `<td>${escape(text)}</td>`
  return `<td class="${reached ? 'good' : 'bad'}">${escape(text)} ${reached ? '✓' : '✗'}</td>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
