import { expect, test } from 'vitest'
import { findFormat } from './format.ts'

test.each([
  ['text/event-stream', 'sse'],
  ['Text/Event-Stream; charset=utf-8', 'sse'],
  ['application/x-ndjson', 'ndjson'],
  ['application/x-ndjson;q=0.5, text/event-stream;q=0.4', 'ndjson'],
  ['text/event-stream, application/x-ndjson', 'sse'],
  ['text/event-stream, application/json;q=0.9', 'sse'],
  ['text/event-stream, */*', 'sse'],
  ['text/event-stream, */*;q=0.1', 'sse'],
])('%s is a wish for %s', (accept, format) => {
  expect(findFormat(accept)).toBe(format)
})

test.each([
  undefined,
  '',
  '*/*',
  'text/*',
  'application/json',
  'application/problem+json',
  'application/json, text/event-stream',
  'text/event-stream, application/json',
  'text/event-stream;q=0.5, application/json',
  'text/event-stream;q=0.5, */*',
  'text/event-stream;q=0.5, application/*;q=0.6',
  'text/event-stream;q=0',
  'text/event-stream;q=2',
  'text/event-stream;q=x',
  'text/event-streams',
  'x-ndjson',
])('%s is a wish for JSON', (accept) => {
  expect(findFormat(accept)).toBeUndefined()
})
