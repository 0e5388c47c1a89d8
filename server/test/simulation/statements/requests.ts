/** What a request reads and writes besides the ledger: keys, idempotent answers, history. */
import { Refused } from '../memory-db.ts'
import type { Hands, Interpreted, Row } from '../memory-db.ts'

const dateOr = (at: unknown) => (at === null || at === undefined ? null : new Date(Number(at)))
const timeOr = (at: unknown) => (at instanceof Date ? at.getTime() : null)

const keyOf = (...parts: unknown[]) => parts.join('/')

function answersOf(hands: Hands, account: unknown): Row[] {
  return hands.rows('idempotent_answer').filter((row) => row['account_id'] === account)
}

export const requestStatements: Readonly<Record<string, Interpreted>> = {
  key_insert(hands, values) {
    const [account, id, name, prefix, scopes, perMinute, burst, perDay, perMonth, ips, origins, at, expires, by] =
      values
    const row = {
      account_id: account,
      id,
      name,
      prefix,
      scopes,
      per_minute: perMinute,
      burst,
      per_day: perDay,
      per_month: perMonth,
      allowed_ips: ips,
      allowed_origins: origins,
      created_at: timeOr(at),
      expires_at: timeOr(expires),
      created_by: by ?? null,
      last_used_at: null,
      revoked_at: null,
      client_id: null,
    }
    if (!hands.insert('api_key', keyOf(account, id), row)) throw new Refused('23505', 'api_key_pkey')
    return { count: 1 }
  },

  key_secret_insert(hands, [hash, account, key, prefix]) {
    const row = { account_id: account, key_id: key, prefix, expires_at: null }
    if (!hands.insert('key_secret', (hash as Buffer).toString('hex'), row))
      throw new Refused('23505', 'key_secret_pkey')
    return { count: 1 }
  },

  key_secret_find(hands, [hash]) {
    const row = hands.get('key_secret', (hash as Buffer).toString('hex'))
    return { rows: row ? [{ ...row, expires_at: dateOr(row['expires_at']) }] : [] }
  },

  key_of_caller(hands, [account, id]) {
    const row = hands.get('api_key', keyOf(account, id))
    if (!row) return { rows: [] }
    const dates = ['created_at', 'expires_at', 'last_used_at', 'revoked_at'].map((name) => [name, dateOr(row[name])])
    const ofAccount = { language: null, currency: null, history_days: null, role: null }
    return { rows: [{ ...row, ...Object.fromEntries(dates), ...ofAccount }] }
  },

  key_touch: (hands, [account, id, at]) =>
    change(
      hands,
      account,
      id,
      () => true,
      () => ({ last_used_at: timeOr(at) }),
    ),

  key_revoke: (hands, [account, id]) =>
    change(
      hands,
      account,
      id,
      (row) => row['revoked_at'] === null,
      () => ({ revoked_at: hands.now }),
    ),

  // Nobody leaves an account here, so no key is listed for review.
  key_review_end: () => ({ count: 0 }),

  key_change_note(hands, [id]) {
    // Two changes of one key in one microsecond cannot be, in one millisecond they can.
    const row = { changed_at: hands.clock, key_id: id }
    hands.insert('key_change', keyOf(hands.clock, id, hands.next('key_change')), row)
    return { count: 1 }
  },

  key_change_recent(hands, [seconds]) {
    const since = hands.now - Number(seconds) * 1000
    const recent = hands.rows('key_change').filter((row) => Number(row['changed_at']) > since)
    return { rows: [...new Set(recent.map((row) => row['key_id']))].map((id) => ({ key_id: id })) }
  },

  idempotent_find(hands, [account, key, since]) {
    const row = hands.get('idempotent_answer', keyOf(account, key))
    if (!row || Number(row['created_at']) <= Number(timeOr(since))) return { rows: [] }
    const { fingerprint, status, headers, body } = row
    return { rows: [{ fingerprint, status, headers, body }] }
  },

  idempotent_expire(hands, [account, before, key]) {
    const expired = answersOf(hands, account).filter((row) => Number(row['created_at']) <= Number(timeOr(before)))
    const oldest = expired.toSorted((a, b) => Number(a['created_at']) - Number(b['created_at'])).slice(0, 5)
    const gone = new Set([...oldest, ...expired.filter((row) => row['key'] === key)])
    for (const row of gone) hands.remove('idempotent_answer', keyOf(account, row['key']))
    return { count: gone.size }
  },

  idempotent_store(hands, [account, key, fingerprint, at, status, headers, body]) {
    const row = { account_id: account, key, fingerprint, created_at: timeOr(at), status, headers, body }
    const isNew = hands.insert('idempotent_answer', keyOf(account, key), row)
    if (!isNew) throw new Refused('23505', 'idempotent_once')
    return { count: 1 }
  },

  history_insert(hands, [account, id, at, key, description, count, language, options, suggestions]) {
    const row = {
      account_id: account,
      id,
      created_at: timeOr(at),
      key_id: key,
      description,
      count,
      language,
      options,
      suggestions,
    }
    if (!hands.insert('history', keyOf(account, id), row)) throw new Refused('23505', 'history_pkey')
    return { count: 1 }
  },

  history_expire(hands, [account, before, most]) {
    const old = hands
      .rows('history')
      .filter((row) => row['account_id'] === account && String(row['id']) < String(before))
    const gone = old.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1)).slice(0, Number(most))
    for (const row of gone) hands.remove('history', keyOf(account, row['id']))
    return { count: gone.length }
  },
}

function change(hands: Hands, account: unknown, id: unknown, when: (row: Row) => boolean, to: (row: Row) => Row) {
  const key = keyOf(account, id)
  const row = hands.get('api_key', key)
  if (!row || !when(row)) return { count: 0 }
  hands.put('api_key', key, { ...row, ...to(row) })
  return { count: 1 }
}
