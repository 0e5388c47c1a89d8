/**
 * Every list and file that a node takes from elsewhere, broken in the ways that files break: written twice, empty, cut off. A node starts with them, keeps what it had, says so in its log and its metrics, and answers every caller.
 */
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCertificate } from '../../certificate.ts'
import type { Certificate } from '../../certificate.ts'
import { bankRatesText, priceListText } from '../../internet/price-lists.ts'
import { startApp } from '../../start-app.ts'
import type { Node, World } from '../../world.ts'
import { openPrices } from '../../source.ts'

const HOSTS = { prices: 'api.porkbun.com', rates: 'www.ecb.europa.eu', registries: 'data.iana.org' }
type Lists = Record<'prices' | 'rates' | 'registries' | 'manifest', string>

let world: World
let certificate: Certificate
let server: Server
let folder: string
let key: string
let good: Lists
let served: Lists

beforeAll(async () => {
  certificate = await makeCertificate(Object.values(HOSTS))
  folder = await mkdtemp(join(tmpdir(), 'namewright-bad-files-'))
  const shipped = await openPrices()
  const cents = (suffix: Parameters<typeof shipped.listOfferOf>[0]) => {
    const { registration, renewal, transfer } = shipped.listOfferOf(suffix)
    return [registration.minor, renewal.minor, transfer?.minor ?? renewal.minor] as const
  }
  const rdap = JSON.parse(await readFile(new URL('../../../data/rdap.json', import.meta.url), 'utf8')) as {
    servers: Record<string, string>
  }
  const services = Object.entries(rdap.servers).map(([base, suffixes]) => [suffixes.split(' '), [base]])
  good = {
    prices: priceListText(new Map(shipped.list().map(({ suffix }) => [suffix, cents(suffix)]))),
    rates: bankRatesText(new Date().toISOString().slice(0, 10)),
    registries: JSON.stringify({ version: '1.0', publication: '2026-11-01', services }),
    manifest: '{"format":1,"suffixes":{}}',
  }
  const [cert, secret] = await Promise.all(
    [certificate.env.NAMEWRIGHT_TLS_CERT_FILE, certificate.env.NAMEWRIGHT_TLS_KEY_FILE].map((file) => readFile(file)),
  )
  server = createServer({ cert, key: secret }, ({ headers }, response) => {
    const [what] = Object.entries(HOSTS).find(([, host]) => host === headers.host) ?? []
    const body = what === undefined ? undefined : served[what as keyof typeof HOSTS]
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // Registries are not there: what they do not answer is unknown, which is no error.
  world = await startApp({
    own: true,
    settings: {
      NAMEWRIGHT_RDAP: 'on',
      NAMEWRIGHT_PRICE_REFRESH: 'on',
      NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
      NAMEWRIGHT_OUTBOUND_ROUTES: Object.values(HOSTS)
        .map((host) => `${host}=127.0.0.1:${port}`)
        .join(','),
    },
  })
  key = (await world.makeKey(await world.makeAccount())).secret
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  server?.closeAllConnections()
  server?.close()
  await certificate?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function start(name: string): Promise<Node> {
  const [index, data] = [join(folder, name, 'index'), join(folder, name, 'data')]
  await mkdir(index, { recursive: true })
  await writeFile(join(index, 'manifest.json'), served.manifest)
  return world.startNodeProcess({ NAMEWRIGHT_INDEX: index, NAMEWRIGHT_DATA_DIR: data })
}

/** As when two runs of a builder wrote one file. */
const twice = (text: string) => text + text
const BROKEN: readonly (readonly [string, (text: string) => string])[] = [
  ['twice its size', twice],
  ['cut off in the middle', (text) => text.slice(0, text.length / 2)],
  ['empty', () => ''],
]

test.each(BROKEN)(
  'a node whose lists and files are all %s keeps the last good ones and says so',
  async (name, spoil) => {
    served = Object.fromEntries(Object.entries(good).map(([what, text]) => [what, spoil(text)])) as Lists
    const node = await start(name.replaceAll(' ', '-'))
    for (let number = 0; number < 5; number++) {
      const body = { description: `a bakery in a harbour, number ${number}`, count: 3 }
      expect((await node.call('/v1/generate', { key, body })).status).toBe(200)
    }
    const check = await node.call('/v1/domains/check', { key, body: { domains: ['some-name.com'] } })
    expect(check.status).toBe(200)
    const wanted = ['price list', 'rates', 'registries', 'index']
    const refused = async () => {
      const text = await node.metrics()
      return wanted.filter((what) =>
        new RegExp(`^namewright_data_refused_total\\{what="${what}"\\} [1-9]`, 'm').test(text),
      )
    }
    for (let tries = 0; tries < 100 && (await refused()).length < wanted.length; tries++) await sleep(100)
    expect(await refused()).toEqual(wanted)
    await expect.poll(node.output).toContain('index rejected, the last valid one stays in use')
    await expect.poll(node.output).toContain('RDAP bootstrap list rejected, the last valid one stays in use')
    await expect.poll(node.output).toMatch(/"what":"price list".*"msg":"prices"/)
    await node.stop('SIGKILL')
  },
)

test(
  'lists that are right are taken, and nothing is refused but the index that is not there',
  { timeout: 120_000 },
  async () => {
    served = good
    const node = await start('right')
    await node.call('/v1/domains/check', { key, body: { domains: ['some-name.com'] } })
    for (let tries = 0; tries < 100 && !node.output().includes('"what":"rates"'); tries++) await sleep(100)
    const text = await node.metrics()
    const refused = text.split('\n').filter((line) => line.startsWith('namewright_data_refused_total'))
    expect(refused).toEqual(['namewright_data_refused_total{what="index"} 1'])
    await node.stop('SIGKILL')
  },
)
