/**
 * `namewright suggest`: suggestions, streamed.
 *
 * On a terminal the grid fills while results arrive, and is printed completely at the end. Elsewhere nothing is written
 * before it is final, because a suggestion may still be withdrawn. Ctrl-C cancels the request; the names
 * that were sent until then are charged.
 */
import type { DomainEntry, GenerateRequest, Rejected, Suggestion } from '../../../sdk/src/api-types.ts'
import type { Generated } from '../../../sdk/src/namewright.ts'
import { clean, jsonText } from '../clean.ts'
import { eligibilityNotes } from '../eligibility.ts'
import { EXIT, usageError } from '../exit.ts'
import { gridLines } from '../grid.ts'
import { rulesOf } from '../handles.ts'
import { openLive, widthOfOutput } from '../live.ts'
import { formatOf, linesText, showAll } from '../output.ts'
import type { Column } from '../output.ts'
import { requestOf } from '../request.ts'
import { openAnySession } from '../session.ts'
import type { Asked } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { readAll, readFileText } from '../streams.ts'
import { askWithKnownSuffixes } from '../suffixes.ts'
import type { IgnoredSuffix } from '../suffixes.ts'
import {
  isNotLookedUp,
  isUndetermined,
  NO_NETWORK,
  registerNotes,
  renewalOf,
  unprovenNotes,
  verdictOf,
} from '../verdict.ts'

interface Answered extends Generated {
  readonly ignored?: readonly IgnoredSuffix[]
}

const MAX_CANDIDATES = 100

type Row = Pick<Suggestion, 'name' | 'rationale' | 'handles'> & { readonly entry: DomainEntry }

const COLUMNS: readonly Column<Row>[] = [
  { name: 'domain', value: ({ entry }) => entry.domain, heading: { title: 'domain' } },
  { name: 'verdict', value: ({ entry }) => verdictOf(entry).word, heading: { title: 'verdict' } },
  { name: 'price', value: ({ entry }) => entry.price, heading: { title: 'price' } },
  { name: 'name', value: ({ name }) => name, heading: { title: 'name' } },
  { name: 'available', value: ({ entry }) => entry.available },
  { name: 'status', value: ({ entry }) => entry.status },
  { name: 'confidence', value: ({ entry }) => entry.confidence },
  { name: 'renewal', value: ({ entry }) => renewalOf(entry.price, entry.pricing) },
  { name: 'currency', value: ({ entry }) => entry.pricing?.currency },
  { name: 'checked_at', value: ({ entry }) => entry.checked_at },
  { name: 'rationale', value: ({ rationale }) => rationale },
  { name: 'term_years', value: ({ entry }) => entry.pricing?.term_years },
  { name: 'register_url', value: ({ entry }) => entry.register_url },
  { name: 'registrar', value: ({ entry }) => entry.registrar },
]

/** Only with --handles, so that other tables keep their columns. */
const HANDLES: Column<Row> = { name: 'handles', value: ({ handles }) => handles && rulesOf(handles).join(' ') }

export async function suggest(invocation: Invocation): Promise<number> {
  const { options, streams, paint, say } = invocation
  const format = formatOf(options, streams.stdout)
  const description = await descriptionOf(invocation)
  const session = await openAnySession(invocation)
  const generated = await generate(invocation, session, description)
  const { suggestions, rejected = [], shortfall } = generated
  if (format === 'json') streams.stdout.write(`${jsonText(generated, 2)}\n`)
  else if (format === 'ndjson') for (const one of suggestions) streams.stdout.write(`${jsonText(one)}\n`)
  else if (format === 'table') {
    const lines = gridLines(suggestions, { width: widthOfOutput(streams.stdout), paint })
    if (suggestions.length > 0) streams.stdout.write(linesText(lines))
    const best = suggestions.flatMap(({ domains }) => domains.find(({ available }) => available) ?? [])
    for (const note of [...registerNotes(best), ...unprovenNotes(suggestions.flatMap(({ domains }) => domains))])
      say(note)
  } else {
    const columns = options.flag('handles') ? [...COLUMNS, HANDLES] : COLUMNS
    await showAll(rowsOf(suggestions), { format, output: streams.stdout, paint, columns })
  }
  for (const note of eligibilityNotes(suggestions.flatMap(({ domains }) => domains))) say(note)
  for (const one of rejected) say(rejectionText(one))
  const isOffline = suggestions.some(({ domains }) => domains.some(isNotLookedUp))
  if (isOffline) say(NO_NETWORK)
  // What is said of each candidate says it all.
  else if (shortfall && (rejected.length === 0 || shortfall.reason !== 'no_more_names'))
    say(`${shortfall.returned} of ${shortfall.wanted}: ${reasonOf(shortfall, session)}`)
  return exitCodeOf(generated)
}

/** As the engines of the command say it: a service never says `unproven`. */
type Rejection = Omit<Rejected, 'reason'> &
  Pick<DomainEntry, 'register_url' | 'registrar'> & { readonly reason: Rejected['reason'] | 'unproven' }

const REJECTIONS: Readonly<Record<Rejection['reason'], string>> = {
  taken: 'taken',
  premium: 'premium; --premium includes it',
  reserved: 'reserved by the registry',
  restricted: 'needs a presence in another country than --country',
  too_expensive: 'above the maximum price',
  unsafe: 'contains an offensive word',
  famous: 'a famous name',
  excluded: 'against a rule of this request',
  duplicate: 'listed twice',
  invalid: 'no domain can have this name',
  unknown: 'availability could not be checked',
  unproven: 'unproven: no record found',
  not_checked: 'not checked: --count or the deadline was reached',
}

function rejectionText({ name, reason, nearest, register_url: url, registrar }: Rejection): string {
  const text = `${clean(name)}: ${REJECTIONS[reason]}`
  if (url !== undefined) return `${text}; confirm at ${clean(registrar ?? 'the registrar')}: ${clean(url)}`
  return nearest ? `${text}; ${clean(nearest.domain)} is available for ${clean(nearest.price)}` : text
}

const REASONS: Readonly<Record<NonNullable<Generated['shortfall']>['reason'], string>> = {
  no_more_names: 'there are no more names for this description; try another --seed or description.',
  deadline: 'the deadline was reached; a longer --deadline may find more.',
  max_price: 'no suffix is within the maximum price.',
  restricted: 'every suffix needs a presence in another country than --country.',
  availability_unknown: 'availability could not be checked.',
}

function reasonOf(
  { reason, sources = [], retry_after }: NonNullable<Generated['shortfall']>,
  { findCause }: Asked,
): string {
  const limited = sources.flatMap(({ source, state }) => (state === 'rate_limited' ? [source] : []))
  const broken = sources.flatMap(({ source, state }) => (state === 'rate_limited' ? [] : [`${source} is ${state}`]))
  return [
    REASONS[reason],
    ...(limited.length === 0 ? [] : [`Rate limit reached: ${limited.join(', ')}.`]),
    ...(broken.length === 0 ? [] : [`${broken.join(', ')}. ${findCause}`]),
    ...(retry_after === undefined ? [] : [`Try again in ${retry_after} s.`]),
  ].join(' ')
}

export function rowsOf(suggestions: readonly Suggestion[]): Row[] {
  return suggestions.flatMap(({ name, rationale, handles, domains }) =>
    domains.map((entry) => ({ name, rationale, handles, entry })),
  )
}

/** With --all there are names without an available domain, so the domains decide. */
function exitCodeOf({ suggestions, shortfall }: Generated): number {
  const entries = suggestions.flatMap(({ domains }) => domains)
  if (entries.some(({ available }) => available)) return EXIT.found
  if (entries.some(isNotLookedUp)) return EXIT.offline
  const isUnknown = shortfall?.reason === 'availability_unknown' || shortfall?.reason === 'deadline'
  return isUnknown || entries.some(isUndetermined) ? EXIT.upstream : EXIT.none
}

async function descriptionOf({ words, options, streams }: Invocation): Promise<string> {
  const isPiped = options.flag('stdin') || (words.length === 1 && words[0] === '-')
  if (isPiped && words.length > (words[0] === '-' ? 1 : 0))
    throw usageError('Pass the description on standard input or on the command line, not both.')
  const text = (isPiped ? await readAll(streams.stdin) : words.join(' ')).trim()
  if (text === '') throw usageError('Pass a description: namewright suggest "a bakery that delivers by bicycle"')
  return text
}

/** One name per line. */
async function candidatesOf({ options, streams, words }: Invocation): Promise<readonly string[] | undefined> {
  const path = options.text('candidates')
  if (path === undefined) return undefined
  if (path === '-' && (options.flag('stdin') || words[0] === '-'))
    throw usageError('Pass the description or the candidates on standard input, not both.')
  const text = path === '-' ? await readAll(streams.stdin) : await readFileText(path)
  const names = text.split(/\r?\n/).flatMap((line) => line.trim() || [])
  if (names.length === 0) throw usageError('There are no candidates: write one name per line.')
  if (names.length > MAX_CANDIDATES)
    throw usageError(`There are ${names.length} candidates; ${MAX_CANDIDATES} at most.`)
  return names
}

async function generate(invocation: Invocation, session: Asked, description: string): Promise<Answered> {
  const { options, say } = invocation
  const candidates = await candidatesOf(invocation)
  const body = {
    ...requestOf(description, options, session.config),
    ...(candidates ? { candidates } : {}),
    // All of them, unless the caller wants fewer, or more names than these.
    ...(candidates && !options.flag('fill') && options.number('count') === undefined
      ? { count: candidates.length }
      : {}),
    ...(options.flag('fill') ? { fill: true } : {}),
    include: [
      'evidence' as const,
      'pricing' as const,
      'register' as const,
      ...(options.flag('rationale') ? (['rationale'] as const) : []),
      ...(options.flag('handles') ? (['handles'] as const) : []),
    ],
  }
  const ask = (wanted: typeof body) => generateOnce(invocation, session, wanted)
  const { answer, ignored } = await askWithKnownSuffixes(body, session.client, say, ask)
  return ignored.length === 0 ? answer : { ...answer, ignored }
}

async function generateOnce(invocation: Invocation, session: Asked, body: GenerateRequest): Promise<Generated> {
  const { options, streams, outside, paint, paintErr } = invocation
  const isTable = formatOf(options, streams.stdout) === 'table'
  // The grid on standard output if that is a terminal; otherwise a counter on standard error.
  const output = isTable ? streams.stdout : streams.stderr
  const live = output.isTTY === true ? openLive(output) : undefined
  const found = new Map<string, Suggestion>()
  const linesNow = () => {
    const count = (isTable ? paint : paintErr)(`${found.size} of ${body.count} …`, 'dim')
    if (!isTable || found.size === 0) return [count]
    return [...gridLines([...found.values()], { width: widthOfOutput(output), paint }), count]
  }
  try {
    live?.draw(linesNow)
    for await (const event of session.client.stream(body, { signal: outside.signal })) {
      if (event.event === 'done') return event.data
      if (event.event === 'suggestion') found.set(event.data.name, event.data)
      else if (event.event === 'withdrawn') found.delete(event.data.name)
      else if (event.event === 'restarted') found.clear()
      else {
        const before = found.get(event.data.name)
        if (before && 'handles' in event.data) found.set(before.name, { ...before, handles: event.data.handles })
        else if (before && 'index' in event.data) {
          const { index, domain } = event.data
          found.set(before.name, { ...before, domains: before.domains.map((one, i) => (i === index ? domain : one)) })
        }
      }
      live?.draw(linesNow)
    }
    throw new Error('the stream ended without the event “done”')
  } finally {
    live?.clear()
    live?.close()
  }
}
