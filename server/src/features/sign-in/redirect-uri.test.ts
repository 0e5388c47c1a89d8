import { expect, test } from 'vitest'
import { isRedirectUri } from './redirect-uri.ts'

test.each([
  'https://app.example/callback',
  'https://app.example:8443/callback?from=namewright',
  'https://127.0.0.1/callback',
  'http://localhost/callback',
  'http://127.0.0.1:5000/callback',
  'http://[::1]:5000/',
  'http://localhost',
  'com.example.app:/callback',
  'com.example.app://callback',
])('a code may be sent to %s', (text) => {
  expect(isRedirectUri(text)).toBe(true)
})

test.each([
  'http://app.example/callback',
  'http://localhost.app.example/callback',
  'http://localhost@app.example/',
  'http://127.0.0.1.app.example/',
  'http://127.1/callback',
  'https://app.example/callback#part',
  'https://app.example/#',
  'https://*.app.example/callback',
  'https://app.example/*',
  'https://ada:word@app.example/',
  'https://app.example\\@evil.example/',
  'https:app.example/callback',
  'https://app.example/a b',
  'https://app.example/\n',
  'javascript:alert(1)',
  'data:text/html,x',
  'myapp:/callback',
  '/callback',
  '',
])('no code is sent to %j', (text) => {
  expect(isRedirectUri(text)).toBe(false)
})
