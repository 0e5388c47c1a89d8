import { expect, test } from 'vitest'
import type { OutboundAnswer, OutboundRequest } from '../outbound.ts'
import { createModelFetch } from './model-fetch.ts'

const sent: OutboundRequest[] = []
const answered = (status: number, body = '{}'): OutboundAnswer => {
  return { kind: 'answer', status, headers: {}, body: Buffer.from(body) }
}
function fetchWith(answer: OutboundAnswer) {
  sent.length = 0
  const send = async (request: OutboundRequest) => {
    sent.push(request)
    return answer
  }
  return createModelFetch({ baseUrl: 'http://10.0.0.7:8000/v1', timeoutMs: 700, send })
}
const post = { method: 'POST', body: '{"a":1}', headers: { Authorization: 'Bearer x', 'User-Agent': 'ai/7' } }

test('a question goes out bounded in time and size, without what the SDK says of itself', async () => {
  const response = await fetchWith(answered(200, '{"ok":true}'))('http://10.0.0.7:8000/v1/chat/completions', post)
  expect(await response.json()).toEqual({ ok: true })
  expect(sent).toMatchObject([{ method: 'POST', body: '{"a":1}', maxBytes: 65_536, timeoutMs: 700 }])
  expect(sent[0]?.headers).toEqual({ authorization: 'Bearer x' })
})

test.each([
  'http://10.0.0.8:8000/v1/chat/completions',
  'http://10.0.0.7/v1/chat/completions',
  'https://10.0.0.7:8000/v1/chat/completions',
  'http://169.254.169.254/latest/meta-data',
])('nothing goes to another origin: %s', async (url) => {
  await expect(fetchWith(answered(200))(url, post)).rejects.toMatchObject({ outcome: 'unreachable' })
  expect(sent).toEqual([])
})

test.each([201, 204, 206, 304])('a status of %i is no answer', async (status) => {
  const asked = fetchWith(answered(status))('http://10.0.0.7:8000/v1/messages', post)
  await expect(asked).rejects.toMatchObject({ outcome: 'unreadable' })
})

test('an error is handed on, whatever its number', async () => {
  for (const status of [400, 503, 999]) {
    const response = await fetchWith(answered(status))('http://10.0.0.7:8000/v1/messages', post)
    expect(response.ok).toBe(false)
  }
})
