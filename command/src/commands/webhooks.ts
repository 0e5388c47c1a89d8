/** `namewright webhooks`: the webhooks of the account. The secret of a new one is shown once, on standard output. */
import type { Delivery, Webhook, WebhookRequest } from '../../../sdk/src/api-types.ts'
import { confirm } from '../confirm.ts'
import { EXIT, usageError } from '../exit.ts'
import { formatOf, showAll, showOne } from '../output.ts'
import type { Column } from '../output.ts'
import { openSession } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { dateText } from '../take.ts'

const COLUMNS: readonly Column<Webhook>[] = [
  { name: 'id', value: ({ id }) => id, heading: { title: 'id' } },
  { name: 'url', value: ({ url }) => url, heading: { title: 'url', shrinks: 'in the middle' } },
  { name: 'events', value: ({ events }) => events.join(' '), heading: { title: 'events', shrinks: true } },
  {
    name: 'enabled',
    value: ({ enabled }) => enabled,
    heading: { title: 'state' },
    cell: ({ enabled, off_reason: reason }) =>
      enabled
        ? { text: 'on', colour: 'green' }
        : { text: reason === null ? 'off' : `off: ${reason}`, colour: 'yellow' },
  },
  { name: 'off_reason', value: ({ off_reason }) => off_reason },
  { name: 'failing_since', value: ({ failing_since }) => failing_since },
  { name: 'description', value: ({ description }) => description },
  { name: 'created_at', value: ({ created_at }) => created_at },
]

const SECRET: Column<Webhook> = { name: 'secret', value: ({ secret }) => secret, heading: { title: 'secret' } }

const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  { name: 'state', value: ({ state }) => state, heading: { title: 'state' } },
  { name: 'last_status', value: ({ last_status }) => last_status, heading: { title: 'status' } },
  { name: 'last_error', value: ({ last_error }) => last_error, heading: { title: 'error' } },
  {
    name: 'last_at',
    value: ({ last_at }) => last_at,
    heading: { title: 'when (UTC)' },
    cell: ({ last_at }) => ({ text: last_at === null ? '' : dateText(last_at), colour: 'dim' }),
  },
  { name: 'id', value: ({ id }) => id, heading: { title: 'event' } },
]

export async function list(invocation: Invocation): Promise<number> {
  const { options, streams, paint, outside, say } = invocation
  const { client } = await openSession(invocation)
  const found = await client.webhooks.list({ signal: outside.signal })
  const format = formatOf(options, streams.stdout)
  const count = await showAll(found, { format, output: streams.stdout, paint, columns: COLUMNS })
  if (count === 0) say('No results.')
  return count === 0 ? EXIT.none : EXIT.found
}

export async function create(invocation: Invocation): Promise<number> {
  const { options, words, streams, paint, outside, say } = invocation
  const [url] = words
  const events = options.list('events') as WebhookRequest['events'] | undefined
  if (url === undefined || words.length > 1)
    throw usageError('Pass one URL: namewright webhooks create https://hooks.example.com/ --events favorite.available')
  if (events === undefined) throw usageError('Pass the events to send with --events.')
  const { client } = await openSession(invocation)
  const body = { url, events, description: options.text('description') }
  const made = await client.webhooks.create(body, { signal: outside.signal })
  const format = formatOf(options, streams.stdout)
  showOne<Webhook>(made, { format, output: streams.stdout, paint, columns: [...COLUMNS, SECRET] })
  say('Store the secret now: it is not shown again.')
  return EXIT.found
}

export async function remove(invocation: Invocation): Promise<number> {
  const { words, outside } = invocation
  if (words.length === 0) throw usageError('Pass at least one id: namewright webhooks delete ID')
  const { client } = await openSession(invocation)
  const question = words.length === 1 ? 'Delete this webhook?' : `Delete ${words.length} webhooks?`
  if (!(await confirm(invocation, question))) return EXIT.none
  for (const id of words) await client.webhooks.delete(id, { signal: outside.signal })
  return EXIT.found
}

export async function test(invocation: Invocation): Promise<number> {
  const { options, words, streams, paint, outside } = invocation
  const [id] = words
  if (id === undefined || words.length > 1) throw usageError('Pass one id: namewright webhooks test ID')
  const { client } = await openSession(invocation)
  const delivery = await client.webhooks.test(id, { signal: outside.signal })
  const format = formatOf(options, streams.stdout)
  showOne(delivery, { format, output: streams.stdout, paint, columns: DELIVERY_COLUMNS })
  return delivery.state === 'delivered' ? EXIT.found : EXIT.upstream
}
