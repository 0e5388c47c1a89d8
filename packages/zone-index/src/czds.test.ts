import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCzdsServer, type CzdsServer, type CzdsServerOptions } from '../../../server/test/internet/czds-server.ts'
import { zoneGzip } from '../../../server/test/internet/czds-zone.ts'
import { openCzds, type Czds } from './czds.ts'
import type { Suffix } from './manifest.ts'

const COM = 'com' as Suffix
const HOUR = 3_600_000
const START = Date.parse('2026-07-01T12:00:00Z')
const gzip = zoneGzip(
  'com',
  Array.from({ length: 20_000 }, (_, index) => `name${index}`),
)
const lastModified = new Date('2026-07-01T02:00:00Z')

let folder = ''
let time = START
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'czds-'))
  time = START
})
afterEach(() => rmSync(folder, { recursive: true }))

async function openWorld(options: CzdsServerOptions = {}, password?: string): Promise<CzdsServer & { czds: Czds }> {
  const server = await openCzdsServer({ now: () => time, ...options })
  server.setZone('com', { gzip, lastModified })
  const czds = openCzds({
    accountUrl: server.url,
    apiUrl: server.url,
    username: server.username,
    password: { reveal: () => password ?? server.password },
    request,
    now: () => time,
  })
  return { ...server, czds }
}

async function fetchCom(czds: Czds) {
  const zones = await czds.listZones()
  return czds.fetchZone(COM, zones.get(COM) ?? '', folder)
}

test('a zone is streamed to disk, dated as the registry dated it, with one sign-in for all', async () => {
  await using world = await openWorld()
  expect(await fetchCom(world.czds)).toBe('fetched')
  expect(readFileSync(join(folder, 'com.zone.gz')).equals(gzip)).toBe(true)
  expect(statSync(join(folder, 'com.zone.gz')).mtime).toEqual(lastModified)
  expect(world.asked).toEqual([
    'POST /api/authenticate 200',
    'GET /czds/downloads/links 200',
    'GET /czds/downloads/com.zone 200',
  ])
})

test('a zone is asked for at most once in 24 hours, and after that only if it changed', async () => {
  await using world = await openWorld({ tokenSeconds: 1_000_000 })
  await fetchCom(world.czds)
  time += 23 * HOUR
  expect(await fetchCom(world.czds)).toBe('recent')
  time += HOUR
  expect(await fetchCom(world.czds)).toBe('unchanged')
  world.setZone('com', { gzip, lastModified: new Date(time) })
  expect(await fetchCom(world.czds)).toBe('fetched')
  expect(world.asked.filter((line) => line.includes('com.zone'))).toEqual([
    'GET /czds/downloads/com.zone 200',
    'GET /czds/downloads/com.zone 304',
    'GET /czds/downloads/com.zone 200',
  ])
})

test('a token that was ended early is replaced once, and one that ran out is not used again', async () => {
  await using world = await openWorld({ tokenSeconds: 7200 })
  const zones = await world.czds.listZones()
  world.expireTokens()
  expect(await world.czds.fetchZone(COM, zones.get(COM) ?? '', folder)).toBe('fetched')
  time += 2 * HOUR
  await world.czds.listZones()
  expect(world.asked).toEqual([
    'POST /api/authenticate 200',
    'GET /czds/downloads/links 200',
    'GET /czds/downloads/com.zone 401',
    'POST /api/authenticate 200',
    'GET /czds/downloads/com.zone 200',
    'POST /api/authenticate 200',
    'GET /czds/downloads/links 200',
  ])
})

test('a wrong password and too many sign-ins are said as they are', async () => {
  await using wrong = await openWorld({}, 'wrong')
  await expect(wrong.czds.listZones()).rejects.toThrow('rejected the user name or password')
  await using limited = await openWorld({ signIns: 0 })
  await expect(limited.czds.listZones()).rejects.toThrow('rate limit for sign-ins')
})

test.each(['truncated', 'page', 'late'] as const)(
  'a zone that comes %s is refused, and yesterday’s stays',
  async (behaviour) => {
    await using world = await openWorld({ tokenSeconds: 1_000_000 })
    await fetchCom(world.czds)
    time += 24 * HOUR
    world.setZone('com', { gzip, lastModified: new Date(time), behaviour })
    await expect(fetchCom(world.czds)).rejects.toThrow('com')
    expect(readFileSync(join(folder, 'com.zone.gz')).equals(gzip)).toBe(true)
    expect(readdirSync(folder).filter((name) => name.includes('part'))).toEqual([])
    // It was not downloaded, so it may be requested again.
    world.setZone('com', { gzip, lastModified: new Date(time) })
    expect(await fetchCom(world.czds)).toBe('fetched')
  },
)

test('links that lead elsewhere or name no suffix are left out, because they would be sent the token', async () => {
  await using world = await openWorld({
    extraLinks: ['http://evil.test/czds/downloads/net.zone', 'file:///etc/org.zone', 'nonsense', '/x/y/..zone'],
  })
  expect([...(await world.czds.listZones()).keys()]).toEqual(['com'])
  expect(existsSync(join(folder, 'com.zone.gz'))).toBe(false)
})
