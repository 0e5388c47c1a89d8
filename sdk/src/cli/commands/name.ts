/** `namewright name`: one row for each domain, package registry, code host and link of each name. */
import type { CheckedName, NamesRequest, NameVerdict } from '../../api-types.ts'
import { EXIT, usageError } from '../exit.ts'
import { formatOf, showAll } from '../output.ts'
import type { Column } from '../output.ts'
import type { Colour } from '../paint.ts'
import { withoutGaps } from '../request.ts'
import { openSession } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { domainText, isUndetermined, verdictOf } from '../verdict.ts'

interface Row {
  readonly name: string
  /** A domain, a namespace or the site of a link. */
  readonly where: string
  readonly verdict: string
  readonly colour: Colour
  readonly available?: boolean | 'unknown'
  readonly rule?: string
  readonly price?: string | null
  readonly url?: string
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'name', value: ({ name }) => name, heading: { title: 'name' } },
  { name: 'where', value: ({ where }) => where, heading: { title: 'where', shrinks: 'in the middle' } },
  {
    name: 'verdict',
    value: ({ verdict }) => verdict,
    heading: { title: 'verdict' },
    cell: ({ verdict, colour }) => ({ text: verdict, colour }),
  },
  { name: 'price', value: ({ price }) => price, heading: { title: 'price', align: 'right' } },
  { name: 'available', value: ({ available }) => available },
  { name: 'rule', value: ({ rule }) => rule },
  { name: 'url', value: ({ url }) => url, heading: { title: 'look', isSpare: true } },
]

export async function name(invocation: Invocation): Promise<number> {
  const { words, options, streams, paint, outside } = invocation
  if (words.length === 0) throw usageError('Pass at least one name: namewright name storkloom')
  const format = formatOf(options, streams.stdout)
  const { client, config } = await openSession(invocation)
  const deadline = options.number('deadline')
  const body: NamesRequest = withoutGaps({
    names: words,
    tlds: options.list('tlds') ?? config.tlds?.split(','),
    include: (options.list('include') ?? ['packages', 'code']) as NamesRequest['include'],
    verify: options.text('verify') as NamesRequest['verify'],
    deadline_ms: deadline === undefined ? undefined : Math.round(deadline * 1000),
  })
  const names = await client.checkNames(body, { signal: outside.signal })
  const output = { format, output: streams.stdout, paint }
  if (format === 'json' || format === 'ndjson') await showAll(names, { ...output, columns: [] })
  else await showAll(names.flatMap(rowsOf), { ...output, columns: COLUMNS })
  const domains = names.flatMap((one) => one.domains)
  if (domains.some(({ available }) => available)) return EXIT.found
  return domains.some(isUndetermined) ? EXIT.upstream : EXIT.none
}

function rowsOf({ input, domains, packages = [], code = [], links = [] }: CheckedName): readonly Row[] {
  return [
    ...domains.map((one): Row => {
      const { symbol, word, colour } = verdictOf(one)
      const { available, price } = one
      return {
        name: input,
        where: domainText(one.domain),
        verdict: `${symbol} ${word}`,
        colour,
        available,
        ...(available ? { price } : {}),
      }
    }),
    ...[...packages, ...code].map((one): Row => {
      const { namespace, available, rule, url } = one
      return { name: input, where: namespace, ...wordOf(one), available, rule, url }
    }),
    ...links.map(({ site, url }): Row => ({ name: input, where: site, verdict: 'look', colour: 'dim', url })),
  ]
}

const WORDS: Readonly<Record<NameVerdict['status'], Pick<Row, 'verdict' | 'colour'>>> = {
  available: { verdict: '✓ free', colour: 'green' },
  taken: { verdict: '● taken', colour: 'red' },
  reserved: { verdict: '● reserved', colour: 'red' },
  invalid: { verdict: '● not allowed', colour: 'red' },
  unknown: { verdict: '? unknown', colour: 'yellow' },
}

function wordOf({ status, rule }: NameVerdict): Pick<Row, 'verdict' | 'colour'> {
  return rule === 'not_found' ? { verdict: '? not found', colour: 'yellow' } : (WORDS[status] ?? WORDS.unknown)
}
