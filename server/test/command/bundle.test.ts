/**
 * Availability, prices, `suggest` and `checkDomains` can be bundled as a command for a laptop: without a database, Redis,
 * an account or a setting.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCertificate } from '../certificate.ts'
import { answerTo, openFakeResolver } from '../internet/fake-resolver.ts'
import { openRegistrarServer } from '../internet/registrar-server.ts'
import type * as Entry from './entry.ts'

interface Chunk {
  readonly fileName: string
  readonly code: string
}

interface ModuleGraph {
  getModuleIds(): Iterable<string>
  getModuleInfo(id: string): {
    readonly code: string | null
    readonly importedIds: readonly string[]
    readonly dynamicallyImportedIds: readonly string[]
  } | null
}

const SERVER = join(import.meta.dirname, '../..')
const PACKAGES = ['ioredis', 'pg', 'pg-boss', 'kysely', 'fastify', 'koffi', 'better-auth', 'nodemailer']
const FORBIDDEN = new Set([...PACKAGES, 'src/platform/config/settings.ts', 'node:cluster'])

const closing = new AsyncDisposableStack()
let chunks: readonly Chunk[]
let modules: readonly { name: string; imports: readonly string[]; code: string }[]
beforeAll(async () => {
  const input = join(import.meta.dirname, 'entry.ts')
  const bundle = await rolldown({
    input,
    platform: 'node',
    // Some of them cannot be bundled, and the test is to name them all.
    external: new RegExp(`^(?:${PACKAGES.join('|')})(?:/|$)`),
    plugins: [{ name: 'modules', buildEnd: readModules }],
  })
  const { output } = await bundle.generate({ format: 'esm' })
  chunks = output.filter((one) => one.type === 'chunk')
})
afterAll(() => closing.disposeAsync())

/** Also those of which the bundle needs nothing. */
function readModules(this: ModuleGraph) {
  modules = [...this.getModuleIds()].map((id) => {
    const { code, importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {}
    return { name: nameOf(id), imports: [...importedIds, ...dynamicallyImportedIds].map(nameOf), code: code ?? '' }
  })
}

/** `src/…` for a file of ours, `node:…` for a part of Node, and the package for any other. */
function nameOf(id: string): string {
  if (isBuiltin(id)) return id.startsWith('node:') ? id : `node:${id}`
  if (id.startsWith(SERVER) && !id.includes('/node_modules/')) return id.slice(SERVER.length + 1)
  return /^(?:.*\/node_modules\/)?((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? id
}

test('the engines of a command import no store, no server and no settings', () => {
  const found = modules.flatMap(({ name, imports }) =>
    imports.filter((imported) => FORBIDDEN.has(imported)).map((imported) => `${name} imports ${imported}`),
  )
  expect(found).toEqual([])
  const text = chunks.map(({ code }) => code).join('')
  const [size, zipped] = [text.length, gzipSync(text).length].map((bytes) => Math.round(bytes / 1000))
  console.log(`the engines of a command: ${size} kB, ${zipped} kB zipped`)
})

test('one file of theirs says where the data is, and none needs more than Node 22 has', () => {
  const ours = modules.filter(({ name }) => name.startsWith('src/'))
  expect(ours.filter(({ code }) => code.includes('import.meta')).map(({ name }) => name)).toEqual(['src/data.ts'])
  const isNewer = /\bnew (?:Async)?DisposableStack\b|^\s*(?:await )?using /m
  expect(ours.filter(({ code }) => isNewer.test(code)).map(({ name }) => name)).toEqual([])
})

test('bundled, they check domains with the data beside them', async () => {
  const { checkDomains, ...engines } = await loadBundle()
  const now = Date.now
  const certificate = closing.use(await makeCertificate(['api.vercel.com']))
  const [registered, sold] = [new Set(['taken.com', 'held.com']), { premium: new Map(), reserved: new Set<string>() }]
  const world = { registered, ...sold, unsold: new Set<string>() }
  const registrar = closing.use(await openRegistrarServer({ world, certificate, stranger: certificate }))
  const resolver = await openFakeResolver((query, domain) => [
    answerTo(query, domain === 'taken.com' ? 'noerror' : 'nxdomain', { zone: 'com' }),
  ])
  closing.defer(() => resolver.close())
  const routes = [
    { host: 'api.vercel.com', address: '127.0.0.1', port: Number(new URL(registrar.url).port) },
    { host: 'rdap.verisign.com', address: '127.0.0.1', port: 9 },
  ]
  const outbound = engines.openOutbound({ ca: certificate.ca, routes, now })
  closing.defer(() => outbound.close())
  const cache = {
    getMany: async (keys: readonly string[]) => keys.map(() => null),
    setMany: async () => {},
    run: () => Promise.reject(new engines.CacheDown()),
  }
  const sources = await engines.openLiveSources({
    resolvers: [resolver.address],
    suffixes: ['com'],
    registrars: [{ declaration: engines.vercel, settings: {} }],
    rdap: {},
    cache,
    outbound,
    nodes: 1,
    registeredIn: engines.readRegisteredNames(),
    sourceHealth: engines.createSourceHealth(now),
    isOff: () => false,
    onTrust: () => {},
    closers: closing,
    now,
  })
  const availability = engines.openAvailability({ ...sources, cache, local: [], doubtsOf: engines.readDoubts(), now })
  const context = {
    ...sources,
    availability,
    availabilityMode: 'strict',
    prices: await engines.openPrices(),
    now,
  } as const
  const request = { deadlineMs: 20_000, fresh: false, forSale: false, fairnessKey: '' }
  const names = ['free-name.com', 'taken.com', 'held.com', 'no domain']
  const checked = await checkDomains(context, names, request, new AbortController().signal)
  expect(checked.map(({ registrable, verdict }) => [registrable, verdict.status])).toEqual([
    [true, 'available'],
    [false, 'taken'],
    [false, 'taken'],
    [false, 'invalid'],
  ])
  expect(checked[0]?.offer).toBeDefined()
})

async function loadBundle(): Promise<typeof Entry> {
  const folder = await mkdtemp(join(tmpdir(), 'namewright-bundle-'))
  closing.defer(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'dist'))
  await symlink(join(SERVER, 'data'), join(folder, 'data'))
  for (const { fileName, code } of chunks) await writeFile(join(folder, 'dist', fileName), code)
  return (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'dist', 'entry.js')).href)) as typeof Entry
}
