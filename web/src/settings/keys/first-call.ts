/** A line for a terminal that works with this key as it stands: it asks for something that the key may do. */
import type { KeyWithSecret, Scope } from '../../api/settings-types.ts'

const JSON_BODY = `-H 'Content-Type: application/json'`

const CALLS: readonly (readonly [Scope, string, string])[] = [
  ['generate', '/v1/generate', ` ${JSON_BODY} -d '{"description":"a bakery by the sea","count":5}'`],
  ['domains:check', '/v1/domains/check', ` ${JSON_BODY} -d '{"domains":["harborcrumb.com"]}'`],
  ['history:read', '/v1/history', ''],
  ['favorites:read', '/v1/favorites', ''],
  ['batches:read', '/v1/batches', ''],
  ['webhooks', '/v1/webhooks', ''],
]

export function firstCallOf({ scopes, secret, origins }: KeyWithSecret, url: string): string {
  const [, path, rest] = CALLS.find(([scope]) => scopes.includes(scope)) ?? ['usage:read', '/v1/usage', '']
  // A publishable key works in its pages only; a star stands for any one name.
  const origin = origins[0] === undefined ? '' : ` -H 'Origin: ${origins[0].replace('*', 'www')}'`
  return `curl '${url}${path}' -H 'Authorization: Bearer ${secret}'${origin}${rest}`
}
