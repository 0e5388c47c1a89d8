/** Results as a table for documents and chats, in the reader's words. */
import type { CellState } from '../result.ts'
import type { Row } from './rows.ts'

export interface MarkdownWords {
  readonly title: string
  readonly columns: readonly [name: string, domain: string, state: string, first: string, renewal: string, five: string]
  readonly states: Readonly<Record<CellState, string>>
  readonly money: (minor: number, currency: string) => string
  readonly minimumTerm: (years: number) => string
}

export function markdownOf(rows: readonly Row[], words: MarkdownWords): string {
  const { title, columns, states, money } = words
  const lines = rows.map(({ name, domain, state, entry: { pricing, price } }) => {
    const amount = (minor: number | undefined) => (pricing && minor !== undefined ? money(minor, pricing.currency) : '')
    const dueOf = (due: string, years: number) => (years > 1 ? `${due} (${words.minimumTerm(years)})` : due)
    const prices = [
      pricing ? dueOf(amount(pricing.due_minor), pricing.term_years) : price,
      amount(pricing?.renewal_minor),
      amount(pricing?.total_5y_minor),
    ]
    return [plain(name), `\`${domain}\``, plain(states[state]), ...prices.map(plain)]
  })
  const table = [columns.map(plain), columns.map(() => '---'), ...lines]
  return `# ${plain(title)}\n\n${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}

/** Nothing in it is markup, or ends the cell. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>|#~]/g, String.raw`\$&`)
}
