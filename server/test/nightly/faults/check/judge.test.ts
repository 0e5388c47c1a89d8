/** Each kind of finding is found, and nothing is found where every word was kept. */
import { expect, test } from 'vitest'
import type { AccountId, KeyId } from '../../../source.ts'
import { operationsOf } from '../load/log.ts'
import type { Begun, Ended, Line } from '../load/log.ts'
import type { Facts, KeyBudget } from './facts.ts'
import { FINDINGS, judge } from './judge.ts'

const generate: Begun = {
  is: 'begin',
  op: 1,
  kind: 'generate',
  account: 'a',
  key: 'k',
  intended: 0,
  idempotencyKey: 'run-1',
  mark: 'a bakery, order run-1',
}
const generated: Ended = {
  is: 'end',
  op: 1,
  ended: 9,
  end: 'done',
  attempts: 1,
  status: 200,
  hash: 'g',
  suggestions: 5,
}
const favorite: Begun = { ...generate, op: 2, kind: 'favorite', idempotencyKey: 'run-2', mark: 'load-run-2.com' }
const kept: Ended = { is: 'end', op: 2, ended: 9, end: 'done', attempts: 1, status: 201, hash: 'f' }
const read: Begun = { is: 'begin', op: 3, kind: 'read', account: 'a', key: 'k', intended: 0 }
const shown: Ended = { is: 'end', op: 3, ended: 9, end: 'done', attempts: 1, status: 200 }
const LOG: readonly Line[] = [generate, generated, favorite, kept, read, shown]

const record = { account: 'a', key: 'k', mark: 'a bakery, order run-1', suggestions: 5 }
const row = { account: 'a', mark: 'load-run-2.com' }
const answers = [
  { account: 'a', idempotencyKey: 'run-1', hash: 'g' },
  { account: 'a', idempotencyKey: 'run-2', hash: 'f' },
]
const budget: KeyBudget = {
  account: 'a' as AccountId,
  key: 'k' as KeyId,
  limit: 100,
  used: 5,
  granted: 20,
  leased: 20,
  leasedInADay: 20,
}
const FACTS: Facts = { history: [record], favorites: [row], answers, budgets: [budget] }

function kinds(lines: readonly Line[], facts: Partial<Facts> = {}): string[] {
  return judge(operationsOf(lines), { ...FACTS, ...facts }).map(({ kind, about }) => `${kind} ${about}`)
}

const withBudget = (change: Partial<KeyBudget>) => ({ budgets: [{ ...budget, ...change }] })

test('where every word was kept nothing is found', () => {
  expect(kinds(LOG)).toEqual([])
})

test('an acknowledged favorite that is not there is lost', () => {
  expect(kinds(LOG, { favorites: [] })).toEqual(['lost load-run-2.com'])
})

test('an acknowledged generation without a record is lost, and its spent units belong to nothing', () => {
  expect(kinds(LOG, { history: [] })).toEqual(['lost a bakery, order run-1', 'miscounted k'])
})

test('a record of another account does not make up for a lost one', () => {
  expect(kinds(LOG, { favorites: [{ ...row, account: 'b' }] })).toEqual([
    'lost load-run-2.com',
    'unsent load-run-2.com',
  ])
})

test('an effect that is there twice is found', () => {
  expect(kinds(LOG, { history: [record, record], ...withBudget({ used: 10 }) })).toEqual([
    'twice a bakery, order run-1',
  ])
  expect(kinds(LOG, { favorites: [row, row] })).toEqual(['twice load-run-2.com'])
})

test('what nobody sent is found', () => {
  const stray = { account: 'a', mark: 'load-run-7.com' }
  expect(kinds(LOG, { favorites: [row, stray] })).toEqual(['unsent load-run-7.com'])
})

test('who was told nothing was promised nothing: the effect may be there or not, but not twice', () => {
  const open = [generate, generated, favorite]
  expect(kinds(open)).toEqual([])
  expect(kinds(open, { favorites: [] })).toEqual([])
  expect(kinds(open, { favorites: [row, row] })).toEqual(['twice load-run-2.com'])
  const givenUp = [...open, { ...kept, end: 'given_up', status: 503 } as const]
  expect(kinds(givenUp)).toEqual([])
  expect(kinds(givenUp, { favorites: [] })).toEqual([])
})

test('a stored answer that is missing, or another than was given, is found', () => {
  expect(kinds(LOG, { answers: answers.slice(1) })).toEqual(['unstored a bakery, order run-1'])
  const other = answers.map((answer) => ({ ...answer, hash: answer.hash === 'f' ? 'x' : answer.hash }))
  expect(kinds(LOG, { answers: other })).toEqual(['other_answer load-run-2.com'])
})

test('who asks again must hear the same; who then hears nothing has not heard something else', () => {
  const again = { is: 'attempt', op: 1, sent: 10, ended: 11, again: true } as const
  expect(kinds([...LOG, { ...again, status: 200, hash: 'g' }])).toEqual([])
  expect(kinds([...LOG, { ...again, status: 503, code: 'unavailable' }])).toEqual([])
  expect(kinds([...LOG, { ...again, status: 200, hash: 'x' }])).toEqual(['other_again a bakery, order run-1'])
})

test('a record with another number of names than was answered is found', () => {
  const short = { ...record, suggestions: 4 }
  expect(kinds(LOG, { history: [short], ...withBudget({ used: 4 }) })).toEqual(['other_count a bakery, order run-1'])
})

test('a ledger that disagrees with history, its limit or itself is found', () => {
  expect(kinds(LOG, withBudget({ used: 6 }))).toEqual(['miscounted k'])
  expect(kinds(LOG, withBudget({ limit: 4, leasedInADay: 4 }))).toEqual(['overspent k'])
  expect(kinds(LOG, withBudget({ limit: 19 }))).toEqual(['overleased k'])
  expect(kinds(LOG, withBudget({ leased: 25 }))).toEqual(['unbalanced k'])
  expect(kinds(LOG, withBudget({ limit: null, leasedInADay: 1_000 }))).toEqual([])
})

test('every kind of finding is found by a test of this file', async () => {
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(new URL(import.meta.url), 'utf8')
  expect(Object.keys(FINDINGS).filter((kind) => !text.includes(`'${kind} `))).toEqual([])
})

test('a log that ends in half a line is read up to it', async () => {
  const { linesOf } = await import('../load/log.ts')
  const text = `${JSON.stringify(generate)}\n${JSON.stringify(generated)}\n{"is":"begin","op":`
  expect(linesOf(text)).toEqual([generate, generated])
})
