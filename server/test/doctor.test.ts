/** `namewright-server doctor` in surroundings that are sound, and in some that are really broken. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Finding, makeWebhookSecret, migrate, NAMESPACES, runDoctor, type Suffix } from './source.ts'
import { readConfig } from './read-config.ts'
import { makeCertificate } from './certificate.ts'
import type { Certificate } from './certificate.ts'
import { openOwnRedis } from './nightly/faults/own-redis.ts'
import type { OwnRedis } from './nightly/faults/own-redis.ts'
import { freePort } from './free-port.ts'
import { buildIndex } from '../../packages/zone-index/src/build.ts'
import { answerTo, openFakeResolver } from './internet/fake-resolver.ts'
import type { FakeResolver } from './internet/fake-resolver.ts'
import { zoneGzip } from './internet/czds-zone.ts'
import { openModelServer } from './internet/model-server.ts'
import { NAMESPACE_HOSTS, openNamespaceServer } from './internet/namespace-server.ts'
import { SIGNING_SECRET } from './internet/registrar-dialects.ts'
import { openRegistrarServer } from './internet/registrar-server.ts'
import { openOwnPostgres } from './own-postgres.ts'
import type { OwnPostgres } from './own-postgres.ts'
import { runCommand } from './run-command.ts'
import { openSmtp } from './smtp-world.ts'

const DAY_MS = 86_400_000
let postgres: OwnPostgres
let admin: pg.Client
let redis: OwnRedis
let resolver: FakeResolver
let certificate: Certificate
let folder: string
/** Everything is right here. */
let sound: Record<string, string>

beforeAll(async () => {
  ;[postgres, redis, certificate, folder] = await Promise.all([
    openOwnPostgres(),
    openOwnRedis(),
    makeCertificate(['api.name.com']),
    mkdtemp(join(tmpdir(), 'namewright-doctor-')),
  ])
  admin = new pg.Client(postgres.adminUrl)
  await admin.connect()
  await admin.query('CREATE DATABASE sound')
  const ownerUrl = postgres.adminUrl.replace(/[^/]+$/, 'sound')
  await migrate(ownerUrl)
  await admin.query('CREATE ROLE service LOGIN; GRANT namewright_app, namewright_people, namewright_jobs TO service')
  await admin.query('CREATE ROLE stranger LOGIN')
  resolver = await openFakeResolver((query) => [answerTo(query, 'noerror')])
  sound = {
    NAMEWRIGHT_DATABASE_URL: ownerUrl.replace('root@', 'service@'),
    NAMEWRIGHT_OWNER_DATABASE_URL: ownerUrl,
    NAMEWRIGHT_REDIS_URL: redis.url,
    NAMEWRIGHT_SECRET: randomBytes(24).toString('hex'),
    NAMEWRIGHT_DNS_RESOLVERS: resolver.address,
    NAMEWRIGHT_PUBLIC_URL: 'https://localhost:8443',
    NAMEWRIGHT_DATA_DIR: join(folder, 'data'),
    NAMEWRIGHT_REGISTRARS: 'none',
    NAMEWRIGHT_RDAP: 'off',
    NAMEWRIGHT_NAMESPACES: 'off',
    NAMEWRIGHT_PRICE_REFRESH: 'off',
    ...certificate.env,
  }
})
afterAll(async () => {
  await resolver?.close()
  await admin?.end()
  await redis?.[Symbol.asyncDispose]()
  await postgres?.[Symbol.asyncDispose]()
  await certificate?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

interface Seen {
  readonly code: number
  readonly findings: readonly Finding[]
  readonly text: string
}

/** The same as the command, in this process, so that a test can say what time it is. */
async function examine(
  more: Record<string, string> = {},
  { now = Date.now, args = [] as string[] } = {},
): Promise<Seen> {
  let text = ''
  const stream = { write: (piece: string) => (text += piece) }
  const options = { readConfig: () => readConfig({ ...sound, ...more }), poolSize: 10, now }
  const code = await runDoctor(['--json', ...args], options, { stdout: stream, stderr: stream })
  return { code, text, findings: (JSON.parse(text) as { findings: Finding[] }).findings }
}

/** What is wrong, each as "about: found"; every one of them says what to do. */
function wrongIn({ findings }: Seen, level: Finding['level'] = 'problem'): string[] {
  const wrong = findings.filter((finding) => finding.level === level)
  for (const { todo } of wrong) expect(todo).toMatch(/\w{3}/)
  return wrong.map(({ about, found }) => `${about}: ${found}`)
}

async function onDatabase(name: string, statement: string): Promise<void> {
  const client = new pg.Client(postgres.adminUrl.replace(/[^/]+$/, name))
  await client.connect()
  await client.query(statement)
  await client.end()
}

test('sound surroundings have no problem, and the command ends with 0', { timeout: 60_000 }, async () => {
  const { code, stdout, stderr } = await runCommand(['doctor'], sound)
  expect(stderr).toBe('')
  expect(stdout).not.toMatch(/^problem/m)
  expect(stdout).toMatch(/^ok +PostgreSQL +15\S* .*connected as service$/m)
  expect(stdout).toMatch(/^ok +schema +every migration is applied$/m)
  expect(stdout).toMatch(/^ok +DNS +127\.0\.0\.1:\d+ trusted$/m)
  expect(stdout).toMatch(/^ok +data folder +.*reaches the disk in \d+ ms$/m)
  expect(stdout).toMatch(/^warning +TLS +1 days left → renew it/m)
  expect(stdout).toMatch(/ 0 problems, /)
  expect(code).toBe(0)
})

test('wrong settings are all named, and the command ends with 1', async () => {
  const { code, stdout } = await runCommand(['doctor'], { ...sound, NAMEWRIGHT_PORT: 'x', NAMEWRIGHT_TYPO: '1' })
  expect(stdout).toMatch(/^problem +settings +NAMEWRIGHT_PORT must be/m)
  expect(stdout).toMatch(/^problem +settings +NAMEWRIGHT_TYPO is not a setting/m)
  expect(code).toBe(1)
})

test('an option that there is not is told, with those that there are', async () => {
  const { code, stderr } = await runCommand(['doctor', '--fix'], sound)
  expect(stderr).toContain('--offline')
  expect(code).toBe(2)
})

test('a login role that may not act as ours is a problem for each of the three', async () => {
  const url = (sound.NAMEWRIGHT_DATABASE_URL ?? '').replace('service@', 'stranger@')
  const wrong = wrongIn(await examine({ NAMEWRIGHT_DATABASE_URL: url }))
  expect(wrong.toSorted()).toEqual([
    'PostgreSQL: the login role is not a member of namewright_app',
    'PostgreSQL: the login role is not a member of namewright_jobs',
    'PostgreSQL: the login role is not a member of namewright_people',
  ])
})

test('a role that bypasses row-level security, and a table that forgot it, are problems', async () => {
  await admin.query('ALTER ROLE namewright_app BYPASSRLS')
  await onDatabase('sound', 'ALTER TABLE favorite NO FORCE ROW LEVEL SECURITY')
  const wrong = wrongIn(await examine())
  await admin.query('ALTER ROLE namewright_app NOBYPASSRLS')
  await onDatabase('sound', 'ALTER TABLE favorite FORCE ROW LEVEL SECURITY')
  expect(wrong).toEqual([
    'PostgreSQL: namewright_app bypasses row-level security: tenants could see each other',
    'schema: favorite: row-level security is not forced',
  ])
  expect(wrongIn(await examine())).toEqual([])
})

test('a database without our schema, one that is behind, and one that is ahead are told apart', async () => {
  await admin.query('CREATE DATABASE empty')
  const empty = {
    NAMEWRIGHT_DATABASE_URL: (sound.NAMEWRIGHT_DATABASE_URL ?? '').replace(/sound$/, 'empty'),
    NAMEWRIGHT_OWNER_DATABASE_URL: postgres.adminUrl.replace(/[^/]+$/, 'empty'),
  }
  expect(wrongIn(await examine(empty)).join()).toMatch(/schema: \d+ migrations are not applied, the first is 0001/)
  await onDatabase('sound', "UPDATE migration SET file = '9999_later.sql' WHERE file = '0010_operator.sql'")
  const behind = await examine()
  await onDatabase('sound', "UPDATE migration SET file = '0010_operator.sql' WHERE file = '9999_later.sql'")
  expect(wrongIn(behind)).toEqual(['schema: 1 migrations are not applied, the first is 0010_operator.sql'])
  await onDatabase('sound', "INSERT INTO migration VALUES ('9999_later.sql', '', now())")
  const ahead = await examine()
  await onDatabase('sound', "DELETE FROM migration WHERE file = '9999_later.sql'")
  expect(wrongIn(ahead)).toEqual([])
  expect(wrongIn(ahead, 'warning').join()).toContain('a newer version has applied 9999_later.sql')
})

test('a database that is not there is one problem, and the rest is looked at all the same', async () => {
  const url = `postgres://service@127.0.0.1:${await freePort()}/sound`
  const seen = await examine({ NAMEWRIGHT_DATABASE_URL: url, NAMEWRIGHT_OWNER_DATABASE_URL: url })
  expect(wrongIn(seen).join()).toMatch(/^PostgreSQL: unreachable: .*ECONNREFUSED/)
  expect(seen.findings.some(({ about, level }) => about === 'Redis' && level === 'ok')).toBe(true)
})

test('writes that are not waited for, and more nodes than connections, are problems', async () => {
  await admin.query("ALTER DATABASE sound SET synchronous_commit = 'off'")
  const wrong = wrongIn(await examine({ NAMEWRIGHT_NODES: '100' }))
  await admin.query('ALTER DATABASE sound RESET synchronous_commit')
  expect(wrong.join('\n')).toMatch(/synchronous_commit is off/)
  expect(wrong.join('\n')).toMatch(/100 nodes may open 1700 connections, 197 are allowed/)
})

test('a clock that is an hour off is a problem', async () => {
  const wrong = wrongIn(await examine({}, { now: () => Date.now() + 3_600_000 }))
  expect(wrong).toEqual([
    expect.stringMatching(/^PostgreSQL: the clocks of PostgreSQL and this machine are 3[56]\d\d\.\d s apart$/),
  ])
})

test('a standby that is none is a warning, and one that is away a problem', async () => {
  const none = await examine({ NAMEWRIGHT_STANDBY_URL: sound.NAMEWRIGHT_DATABASE_URL ?? '' })
  expect(wrongIn(none, 'warning').join()).toContain('standby: it is a primary, not a replica')
  expect(wrongIn(none, 'warning').join()).toContain('a failover may lose the last commits')
  const unreachable = await examine({
    NAMEWRIGHT_STANDBY_URL: `postgres://service@127.0.0.1:${await freePort()}/sound`,
  })
  expect(wrongIn(unreachable).join()).toMatch(/^standby: unreachable/)
})

test('a Redis that is away, one that only follows, and one that drops what it likes are told', async () => {
  const unreachable = await examine({ NAMEWRIGHT_REDIS_URL: `redis://127.0.0.1:${await freePort()}` })
  expect(wrongIn(unreachable).join()).toMatch(/^Redis: 127\.0\.0\.1:\d+: .*ECONNREFUSED/)
  const client = new Redis(redis.url)
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
  expect(wrongIn(await examine(), 'warning').join()).toContain('can evict any key when it is full (allkeys-lru)')
  await client.config('SET', 'maxmemory-policy', 'noeviction')
  await client.replicaof('127.0.0.1', await freePort())
  const follows = wrongIn(await examine())
  await client.replicaof('NO', 'ONE')
  await client.quit()
  expect(follows.join()).toContain('is a read-only replica')
})

test('a Redis that lets us in and refuses to write is a problem', async () => {
  const client = new Redis(redis.url)
  await client.acl('SETUSER', 'reader', 'on', '>reader-password', '~*', '+@read', '+info', '+ping')
  const url = redis.url.replace('redis://', 'redis://reader:reader-password@')
  const seen = await examine({ NAMEWRIGHT_REDIS_URL: url })
  await client.acl('DELUSER', 'reader')
  await client.quit()
  expect(wrongIn(seen).join()).toMatch(/rejects writes: NOPERM/)
  expect(seen.text).not.toContain('reader-password')
})

test('a resolver that rewrites NXDOMAIN, one that is silent and one with a world of its own are problems', async () => {
  const liar = await openFakeResolver((query) => [answerTo(query, 'noerror')], { probes: 'shown' })
  const silent = await openFakeResolver(() => [], { probes: 'shown' })
  const other = await openFakeResolver((query) => [answerTo(query, 'nxdomain')], { probes: 'shown' })
  const addresses = [liar, silent, other, resolver].map(({ address }) => address)
  const wrong = wrongIn(await examine({ NAMEWRIGHT_DNS_RESOLVERS: addresses.join(',') }))
  await Promise.all([liar.close(), silent.close(), other.close()])
  expect(wrong).toHaveLength(3)
  expect(wrong.join('\n')).toContain(
    `DNS: ${liar.address} untrusted: reports unregistered domains under .com as registered`,
  )
  expect(wrong.join('\n')).toContain(`DNS: ${silent.address} unreachable: does not respond for .com`)
  expect(wrong.join('\n')).toContain(`DNS: ${other.address} untrusted: reports google.com`)
})

test('a certificate that ends, has ended, is not for us or has another key is told', async () => {
  const soon = await examine()
  expect(wrongIn(soon, 'warning')).toEqual(['TLS: 1 days left'])
  const ended = wrongIn(await examine({}, { now: () => Date.now() + 3 * DAY_MS }))
  expect(ended.join()).toContain('TLS: it expired on')
  const elsewhere = wrongIn(await examine({ NAMEWRIGHT_PUBLIC_URL: 'https://names.example.com' }))
  expect(elsewhere).toEqual(['TLS: it is not for names.example.com'])
  await using another = await makeCertificate()
  const mixed = wrongIn(await examine({ NAMEWRIGHT_TLS_KEY_FILE: another.env.NAMEWRIGHT_TLS_KEY_FILE }))
  expect(mixed).toEqual(['TLS: the key does not match the certificate'])
  const missing = wrongIn(await examine({ NAMEWRIGHT_TLS_KEY_FILE: join(folder, 'none.key') }))
  expect(missing.join()).toMatch(/^TLS: ENOENT/)
})

test('a data folder that cannot be written to is a problem, by whatever it is kept from', async () => {
  await writeFile(join(folder, 'file'), '')
  for (const place of ['/proc/namewright', join(folder, 'file')]) {
    expect(wrongIn(await examine({ NAMEWRIGHT_DATA_DIR: place })).join(), place).toContain(`data folder: ${place}: E`)
  }
  // A file system that really is read-only, where this machine lets us make one.
  const mounted = await mkdtemp(join(folder, 'read-only-'))
  const run = promisify(execFile)
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', mounted]).then(
    () => true,
    () => false,
  )
  if (!isMounted) return
  const wrong = wrongIn(await examine({ NAMEWRIGHT_DATA_DIR: mounted }))
  await run('umount', [mounted])
  expect(wrong.join()).toContain('EROFS')
})

test('an index without a manifest, and prices and rates that cannot be right, are problems', async () => {
  const file = join(folder, 'prices.jsonl')
  await writeFile(file, '{"suffix":"com"')
  const wrong = wrongIn(await examine({ NAMEWRIGHT_INDEX: folder, NAMEWRIGHT_PRICE_FILE: file }))
  expect(wrong.join('\n')).toMatch(/^index: the manifest: ENOENT/m)
  expect(wrong.join('\n')).toMatch(/^prices: .*prices\.jsonl/m)
})

test('a mail server that refuses the password is a problem, and one that takes it is not', async () => {
  await using smtp = await openSmtp({ login: { user: 'us', password: 'right-password' } })
  const mail = (password: string) => ({
    NAMEWRIGHT_SMTP_URL: `smtp://us:${password}@127.0.0.1:${smtp.port}`,
    NAMEWRIGHT_MAIL_FROM: 'us@example.com',
  })
  expect(wrongIn(await examine(mail('right-password')))).toEqual([])
  const refused = await examine(mail('wrong-password'))
  expect(wrongIn(refused).join()).toMatch(/^mail: 127\.0\.0\.1:\d+: EAUTH/)
  expect(refused.text).not.toContain('wrong-password')
})

test('a registrar and a model that do not know our key are problems, and none of them is asked offline', async () => {
  const [cert, key] = await Promise.all(
    [certificate.env.NAMEWRIGHT_TLS_CERT_FILE, certificate.env.NAMEWRIGHT_TLS_KEY_FILE].map((file) => readFile(file)),
  )
  const asked: string[] = []
  const server = createServer({ cert, key }, (request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(401).end('{"message":"no: change-registrar"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const env = {
    NAMEWRIGHT_REGISTRARS: 'name-com',
    NAMEWRIGHT_NAME_COM: 'someone:change-registrar',
    NAMEWRIGHT_MODEL: 'openai-compatible:some-model',
    NAMEWRIGHT_MODEL_URL: `https://localhost:${port}/v1`,
    NAMEWRIGHT_MODEL_KEY: 'change-model-key',
    NAMEWRIGHT_OUTBOUND_ROUTES: `api.name.com=127.0.0.1:${port}`,
    NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
  }
  const seen = await examine(env)
  expect(wrongIn(seen).toSorted()).toEqual([
    expect.stringMatching(/^language model: openai-compatible at localhost:\d+ rejects the credentials: 401$/),
    'registrars: name-com rejects the credentials: 401',
  ])
  expect(seen.findings.find(({ about }) => about === 'registrars')?.todo).toContain('NAMEWRIGHT_NAME_COM')
  expect(seen.text).not.toMatch(/change-(?:registrar|model-key)/)
  expect(asked).toHaveLength(2)
  const offline = await examine(env, { args: ['--offline'] })
  expect(wrongIn(offline)).toEqual([])
  expect(asked).toHaveLength(2)
  server.closeAllConnections()
  server.close()
})

test('doctor model prints the names of the model and their times, or what it said', async () => {
  await using model = await openModelServer('change-model-key')
  model.reply = { names: ['Nibwell', 'Inkmender'] }
  const env = {
    ...sound,
    NAMEWRIGHT_MODEL: 'openai-compatible:some-model',
    NAMEWRIGHT_MODEL_URL: model.url,
    NAMEWRIGHT_MODEL_KEY: 'change-model-key',
  }
  const well = await runCommand(['doctor', 'model'], env)
  expect(well.code, well.stderr).toBe(0)
  expect(well.stdout.match(/Nibwell, Inkmender\n {2}first name after [\d.]+ s, last after [\d.]+ s/g)).toHaveLength(3)
  const refused = await runCommand(['doctor', 'model'], { ...env, NAMEWRIGHT_MODEL_KEY: 'change-wrong' })
  expect(refused.code).toBe(1)
  expect(refused.stdout.match(/no names: refused \(401\)/g)).toHaveLength(1)
  const away = await runCommand(['doctor', 'model'], { ...env, NAMEWRIGHT_MODEL_URL: 'http://127.0.0.1:1/v1' })
  expect(away.code).toBe(1)
  expect(away.stdout).toContain('openai-compatible:some-model at http://127.0.0.1:1/v1')
  expect(away.stdout.match(/no names: unreachable \(refused\)/g)).toHaveLength(1)
  expect(refused.stdout + refused.stderr).not.toContain('change-wrong')
  expect(await runCommand(['doctor', 'model'], sound)).toMatchObject({ code: 1, stdout: '' })
})

test('a registrar that sells what is registered, and an index that lacks it, are problems', async () => {
  const zone = join(folder, 'com.zone.gz')
  const labels = Array.from({ length: 100 }, (_, at) => `name${at}`)
  await writeFile(zone, zoneGzip('com', labels))
  const out = join(folder, 'lacking')
  await buildIndex({ zones: [{ suffix: 'com' as Suffix, path: zone }], out, snapshotAt: Date.now() })
  await using registrarCertificate = await makeCertificate(['api.vercel.com'])
  const nothing = {
    registered: new Set<string>(),
    premium: new Map(),
    reserved: new Set<string>(),
    unsold: new Set<string>(),
  }
  await using server = await openRegistrarServer({
    world: nothing,
    certificate: registrarCertificate,
    stranger: certificate,
  })
  const env = {
    NAMEWRIGHT_INDEX: out,
    NAMEWRIGHT_REGISTRARS: 'vercel',
    NAMEWRIGHT_OUTBOUND_ROUTES: `api.vercel.com=127.0.0.1:${new URL(server.url).port}`,
    NAMEWRIGHT_OUTBOUND_CA_FILE: registrarCertificate.caFile,
  }
  const well = await examine(env)
  expect(well.findings).toContainEqual({ about: 'registrars', level: 'ok', found: 'vercel trusted' })
  expect(wrongIn(well)).toEqual(['index: the files of .com untrusted: lacks google.com'])
  server.list('refused')
  const withCopy = (await examine(env)).findings.filter(({ about }) => about === 'registrars')
  expect(withCopy).toMatchObject([
    {
      level: 'warning',
      found: expect.stringMatching(/^vercel: its list of suffixes cannot be read: status 401; the copy of /),
    },
    { level: 'ok', found: 'vercel trusted' },
  ])
  server.list('well')
  server.be('lying')
  expect(wrongIn(await examine(env)).join()).toMatch(
    /registrars: vercel untrusted: reports the registered domain \S+ as available/,
  )
})

test("an operator's own source at a private address is tested, and a wrong secret or a lie is a problem", async () => {
  const nothing = { registered: new Set<string>(), premium: new Map(), reserved: new Set<string>() }
  await using server = await openRegistrarServer({
    world: { ...nothing, unsold: new Set() },
    certificate,
    stranger: certificate,
  })
  const env = {
    NAMEWRIGHT_REGISTRARS: 'own-source',
    NAMEWRIGHT_SOURCE_URL: `${server.url}/own-source`,
    NAMEWRIGHT_SOURCE_SECRET: SIGNING_SECRET,
    NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
  }
  const well = await examine(env)
  expect(well.findings).toContainEqual({ about: 'registrars', level: 'ok', found: 'own-source trusted' })
  const secret = makeWebhookSecret()
  const stranger = await examine({ ...env, NAMEWRIGHT_SOURCE_SECRET: secret })
  expect(wrongIn(stranger)).toEqual(['registrars: own-source rejects the credentials: 401'])
  expect(stranger.findings.find(({ about }) => about === 'registrars')?.todo).toContain('NAMEWRIGHT_SOURCE_SECRET')
  expect(stranger.text).not.toContain(secret)
  server.be('lying')
  expect(wrongIn(await examine(env))).toEqual([
    expect.stringMatching(/^registrars: own-source untrusted: reports the registered domain \S+ as available$/),
  ])
  server.be('empty')
  expect(wrongIn(await examine(env))).toEqual([
    'registrars: own-source unreachable: does not respond, or sends malformed responses',
  ])
})

test('each package registry and code host is asked once for an entry that exists', async () => {
  const known = new Set(NAMESPACES.map((one) => one.known))
  await using ofHosts = await makeCertificate(NAMESPACE_HOSTS)
  await using hosts = await openNamespaceServer(ofHosts, { has: (_, name) => known.has(name) })
  const env = {
    NAMEWRIGHT_NAMESPACES: 'on',
    NAMEWRIGHT_OUTBOUND_ROUTES: hosts.routes,
    NAMEWRIGHT_OUTBOUND_CA_FILE: ofHosts.caFile,
  }
  const foundIn = ({ findings }: Seen) =>
    findings.flatMap(({ about, level, found }) => (about === 'namespaces' ? [`${level}: ${found}`] : []))
  const titles = NAMESPACES.map(({ title }) => title).join(', ')
  expect(foundIn(await examine(env))).toEqual([`ok: ${titles}: as documented`])
  expect(hosts.requests).toHaveLength(NAMESPACES.length)
  hosts.be('changed format')
  expect(foundIn(await examine(env))).toEqual(NAMESPACES.map(({ title }) => `warning: ${title}: not as documented`))
  hosts.be('429')
  expect(foundIn(await examine(env))).toEqual([`warning: ${titles}: this machine is rate-limited`])
  hosts.be('closed')
  expect(foundIn(await examine(env))).toEqual([`warning: ${titles}: unreachable`])
  expect(foundIn(await examine({ ...env, NAMEWRIGHT_NAMESPACES: 'off' }))[0]).toMatch(/^skipped: off/)
})

test('a machine without the internet has one problem, not one for each source', async () => {
  await using ofHosts = await makeCertificate(NAMESPACE_HOSTS)
  await using hosts = await openNamespaceServer(ofHosts, { has: () => false })
  hosts.be('closed')
  const silent = await openFakeResolver(() => [], { probes: 'shown' })
  const env = {
    NAMEWRIGHT_DNS_RESOLVERS: silent.address,
    NAMEWRIGHT_NAMESPACES: 'on',
    NAMEWRIGHT_REGISTRARS: 'vercel',
    NAMEWRIGHT_OUTBOUND_ROUTES: `${hosts.routes},api.vercel.com=127.0.0.1:${await freePort()}`,
  }
  const away = await examine(env)
  const withResolver = await examine({ ...env, NAMEWRIGHT_DNS_RESOLVERS: resolver.address })
  await silent.close()
  expect(wrongIn(away)).toEqual(['internet: no internet? Nothing outside responds: DNS, registrars, namespaces'])
  expect(away.findings.filter(({ about }) => ['DNS', 'namespaces'].includes(about))).toEqual([])
  // One source that responds is enough to name each that does not.
  expect(withResolver.findings.map(({ about }) => about)).not.toContain('internet')
  expect(wrongIn(withResolver).join()).toContain('registrars: vercel')
})

test('no secret is printed, whatever is broken', { timeout: 120_000 }, async () => {
  const port = await freePort()
  const secrets = {
    NAMEWRIGHT_DATABASE_URL: `postgres://service:p%40ss-database@127.0.0.1:${port}/sound`,
    NAMEWRIGHT_OWNER_DATABASE_URL: `postgres://root:owner-secret@127.0.0.1:${port}/sound`,
    NAMEWRIGHT_STANDBY_URL: `postgres://root:standby-secret@127.0.0.1:${port}/sound`,
    NAMEWRIGHT_REDIS_URL: `redis://user:redis-secret@127.0.0.1:${port}`,
    NAMEWRIGHT_SMTP_URL: `smtp://user:smtp-secret@127.0.0.1:${port}`,
    NAMEWRIGHT_MAIL_FROM: 'us@example.com',
    NAMEWRIGHT_REGISTRARS: 'porkbun',
    NAMEWRIGHT_PORKBUN: 'pk-secret-part:sk-secret-part',
    NAMEWRIGHT_SIGN_IN_WITH: `corp=https://client:provider-secret@127.0.0.1:${port}`,
    NAMEWRIGHT_MODEL: 'anthropic:some',
    NAMEWRIGHT_MODEL_URL: `http://127.0.0.1:${port}/v1`,
    NAMEWRIGHT_MODEL_KEY: 'model-secret',
    NAMEWRIGHT_OUTBOUND_ROUTES: `api.porkbun.com=127.0.0.1:${port}`,
  }
  const parts = ['p%40ss-database', 'p@ss-database', 'pk-secret-part', 'sk-secret-part', sound.NAMEWRIGHT_SECRET ?? '']
  const names = ['owner', 'standby', 'redis', 'smtp', 'provider', 'model'].map((name) => `${name}-secret`)
  for (const args of [['doctor'], ['doctor', '--json']]) {
    const { code, stdout, stderr } = await runCommand(args, { ...sound, ...secrets })
    expect(code).toBe(1)
    for (const secret of [...parts, ...names]) expect(stdout + stderr).not.toContain(secret)
  }
})

test('what stands in the documentation is no secret', async () => {
  const secret = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'
  const wrong = wrongIn(await examine({ NAMEWRIGHT_SECRET: secret }))
  expect(wrong).toEqual(['secrets: NAMEWRIGHT_SECRET is the example from the documentation'])
})
