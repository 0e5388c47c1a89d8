/** The search results as a page: for readers without a script, or who want to keep the list open. */
import { html } from '../../../http/pages/html.ts'
import type { Sheet } from './frame.ts'
import type { SearchHit } from './search.ts'

export function searchSheet(typed: string, found: readonly SearchHit[]): Sheet {
  if (typed === '') return { title: 'Search', content: html`<p>Enter a search term above.</p>` }
  const results = found.map(
    ({ href, page, heading, excerpt }) =>
      html`<li>
        <a href="${href}">${heading === '' ? page : heading}</a>${heading !== '' && html` <small>${page}</small>`}
        <p>${excerpt}</p>
      </li>`,
  )
  const content =
    found.length === 0
      ? html`<p>No results. Try fewer words, or browse the <a href="/docs">pages</a>.</p>`
      : html`<p>${found.length === 1 ? 'One result' : `${found.length} results`}, best first.</p>
          <ul class="results">
            ${results}
          </ul>`
  return { title: `Search: ${typed}`, content, typed }
}

export function missingSheet(): Sheet {
  return {
    title: 'Page not found',
    content: html`<p>Search above, or browse the <a href="/docs">pages</a>.</p>`,
  }
}
