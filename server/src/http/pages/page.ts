/**
 * The layout of the server-rendered pages: one column, light or dark as the system is, right to left where the language
 * is.
 *
 * There is no script and nothing is loaded. The one style is allowed by its hash, so injected markup could not restyle
 * a page.
 */
import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Language } from '../wire/language.ts'
import { html, Html } from './html.ts'

export interface HtmlPage {
  readonly language: Language
  /** Also used as the heading, unless `heading` is set. */
  readonly title: string
  readonly heading?: Html
  readonly content: Html
  /** Shown above everything else. */
  readonly notice?: string
  /** The URL that the browser continues to by itself. */
  readonly onwardTo?: string
}

// The same colours as in the web app.
const STYLE = `
:root { color-scheme: light dark; --ink: #161b2b; --faint: #545d73; --paper: #f7f8fb; --card: #fff; --line: #dde1ea;
  --edge: #7d869b; --accent: #2b46d6; --on-accent: #fff; --soft: #fdebec; --wrong: #b3202c }
@media (prefers-color-scheme: dark) { :root { --ink: #eceff6; --faint: #a6afc3; --paper: #11141d; --card: #191d29;
  --line: #2b3142; --edge: #7c869f; --accent: #9db1ff; --on-accent: #0f1534; --soft: #3c191c; --wrong: #ffaaa9 } }
* { box-sizing: border-box }
html { background: var(--paper) }
body { font: 1rem/1.55 system-ui, sans-serif; color: var(--ink); max-width: 28rem; margin: 0 auto; padding: 2rem 1rem 4rem;
  overflow-wrap: anywhere }
.brand { margin: 0 0 1rem; font-weight: 600; color: var(--faint) }
main { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.75rem 1.5rem }
h1 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 1rem }
p { margin: 0 0 1rem } ul { margin: 0 0 1.25rem; padding-inline-start: 1.25rem } li { margin: 0 0 .4rem }
a { color: var(--accent) }
main > :last-child { margin-bottom: 0 }
form { margin: 0 } form + form { margin-top: .75rem } .more { margin: 1.25rem 0 0 }
label { display: block; font-weight: 600; margin: 0 0 .5rem }
.field { margin: 0 0 1.15rem }
input, select { display: block; width: 100%; min-height: 2.9rem; padding: .5rem .75rem; font: inherit; color: inherit;
  background: var(--card); border: 1px solid var(--edge); border-radius: .5rem; text-align: start }
[dir=rtl] input[dir=ltr] { text-align: end }
input[readonly] { background: var(--paper); text-overflow: ellipsis }
input[aria-invalid] { border: 2px solid var(--wrong) }
.wrong { margin: .55rem 0 0; color: var(--wrong) }
.hint { margin: .55rem 0 0; font-size: .925rem; color: var(--faint) }
.note { background: var(--soft); border-inline-start: .25rem solid var(--wrong); border-radius: .25rem;
  padding: .7rem .9rem }
.small { color: var(--faint); font-size: .925rem; margin: 1.25rem 0 0 }
button { display: block; width: 100%; min-height: 2.9rem; padding: .5rem 1rem; font: inherit; font-weight: 600;
  color: var(--accent); background: transparent; border: 1px solid var(--edge); border-radius: .5rem; cursor: pointer }
button.main { color: var(--on-accent); background: var(--accent); border-color: var(--accent) }
button:hover { text-decoration: underline }
form > button + button { margin-top: .75rem }
button.quiet { width: auto; min-height: 2.75rem; padding: 0; font-size: .9rem; font-weight: 400; border: 0; text-decoration: underline; background: none }
.two { display: flex; flex-wrap: wrap; gap: .75rem } .two button { flex: 1 1 8rem }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }`

// Exactly as is, because the hash covers every character between the tags.
const STYLE_TAG = new Html(`<style>${STYLE}</style>`)

/** Headers of every page response. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  // Browsers apply form-action to every redirect that follows a form, also to those an application adds at its own
  // address. So no form is answered with a redirect to anywhere else (see `onward.ts`).
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'X-Frame-Options': 'DENY',
  // Links carry tokens, so no other site may see a URL. Not no-referrer: browsers would then send our own forms with
  // `Origin: null`, and these could not be told from a foreign form (Fetch §3.2, "append a request Origin header").
  'Referrer-Policy': 'same-origin',
}

export function sendPage(reply: FastifyReply, status: number, page: HtmlPage): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('Content-Language', page.language)
    .send(render(page).text)
}

function render({ language, title, heading, content, notice, onwardTo }: HtmlPage): Html {
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <title>${title} · Namewright</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${onwardTo !== undefined && html`<meta http-equiv="refresh" content="0;url=${onwardTo}" />`} ${STYLE_TAG}
      </head>
      <body>
        ${notice !== undefined && html`<aside><p class="note">${notice}</p></aside>`}
        <header><p class="brand" lang="en" translate="no">Namewright</p></header>
        <main>
          <h1>${heading ?? title}</h1>
          ${content}
        </main>
      </body>
    </html>`
}
