/**
 * `namewright keys`: what can be told of the key or sign-in that is used. Never the key itself.
 *
 * Keys are made, changed and ended in the settings of the service, where a person is signed in; a key cannot make keys.
 */
import { EXIT } from '../exit.ts'
import { formatOf, showOne } from '../output.ts'
import { openSession } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { leftText } from './usage.ts'

export async function keys(invocation: Invocation): Promise<number> {
  const { options, streams, paint, outside, say } = invocation
  const { client, address, identity } = await openSession(invocation)
  const { key } = await client.usage({ days: 1 }, { signal: outside.signal })
  const about = {
    service: address.url,
    kind: identity.kind,
    from: identity.from,
    key: identity.key === undefined ? null : maskOf(identity.key),
    id: key.id,
    scopes: identity.scope?.replace(/ ?offline_access/, '') ?? null,
    used_today: key.today,
    used_this_month: key.this_month,
    left_today: key.left.day,
    left_this_month: key.left.month,
  }
  const title = (text: string) => ({ heading: { title: text } })
  showOne(about, {
    format: formatOf(options, streams.stdout),
    output: streams.stdout,
    paint,
    columns: [
      { name: 'service', value: (one) => one.service, ...title('service') },
      { name: 'kind', value: (one) => one.kind, ...title('kind') },
      { name: 'from', value: (one) => one.from, ...title('from') },
      ...(about.key === null ? [] : [{ name: 'key', value: () => about.key, ...title('key') }]),
      { name: 'id', value: (one) => one.id, ...title('id') },
      ...(about.scopes === null ? [] : [{ name: 'scopes', value: () => about.scopes, ...title('scopes') }]),
      { name: 'used_today', value: (one) => one.used_today, ...title('used today') },
      { name: 'used_this_month', value: (one) => one.used_this_month, ...title('this month') },
    ],
  })
  if (!options.flag('json') && !options.flag('ndjson') && !options.flag('csv')) {
    say(leftText(key.left))
    say(`Keys are made, limited and revoked in the settings: ${address.url}/settings`)
  }
  return EXIT.found
}

/** What the settings show of it, too. */
export function maskOf(key: string): string {
  return `${key.slice(0, 7)}…`
}
