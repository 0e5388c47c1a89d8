/** `namewright name`: one row for each domain, package registry, code host and link of each name. */
import type { CheckedName, NamesRequest, NameVerdict } from '../../../sdk/src/api-types.ts'
import { clean } from '../clean.ts'
import { eligibilityNotes } from '../eligibility.ts'
import { EXIT, usageError } from '../exit.ts'
import { formatOf, showAll } from '../output.ts'
import type { Column, Format } from '../output.ts'
import type { Colour } from '../paint.ts'
import { withoutGaps } from '../request.ts'
import { openAnySession } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { askWithKnownSuffixes } from '../suffixes.ts'
import { domainText, isNotLookedUp, isUndetermined, NO_NETWORK, priceText, verdictOf } from '../verdict.ts'

interface Row {
  readonly name: string
  /** A domain, a namespace or the site of a link. */
  readonly where: string
  readonly symbol: string
  /** Empty for a link, which is no verdict. */
  readonly word: string
  readonly colour: Colour
  readonly available?: boolean
  readonly rule?: string
  readonly price?: string | null
  readonly termYears?: number | undefined
  readonly url?: string
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'name', value: ({ name }) => name, heading: { title: 'name' } },
  { name: 'where', value: ({ where }) => where, heading: { title: 'where', shrinks: 'in the middle' } },
  {
    name: 'verdict',
    value: ({ word }) => word,
    heading: { title: 'verdict' },
    cell: ({ symbol, word, colour }) => ({ text: `${symbol} ${word}`, colour }),
  },
  {
    name: 'price',
    value: ({ price }) => price,
    heading: { title: 'price', align: 'right' },
    cell: ({ price, termYears }) => ({ text: priceText(price, termYears) }),
  },
  { name: 'available', value: ({ available }) => available },
  { name: 'rule', value: ({ rule }) => rule },
  { name: 'url', value: ({ url }) => url, heading: { title: 'look', isSpare: true } },
  { name: 'term_years', value: ({ termYears }) => termYears },
]

export async function checkName(invocation: Invocation): Promise<number> {
  const { words, options, streams, paint, outside, say } = invocation
  if (words.length === 0) throw usageError('Pass at least one name: namewright name storkloom')
  const format = formatOf(options, streams.stdout)
  const { client, config } = await openAnySession(invocation)
  const deadline = options.number('deadline')
  const body: NamesRequest = withoutGaps({
    names: words,
    tlds: options.list('tlds') ?? config.tlds?.split(','),
    include: [...(options.list('include') ?? ['packages', 'code']), 'register'] as NamesRequest['include'],
    verify: options.text('verify') as NamesRequest['verify'],
    country: options.text('country')?.toUpperCase(),
    deadline_ms: deadline === undefined ? undefined : Math.round(deadline * 1000),
  })
  const ask = (wanted: NamesRequest) => client.checkNames(wanted, { signal: outside.signal })
  const { answer: names } = await askWithKnownSuffixes(body, client, say, ask)
  const output = { format, output: streams.stdout, paint }
  if (format === 'json' || format === 'ndjson') await showAll(names, { ...output, columns: [] })
  else await showAll(names.flatMap(rowsOf).filter(isIn(format)), { ...output, columns: COLUMNS })
  // Too long for a table.
  if (format === 'table')
    for (const { url } of names.flatMap(({ links = [] }) => links)) streams.stdout.write(`${clean(url)}\n`)
  const domains = names.flatMap((one) => one.domains)
  for (const note of eligibilityNotes(domains)) say(note)
  if (domains.some(isNotLookedUp)) say(NO_NETWORK)
  if (domains.some(({ available }) => available)) return EXIT.found
  if (domains.some(isNotLookedUp)) return EXIT.offline
  return domains.some(isUndetermined) ? EXIT.upstream : EXIT.none
}

function urlOf({ register_url: url }: CheckedName['domains'][number]): Pick<Row, 'url'> {
  return url === undefined ? {} : { url }
}

/** A link is no verdict: a table has only verdicts. */
function isIn(format: Format): (row: Row) => boolean {
  return ({ word }) => format !== 'table' || word !== ''
}

function rowsOf({ input, domains, packages = [], code = [], links = [] }: CheckedName): readonly Row[] {
  return [
    ...domains.map((one): Row => {
      const { available, price } = one
      const where = domainText(one.domain)
      return {
        name: input,
        where,
        ...verdictOf(one),
        available,
        ...(available ? { price, termYears: one.pricing?.term_years, ...urlOf(one) } : {}),
      }
    }),
    ...[...packages, ...code].map((one): Row => {
      const { namespace, available, rule, url } = one
      return { name: input, where: namespace, ...wordOf(one), available, rule, url }
    }),
    ...links.map(({ site, url }): Row => ({ name: input, where: site, symbol: '', word: '', colour: 'dim', url })),
  ]
}

const WORDS: Readonly<Record<NameVerdict['status'], Pick<Row, 'symbol' | 'word' | 'colour'>>> = {
  available: { symbol: '✓', word: 'free', colour: 'green' },
  taken: { symbol: '●', word: 'taken', colour: 'red' },
  reserved: { symbol: '●', word: 'reserved', colour: 'red' },
  invalid: { symbol: '●', word: 'not allowed', colour: 'red' },
  unknown: { symbol: '?', word: 'unknown', colour: 'yellow' },
}

function wordOf({ status, rule }: NameVerdict): Pick<Row, 'symbol' | 'word' | 'colour'> {
  const known = WORDS[status] ?? WORDS.unknown
  return rule === 'not_found' ? { ...known, word: 'not found' } : known
}
