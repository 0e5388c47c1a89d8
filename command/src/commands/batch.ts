/** `namewright batch status`, `results`, `cancel` and `delete`. */
import type { Batch } from '../../../sdk/src/api-types.ts'
import { RESULT_COLUMNS, rowsOfItem } from '../batch-results.ts'
import type { ResultRow } from '../batch-results.ts'
import { EXIT, usageError } from '../exit.ts'
import { formatOf, showAll, showOne } from '../output.ts'
import type { Column } from '../output.ts'
import { openSession } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { dateText, take } from '../take.ts'

const COLUMNS: readonly Column<Batch>[] = [
  { name: 'id', value: ({ id }) => id, heading: { title: 'id' } },
  { name: 'state', value: ({ state }) => state, heading: { title: 'state' } },
  { name: 'finished', value: ({ finished }) => finished, heading: { title: 'done', align: 'right' } },
  { name: 'total', value: ({ total }) => total, heading: { title: 'of', align: 'right' } },
  { name: 'short', value: ({ short }) => short, heading: { title: 'short', align: 'right' } },
  { name: 'failed', value: ({ failed }) => failed, heading: { title: 'failed', align: 'right' } },
  {
    name: 'created_at',
    value: ({ created_at }) => created_at,
    heading: { title: 'sent (UTC)' },
    cell: ({ created_at }) => ({ text: dateText(created_at), colour: 'dim' }),
  },
  { name: 'finished_at', value: ({ finished_at }) => finished_at },
  { name: 'succeeded', value: ({ succeeded }) => succeeded },
  { name: 'canceled', value: ({ canceled }) => canceled },
]

export async function status(invocation: Invocation): Promise<number> {
  const { options, words, streams, paint, outside, say } = invocation
  const { client } = await openSession(invocation)
  const showing = { format: formatOf(options, streams.stdout), output: streams.stdout, paint, columns: COLUMNS }
  const { signal } = outside
  if (words.length > 0) {
    showOne(await client.batches.get(idOf(invocation), { signal }), showing)
    return EXIT.found
  }
  const count = await showAll(
    take(invocation, (page) => client.batches.page(page, { signal })),
    showing,
  )
  if (count === 0) say('No results.')
  return count === 0 ? EXIT.none : EXIT.found
}

export async function results(invocation: Invocation): Promise<number> {
  const { options, streams, paint, outside, say } = invocation
  const id = idOf(invocation)
  const { client } = await openSession(invocation)
  const { signal } = outside
  const batch = await client.batches.get(id, { signal })
  const format = formatOf(options, streams.stdout)
  const output = streams.stdout
  const items = client.batches.results(id, { signal })
  const count =
    format === 'json' || format === 'ndjson'
      ? await showAll(items, { format, output, paint, columns: [] })
      : await showAll(rowsOf(items), { format, output, paint, columns: RESULT_COLUMNS })
  if (batch.state === 'running') say(`The batch is still running: ${batch.finished} of ${batch.total}.`)
  return count === 0 ? EXIT.none : EXIT.found
}

export async function cancel(invocation: Invocation): Promise<number> {
  const { options, streams, paint, outside } = invocation
  const id = idOf(invocation)
  const { client } = await openSession(invocation)
  const batch = await client.batches.cancel(id, { signal: outside.signal })
  showOne(batch, { format: formatOf(options, streams.stdout), output: streams.stdout, paint, columns: COLUMNS })
  return EXIT.found
}

export async function remove(invocation: Invocation): Promise<number> {
  const id = idOf(invocation)
  const { client } = await openSession(invocation)
  await client.batches.delete(id, { signal: invocation.outside.signal })
  return EXIT.found
}

async function* rowsOf(items: AsyncIterable<Parameters<typeof rowsOfItem>[0]>): AsyncGenerator<ResultRow> {
  for await (const item of items) yield* rowsOfItem(item, { row: item.index + 1 })
}

function idOf({ words, command }: Invocation): string {
  const [id, more] = words
  if (id === undefined || more !== undefined) throw usageError(`Pass one id: namewright ${command.name} ID`)
  return id
}
