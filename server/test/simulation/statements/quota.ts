/** The ledger's statements (`tenancy/quota/`), in the order in which a lease runs them. */
import { Refused } from '../memory-db.ts'
import type { Hands, Interpreted, Row } from '../memory-db.ts'
import { insertEvent } from './webhooks.ts'

const PERIOD = 'quota_period'
const BLOCK = 'quota_block'

export const periodKey = (account: unknown, key: unknown, kind: unknown, startsOn: unknown) =>
  [account, key, kind, startsOn].join('/')
export const blockKey = (account: unknown, key: unknown, id: unknown) => [account, key, id].join('/')

const monthOf = (day: unknown) => `${String(day).slice(0, 7)}-01`

function periodsOf(hands: Hands, account: unknown, key: unknown, day: unknown, month: unknown): Row[] {
  const found = [periodKey(account, key, 'day', day), periodKey(account, key, 'month', month)]
  return found.map((one) => hands.get(PERIOD, one)).filter((row) => row !== undefined)
}

const keyOfPeriod = (row: Row) => periodKey(row['account_id'], row['key_id'], row['kind'], row['starts_on'])
const keyOfBlock = (row: Row) => blockKey(row['account_id'], row['key_id'], row['id'])

/** By a number that may be negative; `leased >= 0` is a constraint. */
function addToPeriods(hands: Hands, rows: readonly Row[], units: number): number {
  for (const row of rows) hands.lock(PERIOD, keyOfPeriod(row))
  for (const row of rows) {
    const leased = Number(row['leased']) + units
    if (leased < 0) throw new Refused('23514', 'quota_period_leased_check')
    hands.put(PERIOD, keyOfPeriod(row), { ...row, leased })
  }
  return rows.length
}

function blocksOf(hands: Hands, account: unknown, key: unknown): Row[] {
  return hands.rows(BLOCK).filter((row) => row['account_id'] === account && row['key_id'] === key)
}

/** Locked in the order in which they are found; a statement that had to wait reads again. */
function lockBlocks(hands: Hands, rows: readonly Row[]): void {
  for (const row of rows) hands.lock(BLOCK, keyOfBlock(row))
}

const spare = (row: Row) => Number(row['granted']) - Number(row['used'])

function close(hands: Hands, rows: readonly Row[]): void {
  for (const row of rows) hands.put(BLOCK, keyOfBlock(row), { ...row, granted: row['used'], closed_at: hands.now })
}

export const quotaStatements: Readonly<Record<string, Interpreted>> = {
  quota_plan_lock(hands, [account]) {
    const plan = hands.get('account_plan', String(account))
    if (!plan || (plan['names_per_day'] === null && plan['names_per_month'] === null)) return { count: 0 }
    hands.lock('account_plan', String(account))
    const { names_per_day, names_per_month } = plan
    return { rows: [{ names_per_day, names_per_month }] }
  },

  quota_account_leased(hands, [account, day, month]) {
    const ofAccount = hands.rows(PERIOD).filter((row) => row['account_id'] === account)
    const leased = (kind: string, startsOn: unknown) =>
      ofAccount
        .filter((row) => row['kind'] === kind && row['starts_on'] === startsOn)
        .reduce((sum, row) => sum + Number(row['leased']), 0)
    return { rows: [{ day: leased('day', day), month: leased('month', month), read_at: hands.clock * 1000 }] }
  },

  quota_account_settled(hands, [account]) {
    const isDue = (row: Row) =>
      row['account_id'] === account && row['closed_at'] === null && Number(row['settle_by']) < hands.now
    const keys = new Set(
      hands
        .rows(BLOCK)
        .filter(isDue)
        .map((row) => String(row['key_id'])),
    )
    return {
      rows: [...keys]
        .toSorted()
        .slice(0, 100)
        .map((key) => ({ key_id: key })),
    }
  },

  quota_period_make(hands, [account, key, day, month]) {
    let count = 0
    for (const [kind, startsOn] of [
      ['day', day],
      ['month', month],
    ]) {
      const row = { account_id: account, key_id: key, kind, starts_on: startsOn, leased: 0 }
      if (hands.insert(PERIOD, keyOfPeriod(row), row)) count++
    }
    return { count }
  },

  quota_period_lock(hands, [account, key, day, month]) {
    const rows = periodsOf(hands, account, key, day, month)
    for (const row of rows) hands.lock(PERIOD, keyOfPeriod(row))
    return { rows: rows.map(({ kind, leased }) => ({ kind, leased })) }
  },

  quota_block_settled(hands, [account, key]) {
    const isDue = (row: Row) => row['closed_at'] === null && Number(row['settle_by']) < hands.now
    const rows = blocksOf(hands, account, key).filter(isDue).slice(0, 1000)
    lockBlocks(hands, rows)
    return { rows: rows.map((row) => ({ id: row['id'], day: row['day'], unspent: spare(row) })) }
  },

  quota_block_close(hands, [account, key, ids]) {
    const rows = blocksOf(hands, account, key).filter((row) => (ids as string[]).includes(String(row['id'])))
    lockBlocks(hands, rows)
    close(hands, rows)
    return { count: rows.length }
  },

  quota_block_prune(hands, [account, key, before]) {
    const rows = blocksOf(hands, account, key).filter(
      (row) => String(row['id']) < String(before) && row['closed_at'] !== null,
    )
    for (const row of rows) hands.remove(BLOCK, keyOfBlock(row))
    return { count: rows.length }
  },

  quota_period_refund: (hands, [account, key, units, day]) => ({
    count: addToPeriods(hands, periodsOf(hands, account, key, day, monthOf(day)), -Number(units)),
  }),

  quota_period_add: (hands, [account, key, units, day, month]) => ({
    count: addToPeriods(hands, periodsOf(hands, account, key, day, month), Number(units)),
  }),

  quota_block_grow(hands, [account, key, day, units]) {
    const isOpen = (row: Row) =>
      row['day'] === day &&
      row['closed_at'] === null &&
      row['alone'] === false &&
      Number(row['lease_until']) > hands.clock + 1000
    const ids = blocksOf(hands, account, key)
      .filter(isOpen)
      .map((row) => String(row['id']))
      .toSorted()
    const row = hands.get(BLOCK, blockKey(account, key, ids.at(-1)))
    if (!row) return { count: 0 }
    const granted = Number(row['granted']) + Number(units)
    hands.put(BLOCK, keyOfBlock(row), { ...row, granted })
    return { rows: [{ id: row['id'], granted, ttl_ms: Math.floor(Number(row['lease_until']) - hands.clock) }] }
  },

  quota_block_unspent(hands, [account, key, day]) {
    const isShared = (row: Row) => row['day'] === day && row['closed_at'] === null && row['alone'] === false
    const shared = blocksOf(hands, account, key).filter(isShared)
    return { rows: [{ unspent: shared.reduce((sum, row) => sum + spare(row), 0) }] }
  },

  quota_block_open(hands, [account, key, id, day, granted, alone, leaseMs, settleMs]) {
    const row = {
      account_id: account,
      key_id: key,
      id,
      day,
      granted: Number(granted),
      used: 0,
      alone,
      lease_until: hands.clock + Number(leaseMs),
      settle_by: hands.clock + Number(settleMs),
      closed_at: null,
    }
    if (!hands.insert(BLOCK, keyOfBlock(row), row)) throw new Refused('23505', 'quota_block_pkey')
    return { count: 1 }
  },

  quota_block_spend(hands, [account, key, id, units]) {
    const row = hands.get(BLOCK, blockKey(account, key, id))
    if (!row) throw new Refused('22012')
    hands.lock(BLOCK, keyOfBlock(row))
    const used = Number(row['used']) + Number(units)
    if (used > Number(row['granted'])) throw new Refused('23514', 'quota_block_not_overspent')
    hands.put(BLOCK, keyOfBlock(row), { ...row, used })
    return { rows: [{ '?column?': 1 }] }
  },

  quota_held_lock(hands, [account, key, id]) {
    const block = hands.get(BLOCK, blockKey(account, key, id))
    const rows = block ? periodsOf(hands, account, key, block['day'], monthOf(block['day'])) : []
    for (const row of rows) hands.lock(PERIOD, keyOfPeriod(row))
    return { rows: rows.map(() => ({ '?column?': 1 })) }
  },

  quota_held_release(hands, [account, key, id]) {
    const row = hands.get(BLOCK, blockKey(account, key, id))
    if (!row || row['closed_at'] !== null) return { count: 0 }
    lockBlocks(hands, [row])
    close(hands, [row])
    return { count: addToPeriods(hands, periodsOf(hands, account, key, row['day'], monthOf(row['day'])), -spare(row)) }
  },

  quota_warning_tell(hands, [account, key, day, month, at, marks]) {
    const spent = periodsOf(hands, account, key, day, month).map((row) => {
      const isWithin = (block: Row) =>
        row['kind'] === 'day' ? block['day'] === row['starts_on'] : monthOf(block['day']) === row['starts_on']
      const open = blocksOf(hands, account, key).filter((block) => block['closed_at'] === null && isWithin(block))
      return {
        kind: row['kind'],
        startsOn: row['starts_on'],
        used: open.reduce((sum, block) => sum - spare(block), Number(row['leased'])),
      }
    })
    for (const { kind, startsOn, used } of spent) {
      for (const mark of JSON.parse(String(marks)) as Mark[]) {
        if (mark.kind !== kind || used < mark.least) continue
        insertEvent(hands, {
          account_id: account,
          id: mark.id,
          created_at: at,
          type: 'quota.warning',
          once: ['quota', key, kind, startsOn, mark.percent].join(':'),
          data: JSON.stringify({ key_id: key, percent: mark.percent, used }),
          subject: null,
        })
      }
    }
    return { rows: spent.map(({ kind, used }) => ({ kind, used })) }
  },
}

interface Mark {
  readonly id: string
  readonly kind: 'day' | 'month'
  readonly percent: number
  readonly least: number
}
