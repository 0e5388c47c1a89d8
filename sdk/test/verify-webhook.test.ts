/** Verification of webhooks that the official Standard Webhooks library signs. */
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { verifySignature, verifyWebhook, WebhookError } from '../src/verify-webhook.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
const BODY = '{"type":"favorite.available","timestamp":"2026-11-15T10:00:00Z","data":{"domain":"åäö.com"}}'
const SENT_AT = Date.parse('2026-11-15T10:00:01Z')
const now = () => SENT_AT

const signed = (secret = SECRET, body = BODY, id = 'evt_1') => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(SENT_AT / 1000)),
  'webhook-signature': new Webhook(secret).sign(id, new Date(SENT_AT), body),
})

async function faultOf(verifying: Promise<unknown>): Promise<string> {
  const error = await verifying.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof WebhookError ? error.fault : String(error)
}

describe('a webhook that the official library signed', () => {
  test('is verified', async () => {
    expect(await verifyWebhook(BODY, signed(), SECRET, { now })).toEqual({
      id: 'evt_1',
      type: 'favorite.available',
      timestamp: '2026-11-15T10:00:00Z',
      data: { domain: 'åäö.com' },
    })
  })

  test('is verified from bytes, with a Headers object, and with a secret without its prefix', async () => {
    const { id } = await verifyWebhook(Buffer.from(BODY), new Headers(signed()), SECRET.slice(6), { now })
    expect(id).toBe('evt_1')
  })

  test('is verified when one of several signatures matches, as during a rotation', async () => {
    const both = `${signed(OTHER)['webhook-signature']} v1a,xyz ${signed()['webhook-signature']}`
    const headers = { ...signed(), 'webhook-signature': both }
    expect((await verifyWebhook(BODY, headers, SECRET, { now })).id).toBe('evt_1')
    expect((await verifyWebhook(BODY, headers, OTHER, { now })).id).toBe('evt_1')
  })
})

test('a signed request that is no event has a signature to verify, and no event in it', async () => {
  const body = '{"domains":["åäö.com"]}'
  const headers = signed(SECRET, body)
  expect(await verifySignature(body, headers, SECRET, { now })).toBe('evt_1')
  expect(await faultOf(verifySignature(body, headers, OTHER, { now }))).toBe('bad_signature')
  expect(await faultOf(verifyWebhook(body, headers, SECRET, { now }))).toBe('bad_payload')
})

describe('verification fails', () => {
  test('when a byte of the body, the id or the time was changed', async () => {
    expect(await faultOf(verifyWebhook(BODY.replace('å', 'ä'), signed(), SECRET, { now }))).toBe('bad_signature')
    expect(await faultOf(verifyWebhook(BODY, { ...signed(), 'webhook-id': 'evt_2' }, SECRET, { now }))).toBe(
      'bad_signature',
    )
    const later = { ...signed(), 'webhook-timestamp': String(Math.floor(SENT_AT / 1000) + 1) }
    expect(await faultOf(verifyWebhook(BODY, later, SECRET, { now }))).toBe('bad_signature')
  })

  test.for(['v1,', 'v1,!!!', 'v2,abcd', '', 'v1', ' ', 'v1,AAAA'])('with the signature %j', async (signature) => {
    const headers = { ...signed(), 'webhook-signature': signature }
    expect(await faultOf(verifyWebhook(BODY, headers, SECRET, { now }))).toMatch(/^(?:bad_signature|missing_header)$/)
  })

  test('with another secret, or an invalid one', async () => {
    expect(await faultOf(verifyWebhook(BODY, signed(), OTHER, { now }))).toBe('bad_signature')
    expect(await faultOf(verifyWebhook(BODY, signed(), 'whsec_', { now }))).toBe('bad_secret')
    expect(await faultOf(verifyWebhook(BODY, signed(), 'whsec_*', { now }))).toBe('bad_secret')
  })

  test('when it is older or newer than the tolerance, which can be set', async () => {
    const at = (ms: number, toleranceSeconds?: number) =>
      faultOf(
        verifyWebhook(BODY, signed(), SECRET, {
          now: () => SENT_AT + ms,
          ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
        }),
      )
    expect(await at(300_000)).toBe('undefined')
    expect(await at(301_000)).toBe('too_old')
    expect(await at(-301_000)).toBe('too_new')
    expect(await at(11_000, 10)).toBe('too_old')
    expect(await at(301_000, 400)).toBe('undefined')
  })

  test('without one of its headers, or with an invalid timestamp', async () => {
    for (const name of Object.keys(signed())) {
      expect(await faultOf(verifyWebhook(BODY, { ...signed(), [name]: undefined }, SECRET, { now }))).toBe(
        'missing_header',
      )
    }
    for (const time of ['1e9', '-1', 'now', '99999999999999999']) {
      const headers = { ...signed(), 'webhook-timestamp': time }
      expect(await faultOf(verifyWebhook(BODY, headers, SECRET, { now }))).toBe('bad_timestamp')
    }
  })

  test.for(['null', '[]', '{}', 'not json', '{"type":1,"timestamp":"","data":{}}'])(
    'when the body is %s',
    async (body) => {
      expect(await faultOf(verifyWebhook(body, signed(SECRET, body), SECRET, { now }))).toBe('bad_payload')
    },
  )
})
