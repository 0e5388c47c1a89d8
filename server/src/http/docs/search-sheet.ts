/** What was found, as a page: for whoever has no script, or wants to keep the list open. */
import { html } from '../pages/html.ts'
import type { Sheet } from './frame.ts'
import type { Found } from './search.ts'

export function searchSheet(typed: string, found: readonly Found[]): Sheet {
  if (typed === '') return { title: 'Search', content: html`<p>Type what you look for into the field above.</p>` }
  const results = found.map(
    ({ href, page, heading, excerpt }) =>
      html`<li>
        <a href="${href}">${heading === '' ? page : heading}</a>${heading !== '' && html` <small>${page}</small>`}
        <p>${excerpt}</p>
      </li>`,
  )
  const content =
    found.length === 0
      ? html`<p>Nothing has all of these words. Try fewer, or look through the <a href="/docs">pages</a>.</p>`
      : html`<p>${found.length === 1 ? 'One place' : `${found.length} places`}, best first.</p>
          <ul class="results">
            ${results}
          </ul>`
  return { title: `Search: ${typed}`, content, typed }
}

export function missingSheet(): Sheet {
  return {
    title: 'There is no such page',
    content: html`<p>Search for it above, or look through the <a href="/docs">pages</a>.</p>`,
  }
}
