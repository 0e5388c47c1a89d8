/** What the manual's Markdown needs beyond VitePress: labels for cells, links to the repository, anchors as the forge makes them. */
import { matchesGlob, posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/** As GitHub does, so that an anchor is the same here and there, and `errors#invalid_token` keeps its underscore. */
export const slugOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** Gives each cell of a table the heading of its column, which a phone shows beside it. */
export function labelCells(md: MarkdownRenderer): void {
  md.core.ruler.push('label-cells', ({ tokens }) => {
    let heads: string[] = []
    let column = 0
    for (const [at, token] of tokens.entries()) {
      if (token.type === 'table_open') heads = []
      if (token.type === 'tr_open') column = 0
      if (token.type === 'th_open') heads.push(tokens[at + 1]?.content.replaceAll(/[`*_]/g, '') ?? '')
      if (token.type === 'td_open') token.attrSet('data-label', heads[column++] ?? '')
    }
  })
}

interface Outside {
  readonly repository: string
  /** Pages of docs/ that are not in the manual. */
  readonly excluded: readonly string[]
}

/** Sends links that lead out of the manual, such as `../example.env`, to the repository. */
export function linkToRepository(md: MarkdownRenderer, { repository, excluded }: Outside): void {
  md.core.ruler.push('link-to-repository', ({ tokens, env }) => {
    const { path } = env as { readonly path: string }
    const folder = posix.dirname(path.slice(path.lastIndexOf('/docs/') + '/docs/'.length))
    for (const link of tokens.flatMap(({ children }) => children ?? [])) {
      const to = link.type === 'link_open' ? link.attrGet('href') : null
      if (to === null || /^(?:[a-z]+:|#|\/)/i.test(to)) continue
      const file = posix.join('docs', folder, to)
      const inDocs = file.startsWith('docs/') ? file.slice('docs/'.length).replace(/#.*$/, '') : undefined
      const isPage = inDocs?.endsWith('.md') && !excluded.some((glob) => matchesGlob(inDocs, glob))
      if (!isPage) link.attrSet('href', `${repository}/blob/main/${file}`)
    }
  })
}

/** Vue would take `{{ }}` in a span of code as an expression. */
export function takeBracesLiterally(md: MarkdownRenderer): void {
  md.core.ruler.push('take-braces-literally', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'code_inline' && token.content.includes('{{')) token.attrSet('v-pre', '')
  })
}
