/**
 * `namewright keys`: the API key or sign-in in use. Never shows the key itself.
 *
 * Keys are created, changed and revoked in the settings of the service by a signed-in person; a key cannot create keys.
 */
import { EXIT } from '../exit.ts'
import { formatOf, showOne } from '../output.ts'
import { openSession } from '../session.ts'
import type { Invocation } from '../spec.ts'
import { remainingText } from './usage.ts'

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
    say(remainingText(key.left))
    say(`Create, limit and revoke keys in the settings: ${address.url}/settings`)
  }
  return EXIT.found
}

/** The same prefix as in the settings. */
export function maskOf(key: string): string {
  return `${key.slice(0, 7)}…`
}
