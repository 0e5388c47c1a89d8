/** `namewright usage`: usage by day and the remaining quota. */
import { EXIT } from '../exit.ts'
import { formatOf, showAll } from '../output.ts'
import { jsonText } from '../clean.ts'
import { openSession } from '../session.ts'
import type { Invocation } from '../spec.ts'

const DEFAULT_DAYS = 7

export async function usage(invocation: Invocation): Promise<number> {
  const { options, streams, paint, outside, say } = invocation
  const { client } = await openSession(invocation)
  const { key, account } = await client.usage(
    { days: options.number('days') ?? DEFAULT_DAYS },
    { signal: outside.signal },
  )
  const format = formatOf(options, streams.stdout)
  if (format === 'json' || format === 'ndjson') {
    streams.stdout.write(`${jsonText({ key, account }, format === 'json' ? 2 : undefined)}\n`)
    return EXIT.found
  }
  const days = key.days.map((one, i) => ({ ...one, account: account.days[i]?.suggestions ?? 0 }))
  await showAll(days, {
    format,
    output: streams.stdout,
    paint,
    columns: [
      { name: 'day', value: ({ day }) => day, heading: { title: 'day (UTC)' } },
      { name: 'key', value: ({ suggestions }) => suggestions, heading: { title: 'this key', align: 'right' } },
      { name: 'account', value: (one) => one.account, heading: { title: 'account', align: 'right' } },
    ],
  })
  if (format !== 'csv') {
    say(`This month: ${key.this_month} by this key, ${account.this_month} by the account.`)
    say(remainingText(key.left))
  }
  return EXIT.found
}

export function remainingText({ day, month }: { readonly day: number | null; readonly month: number | null }): string {
  if (day === null && month === null) return 'Remaining: unlimited.'
  return `Remaining: ${day === null ? 'unlimited' : day} today, ${month === null ? 'unlimited' : month} this month.`
}
