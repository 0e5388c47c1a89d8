/**
 * Renders blocks to HTML, and collects what the site needs from a page: its headings and its searchable passages.
 *
 * Everything goes through the `html` template, so nothing that is written in a page can become markup. Headings get the
 * same anchors as on GitHub, so a link works in both places. A table row that begins with a single word in backticks (a
 * setting, an error code) gets that word as its anchor, if no other row of the page begins with it.
 */
import { html } from '../../../../http/pages/html.ts'
import type { Html } from '../../../../http/pages/html.ts'
import { tableOf } from '../table.ts'
import type { TableRow } from '../table.ts'
import type { Block, Cell, MarkdownTable } from './blocks.ts'
import { plainText } from './inline.ts'
import type { Inline } from './inline.ts'

export interface Heading {
  readonly depth: number
  readonly id: string
  readonly text: string
}

/** A place in a page that a search result can link to. */
export interface Passage {
  /** '' for the page itself. */
  readonly id: string
  readonly heading: string
  readonly text: string
}

export interface Rendered {
  readonly title: string
  /** Without the first heading. */
  readonly content: Html
  readonly headings: readonly Heading[]
  readonly passages: readonly Passage[]
}

/** The target of a link on the site; undefined when it points to a file that is not on the site. */
export type Resolve = (href: string) => string | undefined

const ROW_NAME = /^[\w.-]+$/

export function renderBlocks(blocks: readonly Block[], resolve: Resolve): Rendered {
  const headings: Heading[] = []
  const passages: { id: string; heading: string; said: string[] }[] = [{ id: '', heading: '', said: [] }]
  const rowIds = uniqueRowNames(blocks)

  function words(inlines: readonly Inline[]): Html {
    return html`${inlines.map(word)}`
  }

  function word(inline: Inline): Html {
    switch (inline.kind) {
      case 'text':
        return html`${inline.text}`
      case 'code':
        return html`<code>${inline.text}</code>`
      case 'strong':
        return html`<strong>${words(inline.inside)}</strong>`
      case 'em':
        return html`<em>${words(inline.inside)}</em>`
      default: {
        const href = resolve(inline.href)
        if (href !== undefined) return html`<a href="${href}">${words(inline.inside)}</a>`
        const path = inline.href.replace(/^(?:\.\.?\/)+/, '').replace(/#.*/, '')
        const isSaid = plainText(inline.inside).endsWith(path)
        return isSaid ? words(inline.inside) : html`${words(inline.inside)} (<code>${path}</code> in the source)`
      }
    }
  }

  function say(text: string): void {
    passages.at(-1)?.said.push(text)
  }

  function block(one: Block): Html {
    switch (one.kind) {
      case 'heading':
        return heading(one)
      case 'paragraph':
        say(plainText(one.words))
        return html`<p>${words(one.words)}</p> `
      case 'code': {
        say(one.text)
        const label = one.language === '' ? 'Example' : `Example, ${one.language}`
        return html`<div class="code">
          <pre tabindex="0" role="group" aria-label="${label}"><code>${one.text}</code></pre>
        </div> `
      }
      case 'quote':
        return html`<blockquote>${one.blocks.map(block)}</blockquote> `
      case 'list': {
        const items = one.items.map((item) => html`<li>${itemOf(item)}</li> `)
        if (one.start === undefined)
          return html`<ul>
            ${items}
          </ul> `
        return one.start === 1
          ? html`<ol>
              ${items}
            </ol> `
          : html`<ol start="${one.start}">
              ${items}
            </ol> `
      }
      default:
        return table(one)
    }
  }

  /** A single paragraph in an item is rendered without `<p>`. */
  function itemOf(item: readonly Block[]): Html {
    const [opening, ...more] = item
    if (opening?.kind !== 'paragraph') return html`${item.map(block)}`
    say(plainText(opening.words))
    return html`${words(opening.words)}${more.map(block)}`
  }

  function heading({ depth, words: inlines }: Extract<Block, { kind: 'heading' }>): Html {
    const text = plainText(inlines)
    const id = anchorOf(text, headings)
    headings.push({ depth, id, text })
    passages.push({ id, heading: text, said: [] })
    const link = html`<a class="anchor" href="#${id}" aria-label="Link to “${text}”">#</a>`
    const inside = html`${words(inlines)} ${link}`
    if (depth <= 2) return html`<h2 id="${id}">${inside}</h2> `
    return depth === 3 ? html`<h3 id="${id}">${inside}</h3> ` : html`<h4 id="${id}">${inside}</h4> `
  }

  function table({ head, rows }: MarkdownTable): Html {
    const about = headings.at(-1)?.text ?? 'this page'
    const columns = head.map((cell) => ({ words: words(cell), text: plainText(cell) }))
    return tableOf(about, columns, rows.map(rowOf))
  }

  function rowOf(row: readonly Cell[]): TableRow {
    const name = rowName(row)
    const cells = row.map(words)
    if (name === undefined || !rowIds.has(name)) {
      say(row.map(plainText).join(' · '))
      return { cells }
    }
    passages.splice(-1, 0, { id: name, heading: name, said: [row.slice(1).map(plainText).join(' · ')] })
    return { id: name, cells }
  }

  const [first, ...rest] = blocks
  if (first?.kind !== 'heading' || first.depth !== 1) throw new Error('a page begins with its title')
  if (rest.some((one) => one.kind === 'heading' && one.depth === 1)) throw new Error('a page has one title')
  const title = plainText(first.words)
  // The title has an anchor on GitHub, so its name must be reserved here, too.
  headings.push({ depth: 1, id: anchorOf(title, []), text: title })
  const content = html`${rest.map(block)}`
  const rendered = passages.map(({ id, heading: name, said }) => ({ id, heading: name, text: said.join(' ') }))
  return { title, content, headings, passages: rendered }
}

/** GitHub's rule: a number is appended when an earlier heading has the same anchor. */
function anchorOf(text: string, earlier: readonly Heading[]): string {
  const slug = slugOf(text)
  const repeats = earlier.filter((other) => slugOf(other.text) === slug).length
  return repeats === 0 ? slug : `${slug}-${repeats}`
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

function rowName(row: readonly Cell[]): string | undefined {
  const [only, more] = row[0] ?? []
  return only?.kind === 'code' && more === undefined && ROW_NAME.test(only.text) ? only.text : undefined
}

/** The row names that can be anchors: no other row and no heading has the same name. */
function uniqueRowNames(blocks: readonly Block[]): ReadonlySet<string> {
  const slugs = blocks.flatMap((block) => (block.kind === 'heading' ? [slugOf(plainText(block.words))] : []))
  const names = blocks.flatMap((block) =>
    block.kind === 'table' ? block.rows.flatMap((row) => rowName(row) ?? []) : [],
  )
  const isAlone = (name: string) => names.indexOf(name) === names.lastIndexOf(name) && !slugs.includes(name)
  return new Set(names.filter(isAlone))
}
