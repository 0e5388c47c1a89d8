/** The outbox: events, their deliveries, who sends to a webhook, and the queue as far as the functions of the database know it. */
import { Refused } from '../memory-db.ts'
import type { Hands, Interpreted, Row } from '../memory-db.ts'

const keyOf = (...parts: unknown[]) => parts.join('/')
const dateOr = (at: unknown) => (at === null || at === undefined ? null : new Date(Number(at)))
const timeOr = (at: unknown) => (at instanceof Date ? at.getTime() : null)

/** With the trigger `event_told`. False when there is an equal one. */
export function insertEvent(hands: Hands, row: Row): boolean {
  const { account_id: account, id, once } = row
  if (!hands.insert('event_once', keyOf(account, once), { id })) return false
  if (!hands.insert('event', keyOf(account, id), { ...row, created_at: timeOr(row['created_at']) })) return false
  const type = String(row['type'])
  const wanted = hands
    .rows('webhook')
    .filter(
      (hook) =>
        hook['account_id'] === account && hook['enabled'] === true && (hook['events'] as string[]).includes(type),
    )
  for (const hook of wanted) {
    hands.insert('delivery', keyOf(account, hook['id'], id), {
      account_id: account,
      webhook_id: hook['id'],
      event_id: id,
      place: hands.next('delivery_place'),
      subject: row['subject'],
      state: 'pending',
      attempts: 0,
      next_at: timeOr(row['created_at']),
      last_status: null,
    })
    enqueue(hands, 'webhook', [{ data: { webhook: hook['id'] } }])
  }
  return true
}

interface NewJob {
  readonly data: unknown
  readonly after_ms?: number
}

function enqueue(hands: Hands, queue: string, jobs: readonly NewJob[]): void {
  for (const { data, after_ms: afterMs = 0 } of jobs) {
    const id = `job-${hands.next('job')}`
    hands.insert('job', id, {
      id,
      name: queue,
      group_id: hands.account,
      data,
      state: 'created',
      start_after: hands.now + afterMs,
      retry_count: 0,
      heartbeat_on: null,
    })
  }
}

/** Row after row with what it becomes; who has to wait does it all again. */
function update(hands: Hands, table: string, key: string, when: (row: Row) => boolean, to: (row: Row) => Row): Row[] {
  const row = hands.get(table, key)
  if (!row || !when(row)) return []
  const after = { ...row, ...to(row) }
  hands.put(table, key, after)
  return [after]
}

function pendingOf(hands: Hands, account: unknown, webhook: unknown): Row[] {
  return hands
    .rows('delivery')
    .filter((row) => row['account_id'] === account && row['webhook_id'] === webhook && row['state'] === 'pending')
}

/** Of each subject the first, and whatever has none. */
function headsOf(pending: readonly Row[]): Row[] {
  const isBefore = (a: Row, b: Row) => a['subject'] === b['subject'] && Number(a['place']) < Number(b['place'])
  return pending.filter((row) => row['subject'] === null || !pending.some((other) => isBefore(other, row)))
}

const sequenceOf = (row: Row) => String(row['subject'] ?? row['event_id'])

export const webhookStatements: Readonly<Record<string, Interpreted>> = {
  simulated_event(hands, [account, id, at, type, once, subject]) {
    const row = { account_id: account, id, created_at: at, type, once, data: '{}', subject }
    if (!insertEvent(hands, row)) throw new Refused('23505', 'event_once')
    return { count: 1 }
  },

  webhook_hold(hands, [account, id]) {
    const key = keyOf(account, id)
    if (!hands.get('webhook', key)) return { rows: [] }
    hands.lock('webhook', key)
    const row = hands.get('webhook', key)
    if (!row) return { rows: [] }
    const dates = ['old_secret_until', 'busy_until', 'wake_at'].map((name) => [name, dateOr(row[name])])
    const { url, enabled, secret, old_secret } = row
    return { rows: [{ url, enabled, secret, old_secret, ...Object.fromEntries(dates) }] }
  },

  webhook_wake: (hands, [account, id, at]) => ({
    count: update(
      hands,
      'webhook',
      keyOf(account, id),
      () => true,
      () => ({ wake_at: timeOr(at) }),
    ).length,
  }),

  webhook_claim: (hands, [account, id, token, until]) => ({
    count: update(
      hands,
      'webhook',
      keyOf(account, id),
      () => true,
      () => ({ busy_by: token, busy_until: timeOr(until) }),
    ).length,
  }),

  webhook_extend: (hands, [account, id, token, until]) => ({
    count: update(
      hands,
      'webhook',
      keyOf(account, id),
      (row) => row['busy_by'] === token,
      () => ({ busy_until: timeOr(until) }),
    ).length,
  }),

  delivery_due(hands, [account, id, token, at, except, most]) {
    const hook = hands.get('webhook', keyOf(account, id))
    if (!hook || hook['busy_by'] !== token || hook['enabled'] !== true) return { rows: [] }
    const isDue = (row: Row) =>
      Number(row['next_at']) <= Number(timeOr(at)) && !(except as string[]).includes(sequenceOf(row))
    const due = headsOf(pendingOf(hands, account, id)).filter(isDue)
    const inTurn = due.toSorted(
      (a, b) => Number(a['next_at']) - Number(b['next_at']) || Number(a['place']) - Number(b['place']),
    )
    const { url, secret, old_secret } = hook
    return {
      rows: inTurn.slice(0, Number(most)).flatMap((row) => {
        const event = hands.get('event', keyOf(account, row['event_id']))
        if (!event) return []
        const place = { url, secret, old_secret, old_secret_until: dateOr(hook['old_secret_until']) }
        const { type, data } = event
        const about = { id: row['event_id'], type, created_at: dateOr(event['created_at']), data }
        return [{ ...about, attempts: row['attempts'], sequence: sequenceOf(row), ...place }]
      }),
    }
  },

  delivery_succeed: (hands, [account, webhook, event, attempts, , status]) => ({
    count: update(hands, 'delivery', keyOf(account, webhook, event), isAttempt(attempts), (row) => ({
      state: 'delivered',
      attempts: Number(row['attempts']) + 1,
      next_at: null,
      last_status: status,
      ended: Number(row['ended'] ?? 0) + 1,
    })).length,
  }),

  webhook_well: (hands, [account, id]) => ({
    count: update(
      hands,
      'webhook',
      keyOf(account, id),
      (row) => row['failing_since'] !== null,
      () => ({ failing_since: null }),
    ).length,
  }),

  webhook_ill(hands, [account, id, at]) {
    const rows = update(
      hands,
      'webhook',
      keyOf(account, id),
      () => true,
      (row) => ({
        failing_since: row['failing_since'] ?? timeOr(at),
      }),
    )
    return { rows: rows.map((row) => ({ failing_since: dateOr(row['failing_since']) })) }
  },

  delivery_fail(hands, [account, webhook, event, attempts, , status, , , nextAt, isLast, offBefore]) {
    const hook = hands.get('webhook', keyOf(account, webhook))
    if (!hook) return { count: 0 }
    const givesUp = isLast === true && Number(hook['failing_since']) > Number(timeOr(offBefore))
    const rows = update(hands, 'delivery', keyOf(account, webhook, event), isAttempt(attempts), (row) => ({
      attempts: Number(row['attempts']) + 1,
      last_status: status,
      next_at: givesUp ? null : timeOr(nextAt),
      state: givesUp ? 'failed' : 'pending',
      ended: Number(row['ended'] ?? 0) + (givesUp ? 1 : 0),
    }))
    return { count: rows.length }
  },

  webhook_release(hands, [account, id, token]) {
    const rows = update(
      hands,
      'webhook',
      keyOf(account, id),
      (row) => row['busy_by'] === token,
      () => ({ busy_by: null, busy_until: null }),
    )
    return { rows: rows.map((row) => ({ enabled: row['enabled'], wake_at: dateOr(row['wake_at']) })) }
  },

  delivery_next(hands, [account, id]) {
    const times = headsOf(pendingOf(hands, account, id)).map((row) => Number(row['next_at']))
    return { rows: [{ at: times.length === 0 ? null : new Date(Math.min(...times)) }] }
  },

  webhook_wake_forgotten(hands, [account, before]) {
    const isLate = (hook: Row) =>
      hook['enabled'] === true &&
      pendingOf(hands, account, hook['id']).some((row) => Number(row['next_at']) < Number(timeOr(before)))
    const late = hands.rows('webhook').filter((hook) => hook['account_id'] === account && isLate(hook))
    enqueue(
      hands,
      'webhook',
      late.map((hook) => ({ data: { webhook: hook['id'] } })),
    )
    return { count: late.length > 0 ? 1 : 0, rows: late.length > 0 ? [{ enqueue_jobs: '' }] : [] }
  },

  jobs_enqueue(hands, [queue, jobs]) {
    enqueue(hands, String(queue), JSON.parse(String(jobs)) as NewJob[])
    return { rows: [{ enqueue_jobs: '' }] }
  },

  job_finish(hands, [, id, attempt]) {
    const row = hands.get('job', String(id))
    const isOurs =
      row?.['state'] === 'active' && row['retry_count'] === Number(attempt) - 1 && row['group_id'] === hands.account
    if (!isOurs) throw new Refused('NWJ01')
    hands.remove('job', String(id))
    return { rows: [{ finish_job: '' }] }
  },
}

const isAttempt = (attempts: unknown) => (row: Row) => row['state'] === 'pending' && row['attempts'] === attempts
