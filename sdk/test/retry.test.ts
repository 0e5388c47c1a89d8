import { describe, expect, test } from 'vitest'
import { NamewrightError, NetworkError } from '../src/errors.ts'
import { findWait, isRetryable, retryAfterMsOf } from '../src/retry.ts'

const refused = (status: number, code = 'unexpected') =>
  new NamewrightError(code as NamewrightError['code'], status, 'refused')
const after = (headers: Record<string, string>) => retryAfterMsOf(new Headers(headers))

describe('a retry', () => {
  test.for([408, 425, 429, 500, 502, 503, 504, 520, 599])('is made after a %i', (status) => {
    expect(isRetryable(refused(status))).toBe(true)
  })

  test.for([0, 200, 301, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 431, 501, 505])(
    'is not made after a %i',
    (status) => {
      expect(isRetryable(refused(status))).toBe(false)
    },
  )

  test('is made while the first request with the same key is running, and after no other 409', () => {
    expect(isRetryable(refused(409, 'idempotency_in_progress'))).toBe(true)
    expect(isRetryable(refused(409, 'last_owner'))).toBe(false)
  })

  test('is made after a lost connection, and not when the certificate is not trusted', () => {
    const lost = (code: string) =>
      new NetworkError('lost', { cause: new TypeError('fetch failed', { cause: { code } }) })
    for (const code of ['ECONNRESET', 'ECONNREFUSED', 'UND_ERR_SOCKET', 'EAI_AGAIN', 'ETIMEDOUT'])
      expect(isRetryable(lost(code)), code).toBe(true)
    for (const code of ['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'])
      expect(isRetryable(lost(code)), code).toBe(false)
    expect(isRetryable(new NetworkError('lost', { cause: undefined }))).toBe(true)
  })

  test('is not made to a port that fetch refuses', async () => {
    const cause = await fetch('http://127.0.0.1:6000/').catch((error: unknown) => error)
    expect(isRetryable(new NetworkError('lost', { cause }))).toBe(false)
  })

  const wait = (tries: number, leftMs: number, drawn: number, retryAfterMs?: number) =>
    findWait(tries, { leftMs, retryAfterMs }, () => drawn)

  test('waits for a random time from a range that doubles up to a maximum', () => {
    expect([1, 2, 3, 4, 5, 6, 20].map((tries) => wait(tries, 30_000, 1))).toEqual([
      200, 400, 800, 1600, 3000, 3000, 3000,
    ])
    expect(wait(5, 30_000, 0)).toBe(0)
    expect(wait(5, 30_000, 0.5)).toBe(1500)
  })

  test('waits less towards the end of the budget, and is not made after it', () => {
    expect(wait(20, 2_000, 1)).toBe(1000)
    expect(wait(20, 100, 1)).toBe(50)
    expect(wait(1, 49, 0)).toBeUndefined()
  })

  test('is never made before Retry-After, and not by all callers at once', () => {
    expect(wait(1, 30_000, 0, 2000)).toBe(2000)
    expect(wait(1, 30_000, 0.5, 2000)).toBe(2100)
    expect(wait(1, 2_000, 0, 2_000)).toBeUndefined()
  })
})

describe('Retry-After', () => {
  test('is seconds', () => {
    expect(after({ 'retry-after': '7' })).toBe(7000)
    expect(after({ 'retry-after': ' 0 ' })).toBe(0)
  })

  test('or a date, compared with the date of the same response', () => {
    const date = 'Sun, 15 Nov 2026 10:00:00 GMT'
    expect(after({ date, 'retry-after': 'Sun, 15 Nov 2026 10:00:09 GMT' })).toBe(9000)
    expect(after({ date, 'retry-after': 'Sun, 15 Nov 2026 09:00:00 GMT' })).toBe(0)
    expect(after({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() })).toBeGreaterThan(50_000)
  })

  test.for(['', 'soon', '-1', '1.5', '1e3', '99999999999', 'Mon, 99 Foo'])('is ignored when it is %j', (text) => {
    expect(after({ 'retry-after': text })).toBeUndefined()
  })
})
