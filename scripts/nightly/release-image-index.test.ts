/** One image for several architectures: what the list says, and what cannot be joined. */
import { hash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import { digestOf, joinImages, listImage, readList } from '../release/image-index.ts'

const folder = mkdtempSync(`${tmpdir()}/namewright-index-`)
afterAll(() => rmSync(folder, { recursive: true }))

const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json'

/** As much of a pushed image as matters here; `version` is a file that `dir:` has, the same in all. */
function build(name: string, architecture: string, mediaType = MANIFEST): string {
  const at = `${folder}/${name}`
  mkdirSync(at)
  const config = JSON.stringify({ architecture, os: 'linux', name })
  const digest = hash('sha256', config)
  writeFileSync(`${at}/version`, 'Directory Transport Version: 1.1\n')
  writeFileSync(`${at}/${digest}`, config)
  writeFileSync(`${at}/manifest.json`, JSON.stringify({ mediaType, config: { digest: `sha256:${digest}` } }))
  return at
}

test('the list names each architecture by the digest of its manifest, in one order', () => {
  const [arm, amd] = [build('arm', 'arm64'), build('amd', 'amd64')]
  const digests = [arm, amd].map(digestOf)
  listImage(arm)
  listImage(amd)
  const digest = joinImages([arm, amd], `${folder}/one`)
  const { manifests } = readList(`${folder}/one`)
  expect(manifests.map((one) => one.platform.architecture)).toEqual(['amd64', 'arm64'])
  expect(manifests.map((one) => one.digest)).toEqual(digests.toReversed())
  for (const one of manifests) {
    const data = readFileSync(`${folder}/one/${one.digest.replace('sha256:', '')}.manifest.json`)
    expect([`sha256:${hash('sha256', data)}`, data.length]).toEqual([one.digest, one.size])
  }
  expect(readdirSync(`${folder}/one`)).toHaveLength(6)
  expect(joinImages([amd, arm], `${folder}/other-way-round`)).toBe(digest)
})

test('the same architecture twice, another form, or something that is no list is refused', () => {
  const one = build('one-image', 'amd64')
  expect(() => joinImages([one], `${folder}/no-list`)).toThrow('has no manifest list')
  listImage(one)
  const other = build('other-image', 'amd64')
  listImage(other)
  expect(() => joinImages([one, other], `${folder}/twice`)).toThrow('linux/amd64 is there twice')
  const oci = build('oci', 'amd64', 'application/vnd.oci.image.manifest.v1+json')
  expect(() => listImage(oci)).toThrow('instead of')
})
