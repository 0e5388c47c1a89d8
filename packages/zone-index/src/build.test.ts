import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { zoneGzip } from '../../../server/test/internet/czds-zone.ts'
import { buildIndex, type Progress } from './build.ts'
import { digestFile } from './digest.ts'
import { openFilter } from './filter.ts'
import { createHash, hashText } from './hash.ts'
import { openHashList } from './hash-list.ts'
import { BadManifest, filesOf, MANIFEST, parseManifest, type Suffix } from './manifest.ts'

const COM = 'com' as Suffix
const NET = 'net' as Suffix
const DAY = 86_400_000
const START = Date.parse('2026-07-01T00:00:00Z')

let folder = ''
let out = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'build-'))
  out = join(folder, 'out')
})
afterEach(() => rmSync(folder, { recursive: true }))

async function build(labels: readonly string[] | Buffer, day = 0, suffix = COM) {
  const path = join(folder, `${suffix}.zone.gz`)
  writeFileSync(path, Buffer.isBuffer(labels) ? labels : zoneGzip(suffix, labels))
  const [outcome] = await buildIndex({ zones: [{ suffix, path }], out, snapshotAt: START + day * DAY })
  return outcome
}

const manifest = () => parseManifest(readFileSync(join(out, MANIFEST), 'utf8'))
const named = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `name${from + index}`)

function bytesOf(kind: 'bf16' | 'adds' | 'drops'): Uint8Array {
  const file = filesOf(COM, manifest().get(COM)!).find((one) => one.kind === kind)
  return new Uint8Array(readFileSync(join(out, file?.name ?? 'missing')))
}

function isListed(kind: 'adds' | 'drops', domain: string): boolean {
  const hash = createHash()
  hashText(domain, hash)
  return openHashList(bytesOf(kind)).hasHash(hash[0] as number, hash[1] as number)
}

test('a first build makes a base, its list and a manifest that says what they are', async () => {
  expect(await build(named(2000))).toEqual({ suffix: COM, kind: 'base', names: 2000, malformedLines: 0 })
  const index = manifest().get(COM)!
  expect(index).toMatchObject({ names: 2000, snapshotAt: START })
  expect(await digestFile(join(out, filesOf(COM, index)[0]!.name))).toEqual({
    sha256: index.base.sha256,
    bytes: index.base.bytes,
  })
  const filter = openFilter(bytesOf('bf16'))
  for (const label of named(2000)) expect(filter.has(`${label}.com`)).toBe(true)
  expect((await digestFile(join(out, 'com.hashes'))).sha256).toBe(index.base.listSha256)
  // No partial files remain.
  expect(readdirSync(out).filter((name) => name.endsWith('.part') || name.startsWith('.'))).toEqual([])
})

test('on the days after, only what was added and dropped since the base is published', async () => {
  await build(named(2000))
  const base = manifest().get(COM)!.base
  await build(named(2000, 3), 1)
  expect(await build(named(2000, 10), 2)).toMatchObject({ kind: 'delta', names: 2000 })
  const index = manifest().get(COM)!
  expect(index.base).toEqual(base)
  expect(index.snapshotAt).toBe(START + 2 * DAY)
  // Cumulative: all ten of both days.
  expect([index.adds?.bytes, index.drops?.bytes]).toEqual([80, 80])
  for (let at = 0; at < 10; at++) {
    expect(isListed('drops', `name${at}.com`)).toBe(true)
    expect(isListed('adds', `name${2000 + at}.com`)).toBe(true)
  }
  expect(isListed('drops', 'name10.com')).toBe(false)
})

test('a zone that has not changed is a new snapshot of the same files', async () => {
  await build(named(50))
  await build(named(50), 1)
  const index = manifest().get(COM)!
  expect(index).toMatchObject({ snapshotAt: START + DAY, names: 50 })
  expect([index.adds, index.drops]).toEqual([undefined, undefined])
})

test('after a week, after large changes and without a good list there is a new base', async () => {
  await build(named(40_000))
  expect(await build(named(40_000, 1), 6)).toMatchObject({ kind: 'delta' })
  expect(await build(named(40_000, 1), 7)).toMatchObject({ kind: 'base' })
  expect(await build(named(40_000, 5000), 8)).toMatchObject({ kind: 'base' })
  truncateSync(join(out, 'com.hashes'), 40_000 * 8 - 8)
  expect(await build(named(40_000, 5001), 9)).toMatchObject({ kind: 'base' })
  truncateSync(join(out, 'com.hashes'), 40_000 * 8 - 3)
  expect(await build(named(40_000, 5001), 10)).toMatchObject({ kind: 'base' })
  rmSync(join(out, 'com.hashes'))
  expect(await build(named(40_000, 5001), 11)).toMatchObject({ kind: 'base' })
})

test('files are kept while the current or the last manifest names them, and then deleted', async () => {
  await build(named(100))
  const first = filesOf(COM, manifest().get(COM)!)[0]!.name
  await build(named(90), 8)
  expect(existsSync(join(out, first))).toBe(true)
  await build(named(95), 16)
  expect(existsSync(join(out, first))).toBe(false)
})

test('a zone that is cut off, empty or of another suffix is refused, and the suffix keeps what it had', async () => {
  await build(named(100))
  const before = readFileSync(join(out, MANIFEST), 'utf8')
  const whole = zoneGzip('com', named(5000))
  expect(await build(whole.subarray(0, whole.length / 2), 1)).toMatchObject({ kind: 'refused' })
  expect(await build(zoneGzip('net', named(100)), 1)).toMatchObject({ kind: 'refused' })
  expect(await build([], 1)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('no delegations') })
  expect(readFileSync(join(out, MANIFEST), 'utf8')).toBe(before)
})

test('one refused zone does not keep the others back', async () => {
  const [good, bad] = [join(folder, 'net.gz'), join(folder, 'com.gz')]
  writeFileSync(good, zoneGzip('net', named(10)))
  writeFileSync(bad, 'nothing')
  const zones = [
    { suffix: COM, path: bad },
    { suffix: NET, path: good },
  ]
  const outcomes = await buildIndex({ zones, out, snapshotAt: START })
  expect(outcomes.map(({ kind }) => kind)).toEqual(['refused', 'base'])
  expect([...manifest().keys()]).toEqual(['net'])
})

test('progress counts bytes and then names, up to all of them', async () => {
  const path = join(folder, 'zone.gz')
  writeFileSync(path, zoneGzip('com', named(5000)))
  const seen: Progress[] = []
  await buildIndex({ zones: [{ suffix: COM, path }], out, snapshotAt: START, onProgress: (one) => seen.push(one) })
  const last = (phase: string) => seen.findLast((one) => one.phase === phase)!
  expect(last('read').done).toBe(last('read').total)
  expect(last('build')).toMatchObject({ done: 5000, total: 5000 })
})

test('a manifest with anything missing, wrong or impossible is refused', async () => {
  await build(named(2000))
  await build(named(2000, 1), 1)
  const text = readFileSync(join(out, MANIFEST), 'utf8')
  expect(parseManifest(text).get(COM)?.names).toBe(2000)
  const changes: [string, string | RegExp, string][] = [
    ['cut off', /\}\s*\}\s*\}\s*$/, ''],
    ['of another format', '"format": 1', '"format": 2'],
    ['with a suffix that is a path', '"com"', '"../com"'],
    ['with a count that does not add up', '"names": 2000', '"names": 1999'],
    ['with an empty file', /"bytes": \d+/, '"bytes": 0'],
    ['with a wrong SHA-256', /"sha256": "[0-9a-f]/, '"sha256": "x'],
    ['with a wrong time', /"snapshotAt": "2026/, '"snapshotAt": "soon'],
    ['with an unknown coverage', 'delegated', 'everything'],
    ['that lists nothing', /"suffixes": \{[^]*/, '"suffixes": {}}'],
    ['that is a list', /^[^]*$/, '[]'],
    ['that is empty', /^[^]*$/, ''],
  ]
  for (const [what, from, to] of changes) {
    expect(text.replace(from, to), what).not.toBe(text)
    expect(() => parseManifest(text.replace(from, to)), what).toThrow(BadManifest)
  }
})
