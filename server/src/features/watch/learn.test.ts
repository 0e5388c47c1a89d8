import { expect, test } from 'vitest'
import type { Domain } from '../../model/domain.ts'
import type { WatchFacts } from './facts.ts'
import { learn } from './learn.ts'
import type { Observation } from './learn.ts'

const NOW = Date.parse('2026-08-01T00:00:00Z')
const DAY_MS = 86_400_000
/** Not checked yet. */
const FRESH: WatchFacts = {
  domain: 'mayfly.com' as Domain,
  since: NOW - DAY_MS,
  failures: 0,
  checkedAt: undefined,
  changedAt: undefined,
  available: undefined,
  status: undefined,
  sources: [],
  price: undefined,
  pricedBy: undefined,
  asked: undefined,
  pricedAt: undefined,
  isPriceOutdated: false,
  registeredUntil: undefined,
  lapsedAt: undefined,
  expiryAskedAt: undefined,
}

function seen(more: Partial<Extract<Observation, { kind: 'seen' }>> = {}): Extract<Observation, { kind: 'seen' }> {
  return {
    kind: 'seen',
    at: NOW,
    available: false,
    status: more.available === true ? 'available' : 'taken',
    isLikely: false,
    sources: ['dns'],
    price: '$10.00',
    pricedBy: 'list',
    asked: '1000 USD',
    registeredUntil: undefined,
    ...more,
  }
}
const quote = (price: string, more: Partial<Extract<Observation, { kind: 'seen' }>> = {}) =>
  seen({ available: true, sources: ['dns', 'vercel'], price, pricedBy: 'vercel', asked: price, ...more })
const after = (known: WatchFacts, observation: Observation, now = NOW) =>
  learn(known, observation, { now, hasSellers: true })
const knownBy = (observation: Observation) => after(FRESH, observation).facts

test('the first look is no news, the same again neither, another one is', () => {
  const first = after(FRESH, seen())
  expect(first.changes).toBe('same')
  expect(after(first.facts, seen()).changes).toBe('same')
  expect(after(first.facts, quote('$12.00'))).toMatchObject({
    changes: 'changed',
    facts: { changedAt: NOW, available: true },
  })
})

test('an answer that nobody gave changes nothing but when to ask again', () => {
  const known = knownBy(quote('$12.00'))
  expect(after(known, { kind: 'unasked' })).toEqual({
    facts: known,
    nextAt: undefined,
    changes: 'none',
    isPriceNews: true,
  })
  const failed = after(known, { kind: 'unknown' })
  expect(failed).toMatchObject({ changes: 'none', facts: { ...known, failures: 1 } })
  expect(after(failed.facts, quote('$12.00')).facts.failures).toBe(0)
})

test('what a registry or seller called taken is not freed by a list that lacks it, for a month', () => {
  const known = knownBy(seen({ sources: ['rdap'] }))
  const likely = seen({ available: true, isLikely: true })
  expect(after(known, likely).changes).toBe('none')
  expect(after(known, { ...likely, isLikely: false }).changes).toBe('changed')
  expect(after(known, likely, NOW + 30 * DAY_MS).changes).toBe('changed')
  expect(after(knownBy(seen({ sources: ['dns'] })), likely).changes).toBe('changed')
})

test('another voice or another rate of exchange is no change of price', () => {
  const known = knownBy(quote('$12.00', { asked: '1100 EUR' }))
  expect(after(known, quote('$12.31', { asked: '1100 EUR' })).changes).toBe('same')
  expect(after(known, quote('$12.31', { asked: '1150 EUR' }))).toMatchObject({
    changes: 'changed',
    facts: { price: '$12.31' },
  })
  expect(after(known, quote('$9.00', { pricedBy: 'porkbun' }))).toMatchObject({
    changes: 'same',
    facts: { price: '$12.00' },
  })
  expect(after(known, quote('$9.00', { pricedBy: 'list' }), NOW + 6 * DAY_MS).changes).toBe('same')
  expect(after(known, quote('$9.00', { pricedBy: 'list' }), NOW + 7 * DAY_MS).changes).toBe('changed')
})

test('while somebody sells, the price of the suffix does not stand in for the first that a seller names', () => {
  expect(after(FRESH, seen({ available: true })).facts.price).toBeUndefined()
  expect(after(FRESH, seen()).facts.price).toBe('$10.00')
  const alone = learn(FRESH, seen({ available: true }), { now: NOW, hasSellers: false })
  expect(alone.facts.price).toBe('$10.00')
})

test('an end that came and was then put off is remembered; one that was put off in time is not', () => {
  const ended = knownBy(seen({ sources: ['dns', 'rdap'], registeredUntil: NOW - DAY_MS }))
  const later = seen({ sources: ['dns', 'rdap'], registeredUntil: NOW + 364 * DAY_MS })
  expect(after(ended, later).facts).toMatchObject({ lapsedAt: NOW - DAY_MS, registeredUntil: NOW + 364 * DAY_MS })
  const inTime = knownBy(seen({ sources: ['dns', 'rdap'], registeredUntil: NOW + DAY_MS }))
  expect(after(inTime, later).facts.lapsedAt).toBeUndefined()
  // A dropped name has no expiry, and its next registration starts fresh.
  expect(after(ended, quote('$12.00')).facts).toMatchObject({ registeredUntil: undefined, lapsedAt: undefined })
})

test('whether the end was asked for is told by whether the registry has spoken', () => {
  expect(knownBy(seen()).expiryAskedAt).toBeUndefined()
  expect(knownBy(seen({ sources: ['dns', 'rdap'] })).expiryAskedAt).toBe(NOW)
})

test('another status alone is written into the favorites, and is no change of the domain', () => {
  const known = knownBy(seen())
  const reserved = after(known, seen({ status: 'reserved' }))
  expect(reserved).toMatchObject({ changes: 'changed', facts: { status: 'reserved', changedAt: undefined } })
  expect(after(reserved.facts, seen({ status: 'reserved' })).changes).toBe('same')
})

test('what was last checked before there was a status is compared once more', () => {
  const known = { ...knownBy(seen()), status: undefined }
  const first = after(known, seen())
  expect(first).toMatchObject({ changes: 'changed', facts: { status: 'taken', changedAt: undefined } })
  expect(after(first.facts, seen()).changes).toBe('same')
})

test('the price after an outdated one is no news, whoever names it and whatever it is; then it is again', () => {
  const outdated = { ...knownBy(quote('$82.70', { asked: '8270 USD' })), isPriceOutdated: true }
  const next = after(outdated, quote('$165.40', { asked: '8270 USD' }))
  expect(next).toMatchObject({ changes: 'changed', isPriceNews: false })
  expect(next.facts).toMatchObject({ price: '$165.40', isPriceOutdated: false, changedAt: outdated.changedAt })
  expect(after(next.facts, quote('$180.00'))).toMatchObject({ changes: 'changed', isPriceNews: true })
  // While its own source is silent the price stays, and stays outdated.
  const other = after(outdated, quote('$90.00', { pricedBy: 'porkbun' }))
  expect(other.facts).toMatchObject({ price: '$82.70', isPriceOutdated: true })
  expect(after(outdated, seen()).facts).toMatchObject({ price: '$10.00', isPriceOutdated: false, changedAt: NOW })
})
