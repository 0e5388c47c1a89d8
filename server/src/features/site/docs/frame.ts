/**
 * The layout of every page of the manual: search on top, the pages on one side, the headings on the other.
 *
 * The style and the one script are inline and allowed by their hashes. Nothing is loaded, and injected scripts or
 * styles do not run. Without the script every page can be read, and searched by the form. On a narrow screen the two
 * outer columns are popovers, which the browser opens, closes and makes accessible to the keyboard.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, Html } from '../../../http/pages/html.ts'
import type { Heading } from './markdown/render.ts'

export interface Sheet {
  /** Also used as the heading. */
  readonly title: string
  readonly about?: string
  readonly content: Html
  readonly headings?: readonly Heading[]
  /** The path of this page, if it has one. */
  readonly path?: string
  readonly markdown?: string
  readonly typed?: string
}

export interface NavigationEntry {
  readonly title: string
  readonly path: string
}

export interface Menu {
  readonly groups: readonly { readonly title: string; readonly entries: readonly NavigationEntry[] }[]
}

export interface Frame {
  readonly headers: Readonly<Record<string, string>>
  draw(sheet: Sheet): string
}

// The logo, inline so that no file has to be requested.
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2b46d6"/><path d="M7.5 23V10.5M7.5 15.5c0-3 2.2-5.3 5.2-5.3s5 2.1 5 5.3V23" fill="none" stroke="#fff" stroke-width="3.6" stroke-linecap="round"/><circle cx="23.6" cy="22.6" r="2.3" fill="#fff"/></svg>',
)}`

export function createFrame(menu: Menu): Frame {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
  const [style, script] = [read('page.css'), read('page.js')]
  const hashOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`
  // Exactly as is, because the hashes cover every character between the tags.
  const styleTag = new Html(`<style>${style}</style>`)
  const scriptTag = new Html(`<script type="module">${script}</script>`)
  const order = menu.groups.flatMap(({ entries }) => entries)

  return {
    headers: {
      'Content-Security-Policy': [
        "default-src 'none'",
        `style-src ${hashOf(style)}`,
        `script-src ${hashOf(script)}`,
        "connect-src 'self'",
        'img-src data:',
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'Referrer-Policy': 'same-origin',
    },
    draw({ title, about, content, headings = [], path, markdown, typed = '' }) {
      const shown = headings.filter(({ depth }) => depth === 2 || depth === 3)
      const at = order.findIndex((entry) => entry.path === path)
      return html`<!doctype html>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <title>${path === '/docs' ? title : html`${title} · Namewright documentation`}</title>
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            ${about !== undefined && html`<meta name="description" content="${about}" />`}
            <link rel="icon" href="${ICON}" />
            ${markdown !== undefined && html`<link rel="alternate" type="text/markdown" href="${markdown}" />`}
            ${styleTag}
          </head>
          <body>
            <a class="skip" href="#content">Skip to the content</a>
            <header class="top">
              <a class="brand" href="/docs">Namewright <span>documentation</span></a>
              <button type="button" popovertarget="menu">Pages</button>
              ${shown.length > 1 && html`<button type="button" popovertarget="toc">On this page</button>`}
              <search>
                <form action="/docs/search">
                  <label class="unseen" for="typed">Search the documentation</label>
                  <input
                    id="typed"
                    type="search"
                    name="q"
                    value="${typed}"
                    placeholder="Search"
                    autocomplete="off"
                    maxlength="100"
                    required
                  />
                  <button>Search</button>
                </form>
                <p id="found-status" class="unseen" role="status"></p>
                <ul id="found" aria-label="Search results" hidden></ul>
              </search>
            </header>
            <div class="columns">
              <nav id="menu" popover aria-label="Pages">
                ${menu.groups.map((group, index) => groupOf(group, index, path))}
              </nav>
              <main id="content" tabindex="-1">
                <article>
                  <h1>${title}</h1>
                  ${content}
                  ${markdown !== undefined && html`<p class="source">This page <a href="${markdown}">as Markdown</a></p>`}
                </article>
                ${at >= 0 && pager(order[at - 1], order[at + 1])}
              </main>
              ${shown.length > 1 && contents(shown)}
            </div>
            ${scriptTag}
          </body>
        </html>`.text
    },
  }
}

function groupOf({ title, entries }: Menu['groups'][number], index: number, path: string | undefined): Html {
  const links = entries.map((entry) => {
    const current = entry.path === path && html` aria-current="page"`
    return html`<li><a href="${entry.path}" ${current}>${entry.title}</a></li> `
  })
  if (title === '')
    return html`<ul>
      ${links}
    </ul>`
  return html`<p class="group" id="group-${index}">${title}</p>
    <ul aria-labelledby="group-${index}">
      ${links}
    </ul>`
}

function contents(headings: readonly Heading[]): Html {
  const links = headings.map(
    ({ id, text, depth }) => html`<li><a href="#${id}" ${depth > 2 && html` class="deep"`}>${text}</a></li> `,
  )
  return html`<nav id="toc" popover aria-label="On this page">
    <p class="group">On this page</p>
    <ul>
      ${links}
    </ul>
  </nav>`
}

function pager(before: NavigationEntry | undefined, after: NavigationEntry | undefined): Html {
  return html`<nav class="pager" aria-label="Previous and next page">
    ${before && html`<a rel="prev" href="${before.path}"><small>Previous</small>${before.title}</a>`}
    ${after && html`<a rel="next" href="${after.path}"><small>Next</small>${after.title}</a>`}
  </nav>`
}
