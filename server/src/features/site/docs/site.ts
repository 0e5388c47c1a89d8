/**
 * The manual as a site: every page of docs/ and a few beside it, read and rendered once, each with the common layout.
 *
 *   docs/README.md → outline → pages → HTML, Markdown, search, /llms.txt
 *
 * The pages are in the repository, and in an installed package beside `src`. Without them the reference and the errors,
 * which are generated from code, still exist. A page that cannot be rendered is shown as its source; a test makes sure
 * that there is none.
 */
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Language, Messages } from '../../../http/wire/language.ts'
import type { Document } from '../../../http/openapi.ts'
import { html, Html } from '../../../http/pages/html.ts'
import { createFrame } from './frame.ts'
import type { Frame } from './frame.ts'
import { parseBlocks } from './markdown/blocks.ts'
import { renderBlocks } from './markdown/render.ts'
import type { Rendered } from './markdown/render.ts'
import { CONTRACT, fileOf, FIRST, readOutline } from './outline.ts'
import type { Outline } from './outline.ts'
import { errorsInOwnWords } from './own-words.ts'
import { renderReference } from './reference.ts'
import { openSearch } from './search.ts'
import type { Search } from './search.ts'

export interface Site {
  readonly frame: Frame
  readonly search: Search
  readonly pages: ReadonlyMap<string, SitePage>
  /** The Markdown sources, by the path that ends with `.md`. */
  readonly sources: ReadonlyMap<string, string>
  /** The whole page, in HTML. The page of errors also has the messages in the reader's language. */
  draw(page: SitePage, language: Language, messages: Messages): string
  llms(publicUrl: string): string
  llmsFull(publicUrl: string): string
}

export interface SitePage extends Rendered {
  /** `/docs/api` */
  readonly path: string
  /** The path in the repository; '' for a page that is generated from code. */
  readonly file: string
  /** '' for a page that is generated from code. */
  readonly source: string
  readonly about: string
  /** Why the page could not be rendered. */
  readonly problem?: string
}

export const ERRORS_PATH = '/docs/errors'
const API_PATH = '/docs/api'
const REFERENCE_PATH = '/docs/reference'
const PACKAGE = new URL('../../../../', import.meta.url)

/** The folder that contains `docs/`: this package, or the repository that it is a part of. */
export function findRoot(start: URL = PACKAGE): URL | undefined {
  return [start, new URL('../', start)].find((root) => existsSync(new URL(FIRST, root)))
}

/** `docs/api.md` → `/docs/api`. Files outside docs/ are pages about the project. */
export function pathOf(file: string): string {
  if (file === FIRST) return '/docs'
  const bare = file.replace(/\.md$/, '')
  return file.startsWith('docs/') ? `/${bare}` : `/docs/project/${bare.toLowerCase()}`
}

export async function openSite(document: Document, root: URL | undefined = findRoot()): Promise<Site> {
  const sources = root === undefined ? new Map<string, string>() : await readSources(root)
  const outline = readOutline(parseOr(sources.get(FIRST) ?? ''))
  const isThere = (file: string) => file === CONTRACT || sources.has(file)
  const listed = outline.groups.flatMap(({ pages }) => pages).filter(({ file }) => isThere(file))
  const aboutOf = (file: string) => listed.find((one) => one.file === file)?.about ?? ''

  const written: SitePage[] = []
  for (const [file, source] of sources) {
    // One page at a time, so that other requests do not have to wait for the manual.
    await setImmediate()
    const rendered = render(file, source, (href) => resolveLink(file, href, sources))
    const about = file === FIRST ? outline.summary : aboutOf(file)
    written.push({ ...rendered, path: pathOf(file), file, source, about })
  }
  const reference: SitePage = {
    ...renderReference(document, new Set(written.find(({ path }) => path === API_PATH)?.headings.map(({ id }) => id))),
    path: REFERENCE_PATH,
    file: '',
    source: '',
    about: aboutOf(CONTRACT) || 'Every operation and every schema of the API.',
  }
  const errors = { title: 'Errors', content: html``, headings: [], passages: [], file: '', source: '', about: '' }
  const all: SitePage[] = [...written, reference]
  if (!all.some(({ path }) => path === ERRORS_PATH)) all.push({ ...errors, path: ERRORS_PATH })
  const pages = new Map(all.map((page) => [page.path, page]))

  const groups = groupsOf(outline, pages)
  const frame = createFrame({ groups })
  const search = await openSearch(
    [...pages.values()].flatMap(({ path, title, passages }) =>
      passages.map(({ id, heading, text }) => ({
        href: id === '' ? path : `${path}#${id}`,
        page: title,
        heading,
        text,
      })),
    ),
  )

  return {
    frame,
    search,
    pages,
    sources: new Map(all.filter(({ source }) => source !== '').map((page) => [markdownPathOf(page), page.source])),
    draw(page, language, messages) {
      const isForeign = page.path === ERRORS_PATH && (language !== 'en' || page.source === '')
      const content = isForeign ? html`${errorsInOwnWords(language, messages)} ${unanchored(page)}` : page.content
      const markdown = page.source === '' ? {} : { markdown: markdownPathOf(page) }
      return frame.draw({ ...page, content, ...markdown })
    },
    llms(publicUrl) {
      const sections = groups.flatMap(({ title, entries }, at) => {
        const isLast = at === groups.length - 1
        const lines = entries.map(({ path, title: name }) => {
          const page = pages.get(path)
          const address = path === REFERENCE_PATH ? '/openapi.json' : page ? markdownPathOf(page) : path
          return `- [${name}](${publicUrl}${address})${page?.about ? `: ${page.about}` : ''}`
        })
        // llmstxt.org: the section “Optional” may be skipped when a shorter context is needed.
        return entries.length === 0 || title === '' ? [] : [`## ${isLast ? 'Optional' : title}\n\n${lines.join('\n')}`]
      })
      const full = `The whole documentation in one file: ${publicUrl}/llms-full.txt`
      return `# Namewright\n\n> ${outline.summary}\n\n${full}\n\n${sections.join('\n\n')}\n`
    },
    llmsFull(publicUrl) {
      const order = groups.flatMap(({ entries }) => entries.flatMap(({ path }) => pages.get(path) ?? []))
      return order
        .filter(({ source }) => source !== '')
        .map((page) => `<!-- ${publicUrl}${markdownPathOf(page)} -->\n\n${page.source}`)
        .join('\n')
    },
  }
}

function markdownPathOf({ path, file }: Pick<SitePage, 'path' | 'file'>): string {
  return file === FIRST ? `/${FIRST}` : `${path}.md`
}

/** The listed pages, then those that are missing in the outline. */
function groupsOf(outline: Outline, pages: ReadonlyMap<string, SitePage>) {
  const entryOf = (file: string, title: string) => ({ title, path: file === CONTRACT ? REFERENCE_PATH : pathOf(file) })
  const groups = outline.groups.map(({ title, pages: listed }) => ({
    title,
    entries: listed.map(({ file, title: name }) => entryOf(file, name)).filter(({ path }) => pages.has(path)),
  }))
  const known = new Set(['/docs', ...groups.flatMap(({ entries }) => entries.map(({ path }) => path))])
  const others = [...pages.values()].filter(({ path }) => !known.has(path))
  const start = pages.has('/docs') ? [{ title: '', entries: [{ title: 'Start', path: '/docs' }] }] : []
  const more = others.map(({ title, path }) => ({ title, path }))
  return [...start, ...groups, ...(more.length > 0 ? [{ title: 'More', entries: more }] : [])]
}

async function readSources(root: URL): Promise<Map<string, string>> {
  const inDocs = await Array.fromAsync(glob('docs/**/*.md', { cwd: fileURLToPath(root) }))
  const files = inDocs.map((file) => file.replaceAll('\\', '/')).filter((file) => !file.startsWith('docs/decisions/'))
  const beside = ['CHANGELOG.md', 'SECURITY.md'].filter((file) => existsSync(new URL(file, root)))
  const read = async (file: string): Promise<[string, string]> => [file, await readFile(new URL(file, root), 'utf8')]
  return new Map(await Promise.all([...files, ...beside].toSorted().map(read)))
}

/** The target of a link on the site: a page, the contract, an external address, or none. */
function resolveLink(from: string, href: string, sources: ReadonlyMap<string, string>): string | undefined {
  if (/^(?:[a-z]+:|#)/i.test(href)) return href
  const file = posix.normalize(fileOf(from, href))
  if (file === CONTRACT) return from === FIRST ? REFERENCE_PATH : '/openapi.json'
  const anchor = href.includes('#') ? href.slice(href.indexOf('#')) : ''
  return sources.has(file) ? `${pathOf(file)}${anchor}` : undefined
}

function render(
  file: string,
  source: string,
  resolve: (href: string) => string | undefined,
): Rendered & { problem?: string } {
  try {
    return renderBlocks(parseBlocks(source), resolve)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const title = /^# (.+)$/m.exec(source)?.[1] ?? file
    const content = html`<pre tabindex="0">${source}</pre>`
    return {
      title,
      content,
      headings: [],
      passages: [{ id: '', heading: '', text: source }],
      problem: `${file} ${problem}`,
    }
  }
}

function parseOr(source: string) {
  try {
    return parseBlocks(source)
  } catch {
    return []
  }
}

/** Removes the anchors of the English table, because the translated messages use the same ones. */
function unanchored({ content }: SitePage) {
  return new Html(content.text.replace(/(<tr) id="[^"]*"/g, '$1'))
}
