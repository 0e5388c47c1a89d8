/**
 * A table that can be read on a phone: one with more than two columns becomes a list of rows there, each cell under the
 * name of its column. It has explicit table roles, because the list layout would remove the implicit ones.
 */
import { attributes, html } from '../../../http/pages/html.ts'
import type { Html } from '../../../http/pages/html.ts'

export interface Column {
  readonly words: Html
  readonly text: string
}

export interface TableRow {
  readonly id?: string | undefined
  readonly cells: readonly Html[]
}

export function tableOf(about: string, columns: readonly Column[], rows: readonly TableRow[]): Html {
  const isLong = columns.length > 2
  const role = (name: string) => attributes({ role: isLong && name })
  const head = columns.map(({ words }) => html`<th scope="col" ${role('columnheader')}>${words}</th>`)
  const body = rows.map(({ id, cells }) => {
    const tds = cells.map((cell, at) => {
      const label = attributes({ 'data-label': isLong && at > 0 && (columns[at]?.text || undefined) })
      return html`<td${role('cell')}${label}>${cell}</td>`
    })
    return html`<tr${attributes({ id })}${role('row')}>${tds}</tr> `
  })
  return html`<div class="${isLong ? 'wide long' : 'wide'}" tabindex="0" role="group" aria-label="Table: ${about}">
    <table${role('table')}>
      <thead${role('rowgroup')}><tr${role('row')}>${head}</tr></thead>
      <tbody${role('rowgroup')}>${body}</tbody>
    </table>
  </div> `
}
