/** `namewright tlds`: the supported suffixes with prices, most popular first. */
import type { Tld } from '../../../sdk/src/api-types.ts'
import { EXIT } from '../exit.ts'
import { formatOf, showAll } from '../output.ts'
import type { Column } from '../output.ts'
import { openAnySession } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { domainText, renewalOf } from '../verdict.ts'

const DEFAULT_LIMIT = 20

const COLUMNS: readonly Column<Tld>[] = [
  {
    name: 'suffix',
    value: ({ suffix }) => suffix,
    heading: { title: 'suffix' },
    cell: ({ suffix }) => ({ text: `.${domainText(suffix)}` }),
  },
  { name: 'price', value: ({ price }) => price, heading: { title: 'price', align: 'right' } },
  {
    name: 'renewal',
    value: ({ price, pricing }) => renewalOf(price, pricing),
    heading: { title: 'renews at', align: 'right' },
  },
  { name: 'term_years', value: ({ term_years }) => term_years, heading: { title: 'years', align: 'right' } },
  { name: 'eligibility', value: ({ eligibility }) => eligibility, heading: { title: 'eligibility', isSpare: true } },
  {
    name: 'popularity',
    value: ({ popularity }) => popularity,
    heading: { title: 'rank', align: 'right', isSpare: true },
  },
  { name: 'idn', value: ({ idn }) => idn },
  { name: 'currency', value: ({ pricing }) => pricing.currency },
]

export async function tlds(invocation: Invocation): Promise<number> {
  const { options, streams, paint, outside, say } = invocation
  const { client, config } = await openAnySession(invocation)
  const query = {
    q: options.text('search'),
    currency: (options.text('currency') ?? config.currency)?.toUpperCase(),
    limit: options.flag('all') ? undefined : (options.number('limit') ?? DEFAULT_LIMIT),
  }
  const found = await client.tlds(query, { signal: outside.signal })
  const format = formatOf(options, streams.stdout)
  const count = await showAll(found.tlds, { format, output: streams.stdout, paint, columns: COLUMNS })
  if (count === 0) say('No matching suffix.')
  return count === 0 ? EXIT.none : EXIT.found
}
