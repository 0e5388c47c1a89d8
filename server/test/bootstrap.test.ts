/** Which RDAP server speaks for a suffix, and which editions of IANA's list are believed. */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Bootstrap, openBootstrap, openOutbound, type Outbound } from './source.ts'

const outbound = openOutbound({ allowPrivate: true, now: Date.now })
const suffixes = Array.from({ length: 100 }, (_, i) => `suffix${i}`)
const facts = {
  servers: { 'https://old.test/rdap/': suffixes.join(' ') },
  unlisted: { servers: { 'https://unlisted.test/': 'io' } },
  registered: { domains: 'google.co.suffix1 github.io' },
}

let server: Server
let url: string
let file: string | Buffer
let asked: (string | undefined)[]
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.headers['if-none-match'])
    if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end()
    else response.writeHead(200, { etag: '"1"', 'content-type': 'application/json' }).end(file)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dns.json`
})
beforeEach(() => {
  asked = []
})
afterAll(async () => {
  await outbound.close()
  server.closeAllConnections()
  server.close()
})

const edition = (names: readonly string[], base = 'https://new.test/rdap') =>
  JSON.stringify({ version: '1.0', publication: '2026-08-01', services: [[names, [base.replace('s:', ':'), base]]] })

test('the shipped facts know the server of every large suffix, over https', async () => {
  const shipped = openBootstrap({ outbound, now: Date.now })
  for (const suffix of ['com', 'net', 'org', 'io', 'co', 'ai', 'dev', 'app', 'xyz', 'de', 'co.uk', 'com.au']) {
    const found = shipped.findServer(suffix)
    expect(found?.base, suffix).toMatch(/^https:\/\/.*\/$/)
    expect(found?.known[0], suffix).toMatch(new RegExp(`\\.${found?.suffix}$`))
  }
  expect(shipped.findServer('com')?.known).toEqual(['google.com', 'nic.com'])
  expect(shipped.findServer('club')?.known).toEqual(['nic.club'])
  expect(shipped.findServer('co.uk')).toMatchObject({ suffix: 'uk', known: ['google.co.uk', 'nic.uk'] })
  // Has no RDAP server, or none with https.
  for (const suffix of ['jp', 'kg', 'no-such-suffix', '']) expect(shipped.findServer(suffix), suffix).toBeUndefined()
})

test('a new edition is taken, unlisted servers stay, and the next fetch asks only for what is newer', async () => {
  const bootstrap = openBootstrap({ outbound, now: Date.now, facts, url })
  file = edition([...suffixes, 'FRESH'])
  expect(await bootstrap.refresh()).toBe('fresh')
  expect(bootstrap.findServer('suffix7')?.base).toBe('https://new.test/rdap/')
  expect(bootstrap.findServer('fresh')?.base).toBe('https://new.test/rdap/')
  expect(bootstrap.findServer('io')?.base).toBe('https://unlisted.test/')
  expect(await bootstrap.refresh()).toBe('unchanged')
  expect(asked).toEqual([undefined, '"1"'])
})

test('an edition that does not look like the next one is refused, and the last good one stays', async () => {
  const bootstrap = openBootstrap({ outbound, now: Date.now, facts, url })
  const editions: Record<string, string | Buffer> = {
    empty: '',
    html: '<html>',
    truncated: edition(suffixes).slice(0, -5),
    halved: edition(suffixes.slice(50)),
    doubled: edition([...suffixes, ...suffixes.map((suffix) => `x${suffix}`)]),
    'without https': edition(suffixes, 'http://new.test/rdap/'),
    'of another version': edition(suffixes).replace('1.0', '2.0'),
    'of another shape': '{"version":"1.0","services":[{"com":"https://new.test/"}]}',
    deep: '['.repeat(100_000),
    'ten megabytes': Buffer.alloc(10_000_000, ' '),
  }
  for (const [what, content] of Object.entries(editions)) {
    file = content
    expect(await bootstrap.refresh(), what).toBe('refused')
    expect(bootstrap.findServer('suffix7')?.base, what).toBe('https://old.test/rdap/')
  }
})

test('the list is fetched once a day by whoever asks, who does not wait; after a failure in an hour', async () => {
  let at = Date.now()
  const outcomes: string[] = []
  const onRefresh = (outcome: string) => void outcomes.push(outcome)
  const bootstrap = openBootstrap({ outbound, now: () => at, facts, url, onRefresh })
  file = '<html>'
  await askAndWait(bootstrap, () => outcomes.length === 1)
  at += 59 * 60_000
  bootstrap.findServer('suffix7')
  at += 2 * 60_000
  file = edition(suffixes)
  await askAndWait(bootstrap, () => outcomes.length === 2)
  at += 23 * 3_600_000
  bootstrap.findServer('suffix7')
  at += 2 * 3_600_000
  await askAndWait(bootstrap, () => outcomes.length === 3)
  expect(outcomes).toEqual(['refused', 'fresh', 'unchanged'])
  expect(asked).toHaveLength(3)
})

test('a list that cannot be reached changes nothing', async () => {
  const bootstrap = openBootstrap({ outbound, now: Date.now, facts, url: 'http://127.0.0.1:1/' })
  expect(await bootstrap.refresh()).toBe('unreachable')
  expect(bootstrap.findServer('suffix7')?.base).toBe('https://old.test/rdap/')
})

test('without an address of the list nothing is fetched, and the shipped one is used', async () => {
  const sent: string[] = []
  const watched: Outbound = { ...outbound, send: (request) => (sent.push(request.url), outbound.send(request)) }
  const bootstrap = openBootstrap({ outbound: watched, now: Date.now, facts })
  expect(bootstrap.findServer('suffix7')?.base).toBe('https://old.test/rdap/')
  expect(await bootstrap.refresh()).toBe('unchanged')
  expect(sent).toEqual([])
})

async function askAndWait(bootstrap: Bootstrap, isDone: () => boolean): Promise<void> {
  for (let i = 0; i < 10; i++) bootstrap.findServer('suffix7')
  while (!isDone()) await wait(5)
}
