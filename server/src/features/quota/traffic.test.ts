import { expect, test } from 'vitest'
import type { AccountId, Caller, KeyId } from '../../model/caller.ts'
import { createMinutes, createTally } from './traffic.ts'

const DAY_MS = 86_400_000
const QUOTA = { perMinute: 1, burst: 1, perDay: null, perMonth: null }
const callerOf = (account: string, key: string): Caller => ({
  accountId: account as AccountId,
  keyId: key as KeyId,
  scopes: [],
  quota: QUOTA,
  historyDays: null,
})

test('requests and failures are counted by key, day and endpoint, and told by account', () => {
  let at = 20_000 * DAY_MS
  const tally = createTally(() => at)
  const [ada, ben] = [callerOf('a', 'one'), callerOf('b', 'two')]
  for (const isFailure of [false, true, false]) tally.count(ada, 'POST /v1/generate', isFailure)
  tally.count(ada, 'GET /v1/usage', false)
  tally.count(ben, 'POST /v1/generate', true)
  at += DAY_MS
  tally.count(ada, 'POST /v1/generate', false)
  expect(tally.take()).toEqual({
    lost: 0,
    reported: [
      {
        account: 'a',
        counts: [
          { key: 'one', day: '2024-10-04', endpoint: 'POST /v1/generate', requests: 3, failed: 1 },
          { key: 'one', day: '2024-10-04', endpoint: 'GET /v1/usage', requests: 1, failed: 0 },
          { key: 'one', day: '2024-10-05', endpoint: 'POST /v1/generate', requests: 1, failed: 0 },
        ],
        uses: [],
      },
      {
        account: 'b',
        counts: [{ key: 'two', day: '2024-10-04', endpoint: 'POST /v1/generate', requests: 1, failed: 1 }],
        uses: [],
      },
    ],
  })
  expect(tally.take()).toEqual({ reported: [], lost: 0 })
  tally.count(ada, 'POST /v1/generate', false)
  expect(tally.take().reported[0]?.counts).toHaveLength(1)
})

test('who uses a retiring secret is told by address and program, whose name is cut', () => {
  const tally = createTally(() => 5_000)
  const ada = callerOf('a', 'one')
  tally.countUse(ada, 'nw_AbC1…', '192.0.2.1', 'x'.repeat(300))
  tally.countUse(ada, 'nw_AbC1…', '192.0.2.1', 'x'.repeat(400))
  tally.countUse(ada, 'nw_AbC1…', '192.0.2.2', '')
  const common = { key: 'one', prefix: 'nw_AbC1…', last_at: '1970-01-01T00:00:05.000Z' }
  expect(tally.take().reported).toEqual([
    {
      account: 'a',
      counts: [],
      uses: [
        { ...common, address: '192.0.2.1', user_agent: 'x'.repeat(200), requests: 2 },
        { ...common, address: '192.0.2.2', user_agent: '', requests: 1 },
      ],
    },
  ])
})

test('it stops growing, says what it lost, and goes on with what it has', () => {
  const tally = createTally(() => 0)
  const ada = callerOf('a', 'one')
  for (let n = 0; n < 25_000; n++) tally.count(callerOf('a', `key ${n}`), 'POST /v1/generate', false)
  for (let n = 0; n < 3_000; n++) tally.countUse(ada, 'nw_AbC1…', '192.0.2.1', `program ${n}`)
  tally.count(callerOf('a', 'key 7'), 'POST /v1/generate', false)
  const { reported: told, lost } = tally.take()
  expect(lost).toBe(5_000 + 1_000)
  expect([told[0]?.counts.length, told[0]?.uses.length]).toEqual([20_000, 2_000])
  expect(told[0]?.counts[7]).toMatchObject({ key: 'key 7', requests: 2 })
})

function openMinutes() {
  let at = 1_000 * 60_000
  const minutes = createMinutes(() => at)
  return {
    minutes,
    pass: (count: number) => (at += count * 60_000),
    call: (times: number, failed = 0) => {
      for (let i = 0; i < times; i++) minutes.note(i < failed)
    },
  }
}

test('without a call there is nothing to count', () => {
  const { minutes, pass } = openMinutes()
  pass(30)
  expect(minutes.read()).toEqual({ counted: 0, down: 0 })
})

test('one in twenty is still up, and one more is down', () => {
  const { minutes, call, pass } = openMinutes()
  call(20, 1)
  pass(1)
  call(20, 2)
  expect(minutes.read()).toEqual({ counted: 2, down: 1 })
})

test('what is an hour ago is forgotten, and its place is used again', () => {
  const { minutes, call, pass } = openMinutes()
  call(1, 1)
  pass(59)
  expect(minutes.read()).toEqual({ counted: 1, down: 1 })
  pass(1)
  expect(minutes.read()).toEqual({ counted: 0, down: 0 })
  call(3)
  expect(minutes.read()).toEqual({ counted: 1, down: 0 })
})
