/** GET /v1/status: what a node says of itself. How the figures are made is tested where they are made. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCertificate } from '../certificate.ts'
import { expectError } from '../expect-error.ts'
import { readInternet } from '../internet/read-internet.ts'
import { openRegistrarServer } from '../internet/registrar-server.ts'
import { runCommand } from '../run-command.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'

const internet = readInternet()

let world: World
let node: Node
let key: string
let folder: string
beforeAll(async () => {
  world = await startApp({ own: true })
  folder = await mkdtemp(join(tmpdir(), 'namewright-status-'))
  node = await world.startNode()
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

test('a node that has just started has these keys and nothing to tell', async () => {
  // The test of the resolver may still be under way.
  await expect.poll(async () => (await node.call('/readyz')).json.checks.sources).toBe('ok')
  const answer = await node.call('/v1/status', { key })
  expect(answer.status).toBe(200)
  expect(answer.json).toStrictEqual({
    status: 'success',
    data: {
      audit: [],
      index: [],
      redis: true,
      parts: { database: 'ok', redis: 'ok', registries: 'ok', language_model: 'off' },
      sources: [{ source: 'dns', state: 'trusted', since: expect.any(String), why: null }],
      sandbox: false,
      in_force: [],
      last_hour: { minutes: 0, down: 0 },
    },
  })
})

test('it needs a token with the scope domains:check', async () => {
  expectError(await node.call('/v1/status'), 401, 'missing_token')
  const { secret } = await world.makeKey(await world.makeAccount(), { scopes: ['generate', 'history:read'] })
  expectError(await node.call('/v1/status', { key: secret }), 403, 'insufficient_scope')
})

test('it can only be read', async () => {
  expectError(await node.call('/v1/status', { key, body: {} }), 405, 'method_not_allowed')
})

test('a list of a registrar that cannot be read is named with what is used instead', async () => {
  await using certificate = await makeCertificate(['api.vercel.com'])
  const facts = {
    registered: new Set<string>(),
    premium: new Map(),
    reserved: new Set<string>(),
    unsold: new Set<string>(),
  }
  await using registrar = await openRegistrarServer({ world: facts, certificate, stranger: certificate })
  registrar.list('refused')
  const asking = await world.startNode({
    NAMEWRIGHT_REGISTRARS: 'vercel',
    NAMEWRIGHT_OUTBOUND_ROUTES: `api.vercel.com=127.0.0.1:${new URL(registrar.url).port}`,
    NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
  })
  const why = expect.stringMatching(/^its list of suffixes cannot be read: status 401; the copy of \S+ is used$/)
  await expect
    .poll(async () => (await asking.call('/v1/status', { key })).json.data.sources)
    .toContainEqual({ source: 'vercel', state: 'trusted', since: expect.any(String), why })
})

test('without Redis it says so', async () => {
  const alone = await world.startNode({ NAMEWRIGHT_REDIS_URL: 'redis://127.0.0.1:1' })
  const answer = await alone.call('/v1/status', { key })
  expect(answer.json.data).toMatchObject({ redis: false, parts: { redis: 'away' }, in_force: ['local_limits'] })
})

test('with an index it names every suffix, how many names and of when, and the index answers', async () => {
  const zone = join(folder, 'com.zone')
  await writeFile(zone, `${[...internet.zoneLines('com', '')].join('\n')}\n`)
  const snapshotAt = new Date(Date.now() - 3_600_000).toISOString()
  const out = join(folder, 'index')
  const build = ['index', 'build', '--zones', folder, '--out', out, '--suffix', 'com', '--snapshot', snapshotAt]
  expect(await runCommand(build, world.env)).toMatchObject({ code: 0 })
  const indexed = await world.startNode({ NAMEWRIGHT_INDEX: out, NAMEWRIGHT_DATA_DIR: join(folder, 'data') })
  const index = async () => (await indexed.call('/v1/status', { key })).json.data.index
  await expect.poll(index).not.toEqual([])
  expect(await index()).toStrictEqual([
    { suffix: 'com', names: internet.labelsOf('com').length, snapshot_at: snapshotAt },
  ])
  const body = { domains: ['taken-for-sure.com', 'taken-for-sure.io'], verify: 'full', deadline_ms: 30_000 }
  const { json } = await indexed.call('/v1/domains/check', { key, body })
  expect(json.data.domains.map(({ sources }: { sources: string[] }) => sources)).toEqual([['index'], ['dns']])
})
