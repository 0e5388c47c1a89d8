import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { BadIndexFile, headBytes } from './filter-file.ts'
import { openFilter, type Filter } from './filter.ts'
import { createHash, hashBytes, hashText } from './hash.ts'
import { openHashList, readHashList } from './hash-list.ts'
import { sortHashes } from './sort-hashes.ts'
import { openSpool } from './spool.ts'
import { writeFilter } from './write-filter.ts'

const folder = mkdtempSync(join(tmpdir(), 'filter-'))
afterAll(() => rmSync(folder, { recursive: true }))
const paths = { filter: join(folder, 'test.bf16'), list: join(folder, 'test.hashes') }

function build(names: number, nameOf = (index: number) => `name-${index}.com`): Buffer {
  using spool = openSpool(join(folder, 'spool'))
  const hash = createHash()
  for (let index = 0; index < names; index++) {
    hashText(nameOf(index), hash)
    spool.add(hash[0] as number, hash[1] as number)
  }
  writeFilter(paths, spool.count, spool.sorted())
  return readFileSync(paths.filter)
}

test('a text and its bytes have the same hash, and different texts have different ones', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9.-]{1,80}$/), fc.stringMatching(/^[a-z0-9.-]{1,80}$/), (text, other) => {
      const [fromText, fromBytes, ofOther] = [createHash(), createHash(), createHash()]
      hashText(text, fromText)
      const bytes = Buffer.from(`#${text}#`)
      hashBytes(bytes, 1, bytes.length - 1, fromBytes)
      hashText(other, ofOther)
      expect(fromBytes).toEqual(fromText)
      if (text !== other) expect(ofOther).not.toEqual(fromText)
    }),
  )
})

test('a million names are all found, and of another million fewer than 2 in 100,000', () => {
  const bytes = build(1_000_000)
  const filter = openFilter(bytes)
  let missed = 0
  let wrong = 0
  for (let index = 0; index < 1_000_000; index++) {
    if (!filter.has(`name-${index}.com`)) missed++
    if (filter.has(`name-${index}.net`)) wrong++
  }
  expect(filter.names).toBe(1_000_000)
  expect(missed).toBe(0)
  // 15 are expected; 40 would be six standard deviations off.
  expect(wrong).toBeLessThan(40)
  expect((bytes.length * 8) / 1_000_000).toBeLessThan(18.5)
})

test('names above one shard fall into several', () => {
  const hash = createHash()
  const filter = openFilter(build(3_100_000))
  let missed = 0
  for (let index = 0; index < 3_100_000; index += 7) {
    hashText(`name-${index}.com`, hash)
    if (!filter.hasHash(hash[0] as number, hash[1] as number)) missed++
  }
  expect(missed).toBe(0)
})

test.each([1, 2, 3, 4, 5, 10, 31, 100, 999, 12_345])('%d names are all found', (names) => {
  const filter = openFilter(build(names))
  for (let index = 0; index < names; index++) expect(filter.has(`name-${index}.com`)).toBe(true)
})

test('an empty filter has nothing in it', () => {
  const filter = openFilter(build(0))
  expect(filter.names).toBe(0)
  for (let index = 0; index < 1000; index++) expect(filter.has(`name-${index}.com`)).toBe(false)
})

test('a name that comes twice counts once', () => {
  expect(openFilter(build(2000, (index) => `name-${index % 1000}.com`)).names).toBe(1000)
})

test('the same names make the same file', () => {
  expect(build(5000).equals(build(5000))).toBe(true)
})

test('a wrong byte anywhere in the head or the table is refused, but for the seed', () => {
  const bytes = build(3000)
  for (let at = 0; at < headBytes(1); at++) {
    // The seed may be any number; the SHA-256 protects it.
    if (at >= 68 && at < 72) continue
    for (const flip of [1, 0x80, 0xff]) {
      const broken = Buffer.from(bytes)
      broken[at] = (broken[at] as number) ^ flip
      expect(() => openFilter(broken), `byte ${at}`).toThrow(BadIndexFile)
    }
  }
})

test('a filter that is cut off, doubled, longer or empty is refused', () => {
  const bytes = build(3000)
  for (const length of [0, 1, 63, 64, 100, 127, 128, bytes.length - 1, bytes.length - 64]) {
    expect(() => openFilter(bytes.subarray(0, length)), `${length} bytes`).toThrow(BadIndexFile)
  }
  expect(() => openFilter(Buffer.concat([bytes, bytes]))).toThrow(BadIndexFile)
  expect(() => openFilter(Buffer.concat([bytes, Buffer.alloc(64)]))).toThrow(BadIndexFile)
})

test('hashes come out of the spool in order and once, whether they went to disk or not', () => {
  using spool = openSpool(join(folder, 'spool'))
  const all = new BigUint64Array(300_000)
  // Few leading bytes, so that single parts fill up and are written to disk.
  for (let index = 0; index < all.length; index++) {
    const first = ((index % 5) << 24) | (Math.imul(index % 250_000, 0x9e3779b1) >>> 8)
    spool.add(first >>> 0, index % 250_000)
    all[index] = (BigInt(first >>> 0) << 32n) | BigInt(index % 250_000)
  }
  const wanted = [...new Set(all.toSorted())]
  for (let walk = 0; walk < 2; walk++) {
    const found: bigint[] = []
    for (const piece of spool.sorted()) {
      for (let at = 0; at < piece.length; at += 2) found.push((BigInt(piece[at]!) << 32n) | BigInt(piece[at + 1]!))
    }
    expect(found).toEqual(wanted)
  }
})

test('sorting puts hashes in order whatever their order was', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(0xffffffff), fc.nat(3))), (pairs) => {
      const from = Uint32Array.from(pairs.flat())
      const to = new Uint32Array(from.length)
      const kept = sortHashes(from, pairs.length, to, 0)
      const wanted = [...new Set(pairs.map(([first, second]) => first * 4 + second))].toSorted((a, b) => a - b)
      const found = Array.from({ length: kept }, (_, at) => (to[2 * at] as number) * 4 + (to[2 * at + 1] as number))
      expect(found).toEqual(wanted)
    }),
  )
})

test('the list beside the filter has exactly its names', () => {
  const filter: Filter = openFilter(build(100_000))
  const list = openHashList(new Uint8Array(readFileSync(paths.list)))
  const hash = createHash()
  expect(list.names).toBe(100_000)
  let listed = 0
  for (const piece of readHashList(paths.list)) listed += piece.length / 2
  expect(listed).toBe(100_000)
  for (let index = 0; index < 200_000; index++) {
    hashText(`name-${index}.com`, hash)
    const isListed = list.hasHash(hash[0] as number, hash[1] as number)
    expect(isListed).toBe(index < 100_000)
    if (isListed) expect(filter.hasHash(hash[0] as number, hash[1] as number)).toBe(true)
  }
})

test('a list that is cut off or out of order is refused', () => {
  const words = Uint32Array.of(1, 2, 3, 4, 3, 5)
  const bytes = new Uint8Array(words.buffer)
  expect(openHashList(bytes).names).toBe(3)
  expect(() => openHashList(bytes.subarray(0, 20))).toThrow(BadIndexFile)
  expect(() => openHashList(new Uint8Array(Uint32Array.of(3, 4, 3, 4).buffer))).toThrow(BadIndexFile)
  expect(() => openHashList(new Uint8Array(Uint32Array.of(3, 4, 1, 9).buffer))).toThrow(BadIndexFile)
})
