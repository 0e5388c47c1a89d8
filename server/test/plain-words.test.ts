/**
 * A plain word may be sold as premium: absence from RDAP and DNS does not make it available, a registrar's answer does.
 * DNS is the loopback internet's own; RDAP server and registrar are reached by their real host names.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCertificate } from './certificate.ts'
import { openRdapServer } from './internet/rdap-server.ts'
import { openRegistrarServer } from './internet/registrar-server.ts'
import { emptyRedis } from './redis.ts'
import { startApp } from './start-app.ts'
import type { Node, World } from './world.ts'

const REGISTRAR = 'api.vercel.com'
const REGISTRY_OF_ORG = 'rdap.publicinterestregistry.org'
// Nobody has registered either of them; both have more letters than the short labels that are doubted anyway.
const WORD = 'aardvark.org'
const NO_WORD = 'aardvirk.org'

let world: World
let key: string
let settings: Readonly<Record<string, string>>
const closing = new AsyncDisposableStack()
beforeAll(async () => {
  const certificate = closing.use(await makeCertificate([REGISTRAR, REGISTRY_OF_ORG]))
  const stranger = closing.use(await makeCertificate())
  const facts = {
    registered: new Set<string>(),
    premium: new Map(),
    reserved: new Set<string>(),
    unsold: new Set<string>(),
  }
  const registrar = closing.use(await openRegistrarServer({ world: facts, certificate, stranger }))
  const isRegistered = (domain: string) => domain === 'google.org'
  const registry = closing.use(await openRdapServer({ isRegistered, certificate }))
  world = closing.use(await startApp({ own: true }))
  key = (await world.makeKey(await world.makeAccount())).secret
  const routes = [
    `${REGISTRAR}=127.0.0.1:${new URL(registrar.url).port}`,
    `${REGISTRY_OF_ORG}=127.0.0.1:${new URL(registry.base).port}`,
    'data.iana.org=127.0.0.1:9',
  ]
  settings = {
    NAMEWRIGHT_RDAP: 'on',
    NAMEWRIGHT_OUTBOUND_ROUTES: routes.join(','),
    NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
  }
})
afterAll(() => closing.disposeAsync())

const startNode = async (more: Readonly<Record<string, string>>) =>
  world.startNode({ ...settings, ...(await emptyRedis()), ...more })

async function check(node: Node, domains: readonly string[]) {
  const body = { domains, verify: 'full', deadline_ms: 30_000 }
  return (await node.call('/v1/domains/check', { key, body })).json.data.domains
}

test.each(['strict', 'balanced'])(
  '%s: a word that RDAP and DNS lack is not available, another label is',
  async (mode) => {
    const node = await startNode({ NAMEWRIGHT_AVAILABILITY_MODE: mode })
    const sources = expect.arrayContaining(['dns', 'rdap'])
    await expect
      .poll(() => check(node, [WORD, NO_WORD]))
      .toMatchObject([
        { domain: WORD, available: false, status: 'unknown', sources },
        { domain: NO_WORD, available: true, confidence: 'definitive', sources },
      ])
    const body = {
      description: 'a zoo',
      count: 2,
      tlds: ['org'],
      candidates: ['Aardvark', 'Aardvirk'],
      deadline_ms: 30_000,
    }
    const { suggestions, rejected } = (await node.call('/v1/generate', { key, body })).json.data
    expect(suggestions).toMatchObject([{ name: 'Aardvirk', domains: [{ domain: NO_WORD, available: true }] }])
    expect(rejected).toMatchObject([{ name: 'Aardvark' }])
  },
)

test('the same word is available when a registrar says so', async () => {
  const node = await startNode({ NAMEWRIGHT_AVAILABILITY_MODE: 'strict', NAMEWRIGHT_REGISTRARS: 'vercel' })
  await expect.poll(() => check(node, [WORD])).toMatchObject([{ available: true, confidence: 'definitive' }])
})
