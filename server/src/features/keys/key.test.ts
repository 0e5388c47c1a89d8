import { expect, test } from 'vitest'
import { includesOrigin, isOriginPattern } from './key.ts'

test.each([
  'https://shop.example',
  'https://shop.example:8443',
  'http://localhost:3000',
  'http://127.0.0.1:5173',
  'http://[::1]:5173',
  'https://*.shop.example',
  'https://*.shop.example:8443',
  'https://*.shop.co.uk',
  'https://*.shop.github.io',
  'https://*.shop.any.sch.uk',
  // Exceptions of the list: the city of Kawasaki has this one.
  'https://*.city.kawasaki.jp',
  'https://xn--bcher-kva.example',
])('%s is an origin', (text) => {
  expect(isOriginPattern(text)).toBe(true)
})

test.each([
  '',
  '*',
  'null',
  'shop.example',
  'https://',
  'https://shop.example/',
  'https://shop.example/path',
  'https://shop.example?q',
  'https://user@shop.example',
  'https://Shop.example',
  'https://shop.example:443',
  'http://shop.example:80',
  'https://bücher.example',
  'ftp://shop.example',
  'https://*',
  'https://*.com',
  'https://*.co.uk',
  'https://*.co.uk:8443',
  'https://*.com.br',
  'https://*.github.io',
  'https://*.s3.amazonaws.com',
  'https://*.sch.uk',
  'https://*.kawasaki.jp',
  'https://*.kawasaki.jp:8443',
  'https://*.compute.amazonaws.com',
  // The public suffix rule is *.ck: every second level is a suffix.
  'https://*.anything.ck',
  'https://*.127.0.0.1',
  'http://*.shop.example',
  'https://a.*.shop.example',
  'https://*shop.example',
  'https://*.*.example',
  ' https://shop.example',
  'https://shop.example\n',
])('%j is none', (text) => {
  expect(isOriginPattern(text)).toBe(false)
})

test.each([
  ['https://shop.example', 'https://shop.example'],
  ['https://*.shop.example', 'https://www.shop.example'],
  ['https://*.shop.example:8443', 'https://a-1.shop.example:8443'],
])('%s lets %s in', (pattern, origin) => {
  expect(includesOrigin(['http://other.example', pattern], origin)).toBe(true)
})

test.each([
  ['https://shop.example', 'http://shop.example'],
  ['https://shop.example', 'https://shop.example:8443'],
  ['https://shop.example', 'https://www.shop.example'],
  ['https://shop.example', 'https://shop.example.evil.example'],
  ['https://shop.example', ''],
  ['https://shop.example', 'null'],
  ['https://*.shop.example', 'https://shop.example'],
  ['https://*.shop.example', 'https://.shop.example'],
  ['https://*.shop.example', 'https://a.b.shop.example'],
  ['https://*.shop.example', 'https://evilshop.example'],
  ['https://*.shop.example', 'https://evil.example/.shop.example'],
  ['https://*.shop.example', 'https://www.shop.example:8443'],
  ['https://*.shop.example', 'http://www.shop.example'],
  ['https://*.co.uk', 'https://shop.co.uk'],
  ['https://*.sch.uk', 'https://camden.sch.uk'],
])('%s keeps %j out', (pattern, origin) => {
  expect(includesOrigin([pattern], origin)).toBe(false)
})
