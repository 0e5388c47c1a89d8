/** checksums.txt: what sha256sum thinks of it, and files that are wrong, missing or not listed. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHECKSUMS, findMismatches, formatChecksums, sumFile } from '../release/checksums.ts'

const folder = mkdtempSync(`${tmpdir()}/namewright-checksums-`)
const names = ['b.tgz', 'a-1.0.0+x_y.tar']
beforeAll(() => {
  for (const name of names) writeFileSync(`${folder}/${name}`, `contents of ${name}`)
})
afterAll(() => rmSync(folder, { recursive: true }))

const sums = () => Promise.all(names.map(async (name) => ({ name, sha256: await sumFile(`${folder}/${name}`) })))
const check = () => spawnSync('sha256sum', ['-c', CHECKSUMS], { cwd: folder, encoding: 'utf8' })

test('sha256sum accepts it, and refuses a file that was changed', async () => {
  const text = formatChecksums(await sums())
  writeFileSync(`${folder}/${CHECKSUMS}`, text)
  expect(text.split('\n').map((line) => line.slice(66))).toEqual(['a-1.0.0+x_y.tar', 'b.tgz', ''])
  expect(findMismatches(text, await sums())).toEqual([])
  expect(check().stdout).toBe('a-1.0.0+x_y.tar: OK\nb.tgz: OK\n')
  writeFileSync(`${folder}/b.tgz`, 'something else')
  expect(check().status).toBe(1)
  expect(findMismatches(text, await sums())).toEqual(['b.tgz has another checksum'])
})

test('a file that is not listed, one that is missing and a line that is none are noticed', () => {
  const one = { name: 'one', sha256: '1'.repeat(64) }
  const two = { name: 'two', sha256: '2'.repeat(64) }
  expect(findMismatches(formatChecksums([one]), [one, two])).toEqual(['two is not listed'])
  expect(findMismatches(formatChecksums([one, two]), [one])).toEqual(['two is missing'])
  expect(findMismatches('abc  one\n', [])).toEqual(['not a checksum: abc  one'])
})

test('names that would not lie beside checksums.txt are refused, and so are two of the same', () => {
  const sha256 = '0'.repeat(64)
  for (const name of ['image/manifest.json', '../x', 'a b', 'a\nb', '', CHECKSUMS]) {
    expect(() => formatChecksums([{ name, sha256 }])).toThrow('cannot be a file of a release')
  }
  const twice = { name: 'a.tgz', sha256 }
  expect(() => formatChecksums([twice, twice])).toThrow('a.tgz is there twice')
})
