import { once } from 'node:events'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { zoneGzip } from '../../../server/test/internet/czds-zone.ts'
import { buildIndex } from './build.ts'
import { filesOf, MANIFEST, parseManifest, type Suffix } from './manifest.ts'
import { findOpenBytes, readShared } from './mapped.ts'
import type { OriginOptions } from './origin.ts'
import { findFault } from './trust.ts'
import { openZoneIndex, type ZoneIndex, type ZoneIndexOptions } from './zone-index.ts'

const COM = 'com' as Suffix
const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.parse('2026-07-01T00:00:00Z')

let folder = ''
let out = ''
let time = START
let warnings: string[] = []
let open: ZoneIndex[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'registered-'))
  out = join(folder, 'out')
  time = START
  warnings = []
  open = []
})
afterEach(async () => {
  await Promise.all(open.map((one) => one.close()))
  rmSync(folder, { recursive: true })
})

const named = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `name${from + index}`)

async function build(labels: readonly string[], day = 0, suffix = COM) {
  const path = join(folder, `${suffix}.zone.gz`)
  writeFileSync(path, zoneGzip(suffix, labels))
  await buildIndex({ zones: [{ suffix, path }], out, snapshotAt: START + day * DAY })
  time = Math.max(time, START + day * DAY)
}

async function start(from: OriginOptions = { directory: out }, options: Partial<ZoneIndexOptions> = {}) {
  const log = { info: () => {}, warn: (fields: object) => warnings.push(JSON.stringify(fields)) }
  const source = await openZoneIndex({ from, cacheDirectory: join(folder, 'cache'), now: () => time, log, ...options })
  open.push(source)
  return source
}

const isListed = (index: ZoneIndex, domain: string) => index.registeredMs(domain, time) !== undefined

/** The file of that kind in the origin. */
function pathOf(kind: string, suffix = COM): string {
  const index = parseManifest(readFileSync(join(out, MANIFEST), 'utf8')).get(suffix)!
  return join(out, filesOf(suffix, index).find((one) => one.kind === kind)!.name)
}

test('a listed name is registered for a day, and of any other nothing is said', async () => {
  await build(named(1000))
  const source = await start()
  await source.refresh()
  const asked = ['name7.com', 'free.com', 'name7.net', 'sub.name7.com']
  expect(asked.map((domain) => source.registeredMs(domain, START))).toEqual([DAY, undefined, undefined, undefined])
  expect([...source.suffixes().keys()]).toEqual([COM])
  expect(source.suffixes().get(COM)).toMatchObject({ names: 1000, snapshotAt: START })
})

test('without any index every question is left to others', async () => {
  const source = await start()
  await source.refresh()
  expect(isListed(source, 'name7.com')).toBe(false)
  expect(warnings.length).toBe(1)
  await source.refresh()
  expect(warnings.length, 'the same trouble is said once').toBe(1)
})

test('what was dropped since the base is absent, what was added is registered', async () => {
  await build(named(1000))
  const source = await start()
  await source.refresh()
  await build(named(1000, 5), 1)
  await source.refresh()
  expect(isListed(source, 'name4.com')).toBe(false)
  expect(isListed(source, 'name5.com')).toBe(true)
  expect(isListed(source, 'name1004.com')).toBe(true)
  expect(warnings).toEqual([])
})

test('an index older than three days counts as none, and what it said does not outlive it', async () => {
  await build(named(100))
  const source = await start()
  await source.refresh()
  time = START + 71 * HOUR
  expect(source.registeredMs('name7.com', time)).toBe(HOUR)
  time = START + 72 * HOUR
  expect(isListed(source, 'name7.com')).toBe(false)
})

test('a node starts from its cache when the origin is gone', async () => {
  await build(named(100))
  const first = await start()
  await first.refresh()
  await first.close()
  rmSync(out, { recursive: true })
  const second = await start()
  expect(isListed(second, 'name7.com')).toBe(true)
  await second.refresh()
  expect(isListed(second, 'name7.com')).toBe(true)
})

test('a broken file in the cache is fetched again', async () => {
  await build(named(100))
  const first = await start()
  await first.refresh()
  await first.close()
  const cached = readdirSync(join(folder, 'cache')).find((name) => name.endsWith('.bf16'))!
  writeFileSync(join(folder, 'cache', cached), 'broken')
  const second = await start()
  await second.refresh()
  expect(warnings.length).toBe(1)
  expect(isListed(second, 'name7.com')).toBe(true)
})

const breakages: [string, (path: string) => void][] = [
  ['truncated', (path) => truncateSync(path, 100)],
  ['doubled', (path) => writeFileSync(path, Buffer.concat([readFileSync(path), readFileSync(path)]))],
  ['empty', (path) => truncateSync(path, 0)],
  ['missing', (path) => rmSync(path)],
  ['replaced by another index', (path) => copyFileSync(join(folder, 'other'), path)],
  [
    'wrong in one byte',
    (path) => {
      const bytes = readFileSync(path)
      bytes[bytes.length - 70]! ^= 1
      writeFileSync(path, bytes)
    },
  ],
]

test.each(breakages)('a file that is %s is refused and reported, and the last good one stays', async (_, spoil) => {
  await build(named(1000))
  const source = await start()
  await source.refresh()
  copyFileSync(pathOf('bf16'), join(folder, 'other'))
  await build(named(1010), 8)
  const good = readFileSync(pathOf('bf16'))
  const path = pathOf('bf16')
  spoil(path)
  await source.refresh()
  expect(warnings.length).toBe(1)
  expect(source.suffixes().get(COM)?.names).toBe(1000)
  // Corrected under the same manifest, it is used at the next poll.
  writeFileSync(path, good)
  await source.refresh()
  expect(source.suffixes().get(COM)?.names).toBe(1010)
  expect(isListed(source, 'name1009.com')).toBe(true)
})

test('a broken manifest changes nothing', async () => {
  await build(named(100))
  const source = await start()
  await source.refresh()
  const text = readFileSync(join(out, MANIFEST), 'utf8')
  for (const broken of ['', text.slice(0, 90), text + text, '{}', '<html>']) {
    writeFileSync(join(out, MANIFEST), broken)
    await source.refresh()
    expect(isListed(source, 'name7.com')).toBe(true)
  }
  expect(warnings.length).toBeGreaterThan(0)
})

test('a suffix whose count moved more than 5 % in a day is refused, and over more days is not', async () => {
  await build(named(1000))
  const source = await start()
  await source.refresh()
  await build(named(1060), 1)
  await source.refresh()
  expect(source.suffixes().get(COM)?.names).toBe(1000)
  expect(warnings[0]).toContain('changed from 1000 to 1060')
  await build(named(940), 1)
  await source.refresh()
  expect(source.suffixes().get(COM)?.names).toBe(1000)
  await build(named(1050), 1)
  await source.refresh()
  expect(source.suffixes().get(COM)?.names).toBe(1050)
  await build(named(1150), 3)
  await source.refresh()
  expect(source.suffixes().get(COM)?.names).toBe(1150)
})

test('one refused suffix does not keep the others back', async () => {
  await build(named(1000))
  await build(named(1000), 0, 'net' as Suffix)
  const source = await start()
  await source.refresh()
  await build(named(2000), 1)
  await build(named(1010), 1, 'net' as Suffix)
  await source.refresh()
  expect(source.suffixes().get(COM)?.names).toBe(1000)
  expect(source.suffixes().get('net' as Suffix)?.names).toBe(1010)
})

test('a snapshot from the future is refused, because it would never grow old', async () => {
  await build(named(100), 2)
  time = START
  const source = await start()
  await source.refresh()
  expect(isListed(source, 'name7.com')).toBe(false)
  expect(warnings[0]).toContain('future')
})

test('names are looked up without one failure while the index is swapped again and again', async () => {
  await build(named(5000))
  // At once, so that any use of old memory would be caught.
  const source = await start(undefined, { unmapMs: 0 })
  await source.refresh()
  const always = named(1000, 500).map((label) => `${label}.com`)
  let asked = 0
  let missed = 0
  const done = new AbortController()
  const looking = (async () => {
    while (!done.signal.aborted) {
      asked += always.length
      missed += always.filter((domain) => !isListed(source, domain)).length
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  for (let day = 1; day <= 10; day++) {
    await build(named(5000, day), day)
    await source.refresh()
  }
  done.abort()
  await looking
  expect(warnings).toEqual([])
  expect(source.suffixes().get(COM)?.snapshotAt).toBe(START + 10 * DAY)
  expect(asked).toBeGreaterThan(10_000)
  expect(missed).toBe(0)
})

test('mapped and read into memory, an index gives the same answers', async () => {
  await build(named(3000))
  await build(named(3000, 9), 1)
  const [mapped, read] = [
    await start(undefined, { openBytes: await findOpenBytes(), cacheDirectory: join(folder, 'one') }),
    await start(undefined, { openBytes: readShared, cacheDirectory: join(folder, 'two') }),
  ]
  await Promise.all([mapped.refresh(), read.refresh()])
  const asked = named(50_000).map((label) => `${label}.com`)
  const answers = asked.map((domain) => isListed(mapped, domain))
  expect(answers.filter(Boolean).length).toBeGreaterThanOrEqual(3000)
  expect(asked.map((domain) => isListed(read, domain))).toEqual(answers)
})

test('an index is polled over HTTP, with its header, and unchanged it costs one small answer', async () => {
  await build(named(1000))
  const asked: string[] = []
  const server = createServer((incoming, response) => {
    const name = (incoming.url ?? '').split('/').at(-1) ?? ''
    const etag = `"${readFileSync(join(out, MANIFEST)).length}"`
    const isSame = incoming.headers['if-none-match'] === etag
    const status = incoming.headers.authorization !== 'Bearer sesame' ? 403 : isSame ? 304 : 200
    asked.push(`${name} ${status}`)
    response.writeHead(status, { etag }).end(status === 200 ? readFileSync(join(out, name)) : '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const manifestUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/idx/manifest.json`
  try {
    const source = await start({ manifestUrl, headers: { authorization: 'Bearer sesame' }, request })
    await source.refresh()
    await source.refresh()
    expect(isListed(source, 'name7.com')).toBe(true)
    expect(asked).toEqual(['manifest.json 200', `${pathOf('bf16').split('/').at(-1)} 200`, 'manifest.json 304'])
    const refused = await start({ manifestUrl, request }, { cacheDirectory: join(folder, 'other') })
    await refused.refresh()
    expect(warnings[0]).toContain('403')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('the manifest is looked at again after the poll time', async () => {
  await build(named(100))
  const source = await start(undefined, { pollMs: 20 })
  await expect.poll(() => isListed(source, 'name7.com')).toBe(true)
  await build(named(105), 1)
  await expect.poll(() => isListed(source, 'name104.com')).toBe(true)
})

test('old files leave the cache when they are an hour old, and after closing nothing is answered', async () => {
  const cached = () => readdirSync(join(folder, 'cache')).filter((name) => name.endsWith('.bf16'))
  await build(named(100))
  const source = await start()
  await source.refresh()
  for (const [day, minutes] of [
    [8, 59],
    [16, 61],
  ] as const) {
    await build(named(100 + day), day)
    for (const name of cached()) utimesSync(join(folder, 'cache', name), time / 1000, time / 1000 - minutes * 60)
    await source.refresh()
    expect(cached().length).toBe(minutes > 60 ? 1 : 2)
  }
  await source.close()
  expect(isListed(source, 'name7.com')).toBe(false)
})

test('the cache cannot be the origin, whose files it would delete', async () => {
  await expect(start({ directory: out }, { cacheDirectory: `${out}/` })).rejects.toThrow('own directory')
})

test('an index that lacks a name which certainly exists, or finds what nobody has, is untrusted and not used', async () => {
  const states: (readonly [string, string | undefined])[] = []
  const knownName = (suffix: string) => (suffix === 'com' ? 'google.com' : undefined)
  const options: Partial<ZoneIndexOptions> = { knownName, onState: (state, why) => void states.push([state, why]) }
  await build(named(5_000))
  const index = await start({ directory: out }, options)
  await index.refresh()
  expect(states.at(-1)).toEqual(['untrusted', 'lacks google.com'])
  expect(index.suffixes().size).toBe(0)
  expect(isListed(index, 'name1.com')).toBe(false)
  await build(['google', ...named(5_000)], 1)
  await index.refresh()
  expect(states.at(-1)).toEqual(['trusted', undefined])
  expect(isListed(index, 'name1.com')).toBe(true)
  // The last good one stays in use.
  await build(named(5_000), 2)
  await index.refresh()
  expect(states.at(-1)?.[0]).toBe('untrusted')
  expect(isListed(index, 'google.com')).toBe(true)
  expect(findFault('com', { hasHash: () => true }, knownName)).toBe('contains unregistered domains under .com')
})
