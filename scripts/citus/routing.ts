/**
 * Can Citus send this statement to one shard?
 *
 * It can when every distributed table in it is held to one account: by `account_id = $n`, by a join on `account_id` with
 * one that is, or by the `account_id` of the rows that are inserted. This counts: as many such places as there are tables,
 * at least one of them a parameter, and all parameters the same. It is no planner: a statement that names the account in
 * the wrong place as often as needed would pass.
 */
export type RoutingRule =
  | 'mixed'
  | 'unrouted'
  | 'half-routed'
  | 'two-accounts'
  | 'locks-across'
  | 'listen'
  | 'advisory-lock'

const CTE = /(?:\bWITH|\)\s*,)\s*(?:RECURSIVE\s+)?([a-z_]+)\s*(?:\([^()]*\)\s*)?AS\s+(?:(?:NOT\s+)?MATERIALIZED\s+)?\(/g
const TABLE =
  /\b(?:FROM|JOIN|INTO|UPDATE|USING|ONLY)\s+(?:public\.)?([a-z_]+)\b(?!\s*[.(])|\bINTO\s+(?:public\.)?([a-z_]+)\b/g
const BEHIND_COMMA = /\bFROM\s+[a-z_]+(?:\s+(?:AS\s+)?[a-z_]+)?\s*,\s*([a-z_]+)\b(?!\s*[.(])/g
const PIN =
  /\baccount_id\s*=\s*\$(\d+)|\$(\d+)(?:::uuid)?\s*=\s*(?:\w+\.)?account_id\b|\(account_id,[^)]*\)\s*(?:=|IN)\s*\(+\s*\$(\d+)/g
const JOIN =
  /\baccount_id\s*=\s*(?:[a-z_]+\.)?account_id\b|\bUSING\s*\(account_id|\baccount_id\s*=\s*[a-z_]+\.id\b|\baccount\.id\s*=\s*[a-z_]+\.account_id\b/g
const INSERTED =
  /\bINTO\s+(?:public\.)?([a-z_]+)(?:\s+AS\s+\w+)?\s*\(([^)]*)\)\s*(?:VALUES\s*\(|SELECT\s+)\s*(?:\$(\d+)|((?:\w+\.)?account_id\b))/g
const OWN = /\bid\s*=\s*\$(\d+)/g
const LOCKS = /\bFOR\s+(?:NO\s+KEY\s+)?(?:UPDATE|SHARE)\b|\bFOR\s+KEY\s+SHARE\b/

/** Tenant tables in it, each as often as it is there. */
export function tablesIn(text: string, tenants: ReadonlySet<string>): string[] {
  const made = new Set([...text.matchAll(CTE)].map(([, name]) => name))
  const named = [...text.matchAll(TABLE)].map(([, name, into]) => name ?? into ?? '')
  const more = [...text.matchAll(BEHIND_COMMA)].map(([, name = '']) => name)
  return [...named, ...more].filter((name) => tenants.has(name) && !made.has(name))
}

/** `locals` are on one machine only, and cannot be joined there with what is spread. */
export function routingOf(text: string, tenants: ReadonlySet<string>, locals: ReadonlySet<string>): RoutingRule[] {
  const broken: RoutingRule[] = []
  if (/\bpg_notify\b|^\s*(?:LISTEN|NOTIFY|UNLISTEN)\b/.test(text)) broken.push('listen')
  if (/\bpg_(?:try_)?advisory/.test(text)) broken.push('advisory-lock')
  const tables = tablesIn(text, tenants)
  if (tables.length === 0) return broken
  if (tablesIn(text, locals).length > 0) broken.push('mixed')

  const pins = [...text.matchAll(PIN)].map(([, a, b, c]) => Number(a ?? b ?? c))
  let held = pins.length + [...text.matchAll(JOIN)].length
  const accounts = new Set(pins)
  for (const [, table = '', columns = '', parameter] of text.matchAll(INSERTED)) {
    const first = columns.split(',')[0]?.trim()
    if (!tenants.has(table) || first !== (table === 'account' ? 'id' : 'account_id')) continue
    held += 1
    if (parameter !== undefined) accounts.add(Number(parameter))
  }
  // The table of accounts itself is spread by its id.
  const own = [...text.matchAll(OWN)].map(([, n]) => Number(n)).filter((n) => accounts.size === 0 || accounts.has(n))
  for (const n of own.slice(0, tables.filter((table) => table === 'account').length)) {
    held += 1
    accounts.add(n)
  }

  const isRouted = accounts.size > 0
  if (!isRouted) broken.push('unrouted')
  else if (held < tables.length) broken.push('half-routed')
  if (accounts.size > 1) broken.push('two-accounts')
  if (LOCKS.test(text) && (!isRouted || accounts.size > 1)) broken.push('locks-across')
  return broken
}
