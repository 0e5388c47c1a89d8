import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEpp } from '../../src/availability/registrars/epp.ts'
import type { EppOptions } from '../../src/availability/registrars/epp.ts'
import { Limited } from '../../src/availability/registrars/registrar.ts'
import type { Evidence } from '../../src/availability/evidence.ts'
import type { Domain } from '../../src/model/domain.ts'
import { Secret } from '../../src/model/secret.ts'
import { makeCertificate } from '../certificate.ts'
import type { Certificate } from '../certificate.ts'
import { EPP_MOODS, openEppServer } from '../internet/epp-server.ts'
import type { EppMood, EppServer } from '../internet/epp-server.ts'
import { LOGIN } from '../internet/registrar-dialects.ts'
import { readPair } from '../internet/registrar-server.ts'
import { makeWorld, rowsOf } from '../internet/registrar-world.ts'

const { world, names } = makeWorld()
const domains = names as readonly Domain[]
const kinds = new Map(rowsOf(world, names).map((row) => [row.name, row]))
const patience = () => AbortSignal.timeout(10_000)

let server: EppServer
let certificate: Certificate
let stranger: Certificate
const closing = new AsyncDisposableStack()

beforeAll(async () => {
  certificate = closing.use(await makeCertificate())
  stranger = closing.use(await makeCertificate())
  server = closing.use(await openEppServer({ world, certificate, stranger }))
})
afterAll(() => closing.disposeAsync())

async function connect(own = certificate) {
  const socket = connectTls({
    host: '127.0.0.1',
    servername: 'localhost',
    port: server.port,
    ca: certificate.ca,
    ...readPair(own),
  })
  await once(socket, 'secureConnect')
  return socket
}

function open(more: Partial<EppOptions> = {}) {
  const login = { clientId: LOGIN.user, password: new Secret(LOGIN.secret), now: Date.now }
  return openEpp({ host: 'epp.test', suffixes: ['com', 'net'], batch: 50, connect: () => connect(), ...login, ...more })
}

const isClaim = ({ says, price }: Evidence) => says === 'available' || (says === 'premium' && price !== undefined)

test('each of 500 names is what it is, on one session, and other suffixes are never asked', async () => {
  server.be('well')
  const before = { ...server.seen }
  const epp = open()
  const evidence = new Map<Domain, Evidence>()
  for (let at = 0; at < domains.length; at += 50) {
    for (const one of await epp.check(domains.slice(at, at + 50), patience())) evidence.set(one.domain, one)
  }
  for (const domain of domains) {
    const { kind, price } = kinds.get(domain)!
    const one = evidence.get(domain)
    if (kind === 'unsold') expect(one).toBeUndefined()
    else expect(one?.says).toBe(kind)
    const money = { minor: Math.round(price * 100), currency: 'USD' }
    if (kind === 'premium') expect(one?.price).toEqual({ registration: money, renewal: money, years: 1 })
    // The registry's standard fee is what the operator pays, not what a caller is asked.
    if (kind === 'available') expect(one?.price).toBeUndefined()
  }
  await epp.close()
  await expect.poll(() => server.seen.logouts - before.logouts).toBe(1)
  expect({
    sessions: server.seen.sessions - before.sessions,
    logins: server.seen.logins - before.logins,
    checks: server.seen.checks - before.checks,
    logouts: server.seen.logouts - before.logouts,
  }).toEqual({ sessions: 1, logins: 1, checks: 10, logouts: 1 })
})

const RIGHT: readonly EppMood[] = ['well', 'slow', 'shuffled', 'missing', 'two at once', 'lying']
// Its standard fees are still standard; only the prices of premium names are in another currency, or unreadable.
const UNPRICED: readonly EppMood[] = ['foreign currency', 'negative price']

test.each(EPP_MOODS.filter((mood) => !RIGHT.includes(mood)))('%s: nothing is called free that way', async (mood) => {
  server.be(mood)
  const epp = open()
  const evidence = await epp.check(domains.slice(0, 50), patience()).catch((error: unknown) => {
    expect(error).toBeInstanceOf(Limited)
    expect(mood).toBe('too many')
    return []
  })
  const claims = evidence.filter(isClaim)
  if (UNPRICED.includes(mood)) {
    expect(claims.every(({ domain, says }) => says === 'available' && kinds.get(domain)?.kind === 'available')).toBe(
      true,
    )
  } else expect(claims).toEqual([])
  await epp.close()
})

test('rows in another order, or too few of them, mislead nobody', async () => {
  const epp = open()
  for (const mood of ['shuffled', 'missing', 'slow'] as const) {
    server.be(mood)
    const claims = (await epp.check(domains.slice(0, 50), patience())).filter(isClaim)
    expect(claims.length).toBeGreaterThan(5)
    for (const { domain, says } of claims) expect(kinds.get(domain)?.kind).toBe(says)
  }
  await epp.close()
})

test('a client without a certificate of the registry gets nothing', async () => {
  server.be('well')
  const epp = open({ connect: () => connect(stranger) })
  expect(await epp.check(domains.slice(0, 50), patience())).toEqual([])
  await epp.close()
})

test('a connection that never comes is given up, and one that comes late is closed', async () => {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof connect>>>()
  const epp = open({ connect: () => promise })
  expect(await epp.check(domains.slice(1, 3), patience())).toEqual([])
  server.be('well')
  const socket = await connect()
  resolve(socket)
  await once(socket, 'close')
  await epp.close()
})

test('a lost session is opened again, but not before a pause after a failure', async () => {
  let at = 0
  const epp = open({ now: () => at })
  const check = async () => (await epp.check(domains.slice(1, 3), patience())).length
  server.be('well')
  expect(await check()).toBe(2)
  server.be('another transaction')
  expect(await check()).toBe(0)
  server.be('well')
  expect(await check()).toBe(2)
  server.be('hangs up')
  expect(await check()).toBe(0)
  server.be('login refused')
  const { logins } = server.seen
  expect(await check()).toBe(0)
  server.be('well')
  at += 4 * 60_000
  expect(await check()).toBe(0)
  expect(server.seen.logins).toBe(logins + 1)
  at += 60_000
  expect(await check()).toBe(2)
  await epp.close()
})

test('checks that come together wait for their turn and get their own answers', async () => {
  server.be('well')
  const epp = open({ batch: 20 })
  const parts = Array.from({ length: 10 }, (_, at) => domains.slice(at * 20, at * 20 + 20))
  const answers = await Promise.all(parts.map((part) => epp.check(part, patience())))
  for (const [at, answer] of answers.entries()) {
    expect(answer.map(({ domain }) => domain)).toEqual(parts[at]!.filter((domain) => !domain.endsWith('.shop')))
  }
  await epp.close()
})

test('answers that nobody asked for are not taken for the next one', async () => {
  server.be('two at once')
  const epp = open()
  for (let at = 0; at < 200; at += 50) {
    for (const { domain, says } of await epp.check(domains.slice(at, at + 50), patience())) {
      expect(kinds.get(domain)?.kind).toBe(says)
    }
  }
  await epp.close()
})

test('a registry of one price is believed without fees', async () => {
  server.be('no fees')
  const epp = open({ onePrice: true })
  const claims = (await epp.check(domains.slice(0, 50), patience())).filter(isClaim)
  expect(claims.length).toBeGreaterThan(5)
  await epp.close()
})
