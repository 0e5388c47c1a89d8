/** `namewright status`: the status of the service, by dependency and by source. */
import type { StatusAnswer } from '../../../sdk/src/api-types.ts'
import { jsonText } from '../clean.ts'
import { EXIT } from '../exit.ts'
import { formatOf, showAll } from '../output.ts'
import type { Column } from '../output.ts'
import type { Colour } from '../paint.ts'
import { openSession } from '../session.ts'
import type { Invocation } from '../spec.ts'

interface Line {
  readonly kind: 'part' | 'source'
  readonly name: string
  readonly state: string
  readonly why: string | null
}

const COLOURS: Readonly<Record<string, Colour>> = { ok: 'green', trusted: 'green', off: 'dim', proving: 'yellow' }
const HEALTHY: ReadonlySet<string> = new Set(['ok', 'off', 'trusted', 'proving'])

const COLUMNS: readonly Column<Line>[] = [
  { name: 'kind', value: ({ kind }) => kind, heading: { title: 'what' } },
  { name: 'name', value: ({ name }) => name, heading: { title: 'name', shrinks: 'in the middle' } },
  {
    name: 'state',
    value: ({ state }) => state,
    heading: { title: 'state' },
    cell: ({ state }) => ({ text: state, colour: COLOURS[state] ?? 'red' }),
  },
  { name: 'why', value: ({ why }) => why, heading: { title: 'why', shrinks: true } },
]

export async function status(invocation: Invocation): Promise<number> {
  const { options, streams, paint, outside, say } = invocation
  const { client } = await openSession(invocation)
  const data = await client.status({ signal: outside.signal })
  const lines = linesOf(data)
  const format = formatOf(options, streams.stdout)
  if (format === 'json' || format === 'ndjson')
    streams.stdout.write(`${jsonText(data, format === 'json' ? 2 : undefined)}\n`)
  else await showAll(lines, { format, output: streams.stdout, paint, columns: COLUMNS })
  if (format === 'table' || format === 'plain') {
    const { minutes, down } = data.last_hour
    say(`Last hour: ${down} of ${minutes} minutes with failures.`)
    if (data.in_force.length > 0) say(`In force: ${data.in_force.join(', ')}.`)
  }
  return lines.every(({ state }) => HEALTHY.has(state)) ? EXIT.found : EXIT.upstream
}

function linesOf({ parts, sources }: StatusAnswer['data']): Line[] {
  return [
    ...Object.entries(parts).map(([name, state]) => ({ kind: 'part' as const, name, state, why: null })),
    ...sources.map(({ source, state, why }) => ({ kind: 'source' as const, name: source, state, why })),
  ]
}
