/** The manual for programs: each page as Markdown beside its HTML, `llms.txt` with a sentence a page, and all in one file. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DefaultTheme, SiteConfig } from 'vitepress'

/** The first sentence of a page: what a list says of it. */
export function descriptionOf(markdown: string): string {
  const [, text = ''] = /^#[^#\n]*\n+>?\s*([^\n#|`-][^]*?)(?:\n\n|$)/m.exec(markdown) ?? []
  const plain = text
    .replaceAll(/\s*\n>?\s*/g, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*_]/g, '')
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain
}

export function writeForPrograms(
  { outDir, srcDir, pages, rewrites }: SiteConfig,
  sidebar: DefaultTheme.SidebarItem[],
): void {
  const sources = new Map(
    pages.map((file) => [
      (rewrites.map[file] ?? file).replace(/\.md$/, ''),
      readFileSync(join(srcDir, file), 'utf8').replace(/^---\n[^]*?\n---\n+/, ''),
    ]),
  )
  for (const [path, source] of sources) {
    mkdirSync(dirname(join(outDir, path)), { recursive: true })
    writeFileSync(join(outDir, `${path}.md`), source)
  }
  const groups = sidebar.map(({ text = '', items = [] }) => {
    const lines = items.map(({ text: title = '', link = '' }) => {
      const path = link.slice(1)
      return `- [${title}](/docs/${path}.md): ${descriptionOf(sources.get(path) ?? '')}`
    })
    return `## ${text}\n\n${lines.join('\n')}\n`
  })
  const start = sources.get('index') ?? ''
  writeFileSync(join(outDir, 'llms.txt'), `# Namewright\n\n> ${descriptionOf(start)}\n\n${groups.join('\n')}`)
  const inOrder = ['index', ...sidebar.flatMap(({ items = [] }) => items.map(({ link = '' }) => link.slice(1)))]
  const all = inOrder.map((path) => `<!-- /docs/${path}.md -->\n\n${sources.get(path) ?? ''}`)
  writeFileSync(join(outDir, 'llms-full.txt'), all.join('\n'))
}
