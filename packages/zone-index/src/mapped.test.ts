import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openFilter } from './filter.ts'
import { createHash, hashText } from './hash.ts'
import { findOpenBytes, readShared } from './mapped.ts'
import { openSpool } from './spool.ts'
import { writeFilter } from './write-filter.ts'

const folder = mkdtempSync(join(tmpdir(), 'mapped-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a mapped file and one read into shared memory have the same bytes', async () => {
  const content = randomBytes(1_000_003)
  writeFileSync(join(folder, 'file'), content)
  for (const openBytes of [await findOpenBytes(), readShared]) {
    const mapped = await openBytes(join(folder, 'file'))
    expect(Buffer.from(mapped.bytes).equals(content)).toBe(true)
    mapped.close()
  }
})

test('here files are really mapped, and after closing nothing of them can be read', async () => {
  writeFileSync(join(folder, 'file'), 'content')
  const openBytes = await findOpenBytes()
  expect(openBytes).not.toBe(readShared)
  const mapped = await openBytes(join(folder, 'file'))
  mapped.close()
  mapped.close()
  expect(mapped.bytes.length).toBe(0)
})

test('an empty file is empty bytes, and a missing one is an error', async () => {
  writeFileSync(join(folder, 'empty'), '')
  for (const openBytes of [await findOpenBytes(), readShared]) {
    expect((await openBytes(join(folder, 'empty'))).bytes.length).toBe(0)
    await expect(openBytes(join(folder, 'missing'))).rejects.toThrow('ENOENT')
  }
})

test('a filter gives the same answers mapped and read, and keeps them when its file is deleted', async () => {
  const paths = { filter: join(folder, 'test.bf16'), list: join(folder, 'test.hashes') }
  using spool = openSpool(join(folder, 'spool'))
  const hash = createHash()
  for (let index = 0; index < 200_000; index++) {
    hashText(`name-${index}.com`, hash)
    spool.add(hash[0] as number, hash[1] as number)
  }
  writeFilter(paths, spool.count, spool.sorted())
  const mapped = await (await findOpenBytes())(paths.filter)
  const shared = await readShared(paths.filter)
  rmSync(paths.filter)
  const [one, other] = [openFilter(mapped.bytes), openFilter(shared.bytes)]
  let different = 0
  for (let index = 0; index < 400_000; index++) {
    if (one.has(`name-${index}.com`) !== other.has(`name-${index}.com`)) different++
    if (index < 200_000 && !one.has(`name-${index}.com`)) different++
  }
  expect(different).toBe(0)
  mapped.close()
})
