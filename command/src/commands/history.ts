/** `namewright history`: past requests and their suggestions. */
import type { HistoryRecord } from '../../../sdk/src/api-types.ts'
import { clean } from '../clean.ts'
import { confirm } from '../confirm.ts'
import { EXIT, usageError } from '../exit.ts'
import { gridLines } from '../grid.ts'
import { widthOfOutput } from '../live.ts'
import { formatOf, linesText, showAll, showOne } from '../output.ts'
import type { Column } from '../output.ts'
import { openSession } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { dateText, take } from '../take.ts'

const COLUMNS: readonly Column<HistoryRecord>[] = [
  { name: 'id', value: ({ id }) => id, heading: { title: 'id' } },
  {
    name: 'created_at',
    value: ({ created_at }) => created_at,
    heading: { title: 'when (UTC)' },
    cell: ({ created_at }) => ({ text: dateText(created_at), colour: 'dim' }),
  },
  { name: 'count', value: ({ suggestions }) => suggestions.length, heading: { title: 'names', align: 'right' } },
  { name: 'description', value: ({ description }) => description, heading: { title: 'description', shrinks: true } },
  { name: 'language', value: ({ language }) => language },
  { name: 'key_id', value: ({ key_id }) => key_id },
  { name: 'names', value: ({ suggestions }) => suggestions.map(({ name }) => name).join(' | ') },
]

export async function list(invocation: Invocation): Promise<number> {
  const { options, streams, paint, say, outside } = invocation
  const { client } = await openSession(invocation)
  const since = timeOf(options.text('since'), 'since')
  const until = timeOf(options.text('until'), 'until')
  const q = options.text('search')
  const records = take(invocation, (page) =>
    client.history.page({ ...page, q, since, until }, { signal: outside.signal }),
  )
  const format = formatOf(options, streams.stdout)
  const count = await showAll(records, { format, output: streams.stdout, paint, columns: COLUMNS })
  if (count === 0) say('No results.')
  return count === 0 ? EXIT.none : EXIT.found
}

export async function show(invocation: Invocation): Promise<number> {
  const { options, words, streams, paint, outside } = invocation
  const [id, more] = words
  if (id === undefined || more !== undefined) throw usageError('Pass one id: namewright history show ID')
  const { client } = await openSession(invocation)
  const record = await client.history.get(id, { signal: outside.signal })
  const format = formatOf(options, streams.stdout)
  if (format !== 'table') showOne(record, { format, output: streams.stdout, paint, columns: COLUMNS })
  else {
    const head = [`${dateText(record.created_at)} UTC`, clean(record.description), '']
    const grid = gridLines(record.suggestions, { width: widthOfOutput(streams.stdout), paint })
    streams.stdout.write(linesText([...head, ...grid]))
  }
  return EXIT.found
}

export async function remove(invocation: Invocation): Promise<number> {
  const { options, words, outside, say } = invocation
  if (options.flag('all') === words.length > 0) throw usageError('Pass either ids or --all.')
  const { client, address } = await openSession(invocation)
  if (!options.flag('all')) {
    for (const id of words) await client.history.delete(id, { signal: outside.signal })
    return EXIT.found
  }
  const isSure = await confirm(
    invocation,
    `Delete the whole history of this account at ${address.url}? This cannot be undone.`,
  )
  if (isSure) say(`Deleted records: ${await client.history.clear({ signal: outside.signal })}`)
  else say('Nothing was deleted.')
  return isSure ? EXIT.found : EXIT.none
}

/** A date is its start in UTC. */
function timeOf(text: string | undefined, name: string): string | undefined {
  if (text === undefined) return undefined
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text
  if (!/^\d{4}-\d\d-\d\dT/.test(time) || Number.isNaN(Date.parse(time)))
    throw usageError(`--${name} must be a date or a time, such as 2026-01-31 or 2026-01-31T12:00:00Z, not “${text}”.`)
  return time
}
