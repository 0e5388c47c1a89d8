/** The chart as an archive and as an OCI artifact: the same bytes each time, readable by others, and wrong ones noticed. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, test } from 'vitest'
import { findChartProblems, makeChartArtifact, packChart, readMetadata } from '../release/chart.ts'
import { makeTar } from '../release/tar.ts'

const CHART = new URL('../../deploy/helm/namewright', import.meta.url).pathname
const SECONDS = 1_790_000_000
const folder = mkdtempSync(`${tmpdir()}/namewright-chart-`)
afterAll(() => rmSync(folder, { recursive: true }))

const tgz = packChart(CHART, SECONDS)
const artifact = makeChartArtifact(readMetadata(CHART), tgz, SECONDS)

/** By tar, not by us. */
function unpack(archive: Buffer, name: string): Map<string, Buffer> {
  writeFileSync(`${folder}/${name}.tar`, archive)
  execFileSync('mkdir', ['-p', `${folder}/${name}`])
  execFileSync('tar', ['-xf', `${folder}/${name}.tar`, '-C', `${folder}/${name}`])
  const files = readdirSync(`${folder}/${name}`, { recursive: true, withFileTypes: true })
  return new Map(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`)
      .map((path) => [path.slice(folder.length + name.length + 2), readFileSync(path)]),
  )
}

test('the package has every file of the chart under its name, and tar reads it', () => {
  const files = unpack(tgz, 'package')
  const wanted = readdirSync(CHART, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.size).toBe(wanted.length)
  expect(files.get('namewright/Chart.yaml')).toEqual(readFileSync(`${CHART}/Chart.yaml`))
  const listed = execFileSync('tar', ['-tvzf', '-'], { input: tgz, encoding: 'utf8', env: { TZ: 'UTC', PATH: '/bin' } })
  expect(listed.split('\n')[0]).toMatch(/^-rw-r--r-- 0\/0 .* 2026-09-21 14:13 namewright\/Chart\.yaml$/)
})

test('neither the time nor the place of the files changes a byte', () => {
  cpSync(CHART, `${folder}/copy`, { recursive: true })
  utimesSync(`${folder}/copy/values.yaml`, 1, 1)
  expect(packChart(`${folder}/copy`, SECONDS).equals(tgz)).toBe(true)
  expect(makeChartArtifact(readMetadata(CHART), tgz, SECONDS).archive.equals(artifact.archive)).toBe(true)
})

test('a path that does not fit into an archive stops the release', () => {
  expect(() => makeTar([{ path: 'x'.repeat(100), data: '' }], 0)).toThrow('too long')
})

describe('the OCI artifact', () => {
  const files = unpack(artifact.archive, 'layout')
  const index = JSON.parse(files.get('index.json')?.toString() ?? '') as { manifests: [{ digest: string }] }
  const pathOf = (digest: string) => `blobs/${digest.replace(':', '/')}`
  const manifestPath = pathOf(artifact.digest)

  test('has the package as its layer and the metadata as its config', () => {
    expect(findChartProblems(files)).toEqual([])
    expect(index.manifests[0].digest).toBe(artifact.digest)
    expect([...files.values()].some((data) => data.equals(tgz))).toBe(true)
    expect(files.size).toBe(5)
  })

  const manifest = files.get(manifestPath)?.toString() ?? ''
  const { config, layers } = JSON.parse(manifest) as { config: { digest: string }; layers: [{ digest: string }] }
  const plants: readonly (readonly [what: string, path: string, data: string | undefined, says: string])[] = [
    ['another layout', 'oci-layout', '{"imageLayoutVersion":"2"}', 'oci-layout is not 1.0.0'],
    ['an empty index', 'index.json', '{"manifests":[]}', 'the manifest is missing'],
    ['no manifest', manifestPath, undefined, 'the manifest has no blob'],
    ['another manifest', manifestPath, manifest.replace('Apache-2.0', 'MIT'), 'the manifest has another digest'],
    ['another layer type', manifestPath, manifest.replace('tar+gzip', 'tar'), 'the chart is application/vnd.cncf'],
    ['two layers', manifestPath, manifest.replace(/"layers":\[(.*?)\]/, '"layers":[$1,$1]'), 'not one layer'],
    ['another size', manifestPath, manifest.replace(`"size":${tgz.length}`, '"size":1'), 'the chart has another size'],
    ['a broken chart', pathOf(layers[0].digest), 'x', 'the chart has another digest'],
    ['no chart', pathOf(layers[0].digest), undefined, 'the chart has no blob'],
    ['another config', pathOf(config.digest), '{"version":"9.9.9"}', 'the chart 9.9.9'],
  ]
  test.for(plants)('with %s is refused', ([, path, data, says]) => {
    const planted = new Map(files)
    if (data === undefined) planted.delete(path)
    else planted.set(path, Buffer.from(data))
    expect(findChartProblems(planted).join('\n')).toContain(says)
  })

  test('with a tag that is not the version is refused', () => {
    const text = files.get('index.json')?.toString() ?? ''
    const { version } = readMetadata(CHART)
    const planted = new Map(files).set('index.json', Buffer.from(text.replace(`"${version}"`, '"9.9.9"')))
    expect(findChartProblems(planted)).toEqual([`the tag is 9.9.9, the chart ${version}`])
  })
})
