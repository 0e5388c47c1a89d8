/** The element without a browser: its attributes, the address of a registration, and how results replace each other. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ATTRIBUTES, registerUrlOf, settingsOf } from '../src/element/attributes.ts'
import { createResults } from '../src/element/results.ts'

const page = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8')

test('the table of attributes in the manual is that of the code', () => {
  const [, section = ''] = page.split('\n## Attributes\n')
  const rows = section.split('\n## ')[0]?.match(/^\| `.*\|$/gm) ?? []
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()))
  expect(cells.map(([, name = '', , otherwise]) => [name.replaceAll('`', ''), otherwise])).toEqual(
    Object.entries(ATTRIBUTES),
  )
})

test('attributes that are missing or invalid fall back to their defaults', () => {
  const of = (given: Record<string, string>) =>
    settingsOf((name) => given[name] ?? null, 'https://names.example/embed/x.js')
  expect(of({})).toEqual({
    baseUrl: 'https://names.example',
    publishableKey: '',
    tlds: [],
    count: 8,
    language: undefined,
    registerUrl: undefined,
    handles: false,
  })
  expect(of({ handles: '' }).handles).toBe(true)
  expect(of({ count: '9000' }).count).toBe(50)
  expect(of({ count: '0' }).count).toBe(1)
  expect(of({ count: 'many' }).count).toBe(8)
  expect(of({ tlds: ' .com,net  co.uk,' }).tlds).toEqual(['com', 'net', 'co.uk'])
  expect(settingsOf(() => null, 'file:///x.js').baseUrl).toBe('')
})

test('a registration URL leads to a page, never to a script', () => {
  const PAGE = 'https://shop.example/a/'
  const cases: [string | undefined, string | undefined][] = [
    ['https://cart.example/?d={domain}&again={domain}', 'https://cart.example/?d=b%C3%BC.com&again=b%C3%BC.com'],
    ['/cart/{domain}', 'https://shop.example/cart/b%C3%BC.com'],
    ['cart', 'https://shop.example/a/cart'],
    ['javascript:alert(1)', undefined],
    [' JavaScript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['https://', undefined],
    [undefined, undefined],
  ]
  for (const [template, url] of cases) expect(registerUrlOf(template, 'bü.com', PAGE), template).toBe(url)
})

test('a suggestion keeps its position, is updated, and is removed when it is withdrawn', () => {
  const entry = (domain: string, available = true) => ({ domain, available, price: '$1.00' })
  const results = createResults()
  const seen = () => results.list().map(({ name, domains }) => [name, ...domains.map(({ domain }) => domain)].join(' '))
  const id = 'x.1'
  results.apply({ event: 'suggestion', id, data: { name: 'Old', domains: [entry('old.com')] } })
  results.apply({ event: 'restarted', id })
  expect(seen()).toEqual([])
  for (const name of ['B', 'A', 'C'])
    results.apply({
      event: 'suggestion',
      id,
      data: { name, domains: [entry(`${name}.com`), entry(`${name}.net`, false)] },
    })
  results.apply({ event: 'domain', id, data: { name: 'A', index: 1, domain: entry('A.net') } })
  results.apply({ event: 'domain', id, data: { name: 'B', index: 0, domain: entry('B.com', false) } })
  results.apply({ event: 'domain', id, data: { name: 'Nobody', index: 0, domain: entry('x.com') } })
  expect(seen()).toEqual(['A A.com A.net', 'C C.com'])
  results.apply({ event: 'withdrawn', id, data: { name: 'C' } })
  const last = ['D', 'A', 'B'].map((name) => ({ name, domains: [entry(`${name}.com`)] }))
  results.apply({ event: 'done', id, data: { suggestions: last } })
  expect(seen()).toEqual(['B B.com', 'A A.com', 'D D.com'])
})
