import { expect, test } from 'vitest'
import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts'
import { findExpiryDate, readBody, readHead } from './answer.ts'

const NOW = Date.parse('2026-08-01T00:00:00Z')
const RDAP = { 'content-type': 'application/rdap+json; charset=utf-8' }
const mayfly = { objectClassName: 'domain', ldhName: 'mayfly.com' }

function answer(status: number, body: unknown = '', headers: Record<string, string> = RDAP): OutboundAnswer {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return { kind: 'answer', status, headers, body: bytes }
}

const read = (given: OutboundAnswer) => readBody(given, 'mayfly.com', NOW)

test('a body that says so of the very domain is a registration, however its name is written', () => {
  expect(read(answer(200, mayfly))).toBe('registered')
  expect(read(answer(200, { ...mayfly, ldhName: 'MAYFLY.COM.' }))).toBe('registered')
  expect(read(answer(200, mayfly, { 'content-type': 'application/json' }))).toBe('registered')
})

test('a registration that may end soon is told apart', () => {
  const expiring = (eventDate: string) => ({ ...mayfly, events: [{ eventAction: 'expiration', eventDate }] })
  expect(read(answer(200, { ...mayfly, status: ['redemption period'] }))).toBe('ending')
  expect(read(answer(200, { ...mayfly, status: ['active', 'pending delete'] }))).toBe('ending')
  expect(read(answer(200, expiring('2026-08-20T00:00:00Z')))).toBe('ending')
  expect(read(answer(200, expiring('2027-08-20T00:00:00Z')))).toBe('registered')
  expect(read(answer(200, expiring('soon')))).toBe('registered')
})

test('the end of a registration is read where it is a date that can be one', () => {
  const expiryOf = (...events: unknown[]) => findExpiryDate(answer(200, { ...mayfly, events }), NOW)
  const expiring = (eventDate: unknown) => ({ eventAction: 'expiration', eventDate })
  const next = Date.parse('2027-03-04T05:06:07Z')
  expect(
    expiryOf({ eventAction: 'registration', eventDate: '2001-01-01T00:00:00Z' }, expiring('2027-03-04T05:06:07Z')),
  ).toBe(next)
  expect(expiryOf(expiring('2027-03-04T06:06:07+01:00'))).toBe(next)
  expect(expiryOf(expiring('2026-05-01T00:00:00Z'))).toBe(Date.parse('2026-05-01T00:00:00Z'))
  // An event that is no valid date is skipped, and the events after it still count.
  expect(expiryOf(expiring('9999-12-31T23:59:59Z'), null, 7, expiring('2027-03-04T05:06:07Z'))).toBe(next)
  const senseless = [
    '',
    'soon',
    '1',
    '2027',
    '2027-13-45T99:99:99Z',
    '0001-01-01T00:00:00Z',
    '2040-01-01T00:00:00Z',
    5,
    null,
    {},
    [],
  ]
  for (const date of senseless) expect(expiryOf(expiring(date)), JSON.stringify(date)).toBeUndefined()
  for (const events of ['none', {}, null, 3])
    expect(findExpiryDate(answer(200, { ...mayfly, events }), NOW)).toBeUndefined()
  expect(findExpiryDate(answer(200, 'no JSON'), NOW)).toBeUndefined()
  expect(findExpiryDate({ kind: 'failed', reason: 'timeout' }, NOW)).toBeUndefined()
  expect(
    expiryOf(...Array.from({ length: 60 }, () => expiring('soon')), expiring('2027-03-04T05:06:07Z')),
  ).toBeUndefined()
})

test('a 200 with anything else proves nothing', () => {
  for (const body of ['', '[]', 'null', '<html>', { ...mayfly, ldhName: 'mayfly.net' }, { ldhName: 'mayfly.com' }]) {
    expect(read(answer(200, body)), JSON.stringify(body)).toBe('malformed')
  }
  expect(read(answer(200, mayfly, { 'content-type': 'text/html' }))).toBe('malformed')
  expect(read(answer(200, mayfly, {}))).toBe('malformed')
})

test('a 404 is absence, unless a web page says it', () => {
  for (const reader of [readHead, read]) {
    expect(reader(answer(404))).toBe('absent')
    expect(reader(answer(404, '', {}))).toBe('absent')
    expect(reader(answer(404, '<html>', { 'content-type': 'text/html' }))).toBe('malformed')
  }
})

test('403, 422, 429 and a 503 with a time are all "too much"', () => {
  for (const status of [403, 422, 429]) expect(readHead(answer(status))).toBe('limited')
  expect(readHead({ ...answer(503), retryAfterMs: 1000 } as OutboundAnswer)).toBe('limited')
  expect(readHead(answer(503))).toBe('broken')
})

test('other statuses prove nothing, and no answer is trouble', () => {
  for (const status of [201, 204, 206, 304, 400, 401, 405, 410, 451]) expect(read(answer(status))).toBe('malformed')
  expect(read({ kind: 'failed', reason: 'timeout' })).toBe('broken')
  expect(read({ kind: 'failed', reason: 'too_large' })).toBe('malformed')
})
