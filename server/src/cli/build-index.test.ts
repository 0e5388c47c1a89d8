import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCzdsServer } from '../../test/internet/czds-server.ts'
import { zoneGzip } from '../../test/internet/czds-zone.ts'
import { parseManifest } from '../../../packages/zone-index/src/manifest.ts'
import { runIndex } from './build-index.ts'
import type { IndexOptions } from './build-index.ts'
import type { Suffix } from '../model/domain.ts'
import { Secret } from '../model/secret.ts'

const WRITTEN = new Date('2026-07-01T02:00:00Z')

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'index-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function run(args: readonly string[], options: Partial<IndexOptions> = {}, isTTY = false) {
  let [stdout, stderr] = ['', '']
  let time = Date.parse('2026-07-01T12:00:00Z')
  const code = await runIndex(
    args,
    { request, now: () => (time += 1000), ...options },
    {
      stdout: { write: (text: string) => (stdout += text) },
      stderr: { write: (text: string) => (stderr += text), isTTY },
    },
  )
  return { code, stdout, stderr }
}

function writeZone(name: string, content: Buffer) {
  writeFileSync(join(folder, name), content)
  utimesSync(join(folder, name), WRITTEN, WRITTEN)
}

test('build makes an index of every zone in the directory, each of its own moment', async () => {
  writeZone('com.zone.gz', zoneGzip('com', ['a', 'b', 'c']))
  writeZone('co.uk.txt.gz', zoneGzip('co.uk', ['a']))
  writeZone('README', Buffer.from('not a zone'))
  const { code, stdout } = await run(['build', '--zones', folder, '--out', join(folder, 'out')])
  expect(code).toBe(0)
  expect(stdout.trim().split('\n').toSorted()).toEqual(['co.uk 1 names, new base', 'com 3 names, new base'])
  const manifest = parseManifest(readFileSync(join(folder, 'out', 'manifest.json'), 'utf8'))
  expect(manifest.get('com' as Suffix)).toMatchObject({ names: 3, snapshotAt: WRITTEN.getTime() })
})

test('a bar is drawn on a terminal, plain lines elsewhere', async () => {
  writeZone('com.zone.gz', zoneGzip('com', ['a', 'b', 'c']))
  const args = ['build', '--zones', folder, '--out', join(folder, 'out')]
  const drawn = (await run(args, {}, true)).stderr
  expect(drawn).toMatch(/\r\[#+\.*\] +\d+ % {2}com \((?:read|build)\) {2}.+ left/)
  expect(drawn.endsWith('\n')).toBe(true)
  const plain = (await run(args)).stderr
  expect(plain).toMatch(/^\d+ % {2}com \(read\) {2}.+ left\n$/)
})

test('a refused zone is named and the exit code says so', async () => {
  writeZone('com.zone.gz', zoneGzip('com', ['a', 'b', 'c']))
  writeZone('net.zone.gz', zoneGzip('org', ['a']))
  const { code, stdout } = await run(['build', '--zones', folder, '--out', join(folder, 'out')])
  expect(code).toBe(1)
  expect(stdout).toContain('net refused: the zone of net has no SOA record')
  expect(stdout).toContain('com 3 names')
})

test.each([
  [[], 0],
  [['help'], 0],
  [['destroy'], 2],
  [['build'], 2],
  [['build', '--zones', '/nonexistent', '--out', '/tmp/x'], 2],
  [['build', '--zones', tmpdir(), '--out', '/tmp/x', '--suffix', '../x'], 2],
  [['build', '--bogus'], 2],
  [['fetch', '--zones', '/tmp/x'], 2],
])('index %j ends with %d', async (args, code) => {
  const result = await run(args)
  expect(result.code).toBe(code)
  expect(result.stdout + result.stderr).toContain('namewright-server index build')
})

test('fetch brings the approved zones, build takes them from there', async () => {
  await using server = await openCzdsServer()
  server.setZone('com', { gzip: zoneGzip('com', ['a', 'b']), lastModified: WRITTEN })
  server.setZone('net', { gzip: zoneGzip('net', ['a']), lastModified: WRITTEN, behaviour: 'page' })
  const czds = {
    username: server.username,
    password: new Secret(server.password),
    accountUrl: server.url,
    apiUrl: server.url,
  }
  const fetched = await run(['fetch', '--zones', folder], { czds })
  expect(fetched).toMatchObject({ code: 1, stdout: 'com fetched\n', stderr: 'the CZDS file of net is not gzip\n' })
  expect((await run(['fetch', '--zones', folder, '--suffix', 'com'], { czds })).stdout).toBe('com recent\n')
  expect((await run(['fetch', '--zones', folder, '--suffix', 'org'], { czds })).stderr).toContain(
    'not approved for org',
  )
  expect((await run(['build', '--zones', folder, '--out', join(folder, 'out')])).stdout).toBe('com 2 names, new base\n')
})

test('a password that CZDS does not know is said in one line', async () => {
  await using server = await openCzdsServer()
  const czds = { username: 'x', password: new Secret('wrong'), accountUrl: server.url, apiUrl: server.url }
  const { code, stderr } = await run(['fetch', '--zones', folder], { czds })
  expect(code).toBe(1)
  expect(stderr).toBe('CZDS rejected the user name or password\n')
})
