/**
 * `namewright check`: checks any number of domains, a thousand per request.
 *
 * On a terminal the table appears at once and fills as results arrive.
 */
import type { CheckedDomain } from '../../../sdk/src/api-types.ts'
import { eligibilityNotes } from '../eligibility.ts'
import { EXIT, usageError } from '../exit.ts'
import { openLive, widthOfOutput } from '../live.ts'
import { formatOf, showAll } from '../output.ts'
import type { Column } from '../output.ts'
import { withoutGaps } from '../request.ts'
import { openAnySession } from '../session.ts'
import type { Asked } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { readAll } from '../streams.ts'
import { DEFAULT_TLDS, nearSuffixes } from '../suffixes.ts'
import { tableLines } from '../table.ts'
import type { Cell } from '../table.ts'
import {
  domainText,
  isNotLookedUp,
  isUndetermined,
  NO_NETWORK,
  priceText,
  registerNotes,
  renewalOf,
  unprovenNotes,
  verdictOf,
} from '../verdict.ts'

// The maximum of one streamed request.
const MAX_DOMAINS_PER_REQUEST = 1_000

const COLUMNS: readonly Column<CheckedDomain>[] = [
  {
    name: 'domain',
    value: ({ domain, input }) => domain || input,
    heading: { title: 'domain', shrinks: 'in the middle' },
    cell: ({ domain, input }) => ({ text: domainText(domain || input) }),
  },
  {
    name: 'verdict',
    value: (one) => verdictOf(one).word,
    heading: { title: 'verdict' },
    cell: (one) => {
      const { symbol, word, colour } = verdictOf(one)
      return { text: `${symbol} ${word}`, colour }
    },
  },
  {
    name: 'price',
    value: ({ price }) => price,
    heading: { title: 'price', align: 'right' },
    cell: (one) => ({ text: isOffered(one) ? priceText(one.price, one.pricing?.term_years) : '' }),
  },
  {
    name: 'renewal',
    value: ({ price, pricing }) => renewalOf(price, pricing),
    heading: { title: 'renews at', align: 'right', isSpare: true },
    cell: (one) => ({ text: isOffered(one) ? renewalOf(one.price, one.pricing) : '' }),
  },
  { name: 'sources', value: ({ sources }) => sources.join(' '), heading: { title: 'sources', isSpare: true } },
  { name: 'input', value: ({ input }) => input },
  { name: 'available', value: ({ available }) => available },
  { name: 'status', value: ({ status }) => status },
  { name: 'confidence', value: ({ confidence }) => confidence },
  { name: 'currency', value: ({ pricing }) => pricing?.currency },
  { name: 'checked_at', value: ({ checked_at }) => checked_at },
  { name: 'for_sale', value: saleOf },
  { name: 'eligibility', value: ({ eligibility }) => eligibility },
  { name: 'term_years', value: ({ pricing }) => pricing?.term_years },
  { name: 'register_url', value: ({ register_url }) => register_url },
  { name: 'registrar', value: ({ registrar }) => registrar },
]

/** The options that bring a column into the table, with its heading. */
const OPTIONAL_COLUMNS: Readonly<Record<string, { readonly option: string; readonly title: string }>> = {
  for_sale: { option: 'for-sale', title: 'offer' },
}

function saleOf({ for_sale: sale }: CheckedDomain): string | undefined {
  if (!sale) return undefined
  const { offers = [], value, text, uri } = sale
  const prices = offers.map(
    ({ price, vendor, source }) => `${price} ${source === 'dns' ? 'owner' : (vendor ?? source)}`,
  )
  return [...(prices.length > 0 ? prices : [value]), text, uri].filter(Boolean).join(' · ')
}

/** Prices of taken domains are not shown. */
function isOffered({ available, status }: CheckedDomain): boolean {
  return available || status === 'premium' || status === 'available'
}

export async function check(invocation: Invocation): Promise<number> {
  const { options, streams, paint, say } = invocation
  const format = formatOf(options, streams.stdout)
  const session = await openAnySession(invocation)
  const domains = expanded(await domainsOf(invocation), invocation, session)
  const checked: CheckedDomain[] = []
  async function* checkAll(): AsyncGenerator<CheckedDomain> {
    for (let at = 0; at < domains.length; at += MAX_DOMAINS_PER_REQUEST) {
      const part = await checkPart(invocation, session, domains.slice(at, at + MAX_DOMAINS_PER_REQUEST))
      checked.push(...part)
      yield* part
    }
  }
  await showAll(checkAll(), { format, output: streams.stdout, paint, columns: columnsOf(invocation) })
  const unsupported = checked.filter(({ status }) => status === 'unsupported').map(({ input }) => input)
  const suffixOf = (domain: string) => domain.slice(domain.indexOf('.') + 1)
  const near = await nearSuffixes(session.client, [...new Set(unsupported.map(suffixOf))])
  for (const domain of unsupported) {
    const suffix = near.get(suffixOf(domain))
    if (suffix !== undefined) say(`${domain}: did you mean ${domain.slice(0, domain.indexOf('.'))}.${suffix}?`)
  }
  if (format === 'table') for (const note of [...registerNotes(checked), ...unprovenNotes(checked)]) say(note)
  for (const note of eligibilityNotes(checked)) say(note)
  if (checked.some(isNotLookedUp)) say(NO_NETWORK)
  else if (checked.length > 0 && checked.every(isUndetermined))
    say(`Availability could not be checked. ${session.findCause}`)
  return exitCodeOf(checked)
}

function columnsOf({ options }: Pick<Invocation, 'options'>): readonly Column<CheckedDomain>[] {
  return COLUMNS.map((column) => {
    const optional = OPTIONAL_COLUMNS[column.name]
    return optional && options.flag(optional.option)
      ? { ...column, heading: { title: optional.title, shrinks: true } }
      : column
  })
}

function exitCodeOf(checked: readonly CheckedDomain[]): number {
  if (checked.some(({ available }) => available)) return EXIT.found
  if (checked.some(isNotLookedUp)) return EXIT.offline
  if (checked.some(isUndetermined)) return EXIT.upstream
  return checked.every(({ status }) => status === 'invalid' || status === 'unsupported') ? EXIT.usage : EXIT.none
}

/** A name without a suffix stands for its domains under `--tlds`, or under those of the settings. */
function expanded(inputs: readonly string[], { options }: Invocation, { config }: Asked): readonly string[] {
  const tlds = (options.list('tlds') ?? config.tlds?.split(',') ?? DEFAULT_TLDS).map((tld) => tld.replace(/^\./, ''))
  return inputs.flatMap((input) => {
    if (input.includes('.')) return [input]
    const label = input.replaceAll(/\s+/g, '')
    return tlds.map((tld) => `${label}.${tld}`)
  })
}

/** From standard input: separated by white space or commas; # starts a comment. */
async function domainsOf({ words, options, streams }: Invocation): Promise<readonly string[]> {
  const isPiped = options.flag('stdin') || (words.length === 1 && words[0] === '-')
  if (isPiped && words.length > (words[0] === '-' ? 1 : 0))
    throw usageError('Pass the domains on standard input or on the command line, not both.')
  const text = isPiped ? await readAll(streams.stdin) : ''
  const piped = text.replaceAll(/#.*$/gm, '').split(/[\s,]+/)
  const domains = (isPiped ? piped : words).map((one) => one.trim()).filter((one) => one !== '')
  if (domains.length === 0) throw usageError('Pass at least one domain: namewright check storkloom.com storkloom.io')
  return domains
}

async function checkPart(
  { options, streams, outside, paint, paintErr }: Invocation,
  { client }: Asked,
  domains: readonly string[],
): Promise<readonly CheckedDomain[]> {
  const deadline = options.number('deadline')
  const body = withoutGaps({
    domains,
    verify: options.text('verify') as 'fast' | 'full' | undefined,
    for_sale: options.flag('for-sale') ? true : undefined,
    country: options.text('country')?.toUpperCase(),
    include: ['register'] as const,
    deadline_ms: deadline === undefined ? undefined : Math.round(deadline * 1000),
  })
  const isTable = formatOf(options, streams.stdout) === 'table'
  const output = isTable ? streams.stdout : streams.stderr
  const live = output.isTTY === true ? openLive(output) : undefined
  const known: (CheckedDomain | undefined)[] = domains.map(() => undefined)
  const shown = columnsOf({ options }).filter(({ heading }) => heading !== undefined)
  const linesNow = () => {
    const count = (isTable ? paint : paintErr)(
      `${known.filter((one) => one !== undefined).length} of ${domains.length} …`,
      'dim',
    )
    if (!isTable) return [count]
    const rows = known.map((one, i): Cell[] =>
      one === undefined
        ? [{ text: domains[i] ?? '' }, { text: '…', colour: 'dim' }]
        : shown.map(({ cell, value }) => cell?.(one) ?? { text: String(value(one) ?? '') }),
    )
    const headings = shown.map(({ heading }) => heading ?? { title: '' })
    return [...tableLines(headings, rows, { width: widthOfOutput(output), paint }), count]
  }
  try {
    live?.draw(linesNow)
    for await (const event of client.checkStream(body, { signal: outside.signal })) {
      if (event.event === 'done') return event.data
      known[event.data.index] = event.data.domain
      live?.draw(linesNow)
    }
    throw new Error('the stream ended without the event “done”')
  } finally {
    live?.clear()
    live?.close()
  }
}
