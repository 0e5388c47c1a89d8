/**
 * The command as it is published: one bundle for the oldest supported Node, without what only a service needs, which reads
 * no list that it has no use for.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCommand } from '../../scripts/command/build.ts'
import type { ModuleGraph } from '../../scripts/command/build.ts'
import { openCommandInternet } from '../../server/test/internet/command-internet.ts'
import { openFolder } from './harness.ts'
import type { Folder } from './harness.ts'
import { dataReadBy } from './installed.ts'

interface Module {
  /** The path in the repository, `node:…` for a part of Node, and the package for any other. */
  readonly name: string
  readonly imports: readonly string[]
  readonly code: string
}

const ROOT = join(import.meta.dirname, '../..')
const MANIFEST = new URL('../package.json', import.meta.url)
const PACKAGES = ['ioredis', 'pg', 'pg-boss', 'kysely', 'fastify', 'koffi', 'better-auth', 'nodemailer']
const FORBIDDEN = new Set([...PACKAGES, 'server/src/platform/config/settings.ts', 'node:cluster'])
// They read data that is shipped with it, or look for the service that is installed beside it.
const KNOWING_THEIR_PLACE = [
  'command/src/commands/demo.ts',
  'command/src/prove.ts',
  'command/src/version.ts',
  'packages/names/src/node.ts',
  'server/src/data.ts',
]

let folder: Folder
let home: string
let bin: string
let version: string
let modules: readonly Module[]
beforeAll(async () => {
  folder = openFolder()
  home = folder.path
  await buildCommand(home, { quality: 1, onModules: (graph) => (modules = modulesOf(graph)) })
  copyFileSync(MANIFEST, `${home}/package.json`)
  cpSync(new URL('../bin', import.meta.url), `${home}/bin`, { recursive: true })
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string; bin: { namewright: string } }
  version = manifest.version
  bin = `${home}/${manifest.bin.namewright}`
}, 120_000)
afterAll(() => folder[Symbol.dispose]())

/** Also those of which the bundle needs nothing. */
function modulesOf(graph: ModuleGraph): readonly Module[] {
  return [...graph.getModuleIds()].map((id) => {
    const { code, importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {}
    return { name: nameOf(id), imports: [...importedIds, ...dynamicallyImportedIds].map(nameOf), code: code ?? '' }
  })
}

function nameOf(id: string): string {
  if (isBuiltin(id)) return id.startsWith('node:') ? id : `node:${id}`
  if (id.startsWith(ROOT) && !id.includes('/node_modules/')) return id.slice(ROOT.length + 1)
  return /^(?:.*\/node_modules\/)?((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? id
}

test('it imports no store, no server and no settings', () => {
  expect(modules.map(({ name }) => name)).toContain('server/src/features/generate/suggest.ts')
  const found = modules.flatMap(({ name, imports }) =>
    imports.filter((imported) => FORBIDDEN.has(imported)).map((imported) => `${name} imports ${imported}`),
  )
  expect(found).toEqual([])
})

test('few files of it know where they are, and none needs more than Node 22 has', () => {
  const ours = modules.filter(({ name }) => /^(?:command|packages|sdk|server)\//.test(name))
  const places = ours.filter(({ code }) => code.includes('import.meta')).map(({ name }) => name)
  expect(places.toSorted()).toEqual(KNOWING_THEIR_PLACE)
  const isNewer = /\bnew (?:Async)?DisposableStack\b|^\s*(?:await )?using /m
  expect(ours.filter(({ code }) => isNewer.test(code)).map(({ name }) => name)).toEqual([])
})

test('its code is less than half a megabyte, zipped', () => {
  const files = execFileSync('find', [`${home}/dist`, '-name', '*.js'], { encoding: 'utf8' })
    .trim()
    .split('\n')
  const zipped = files.reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0)
  console.log(`the code of the command: ${Math.round(zipped / 1000)} kB zipped`)
  expect(zipped).toBeLessThan(500_000)
})

const isNode = (path: string) =>
  existsSync(path) && Number(/\d+/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))) >= 20

test('it runs in every installed Node', () => {
  for (const node of [process.execPath, '/usr/bin/node'].filter(isNode)) {
    const run = (...args: readonly string[]) =>
      spawnSync(node, [bin, ...args], { encoding: 'utf8', env: { HOME: home } })
    expect(run('version').stdout).toBe(`${version}\n`)
    expect(run('help').stdout).toContain('namewright COMMAND')
    expect(run('completion', 'bash').status).toBe(0)
    const refused = run('usage')
    expect([refused.status, refused.stdout]).toEqual([2, ''])
  }
})

test('it starts with a shebang', () => {
  expect(readFileSync(bin, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
})

test('its start takes less than twice that of Node alone', { timeout: 120_000 }, () => {
  const time = (args: readonly string[]): number => {
    const before = performance.now()
    execFileSync(process.execPath, args, { env: {} })
    return performance.now() - before
  }
  // The minimum of many alternating runs, which the load of the machine affects least.
  const [node, command]: [number[], number[]] = [[], []]
  for (let i = 0; i < 15; i++) {
    node.push(time(['-e', '0']))
    command.push(time([bin, 'version']))
  }
  const [bare, started] = [Math.min(...node), Math.min(...command)]
  console.log(`node -e 0: ${bare.toFixed(0)} ms; namewright version: ${started.toFixed(0)} ms`)
  expect(started).toBeLessThan(2 * bare + 20)
})

test('a description opens the lists of its own language and of no other', async () => {
  await using internet = await openCommandInternet({ isRegistered: () => false })
  const languagesFor = async (description: string) => {
    const args = ['suggest', description, '-n', '5', '--tlds', 'com', '--json']
    const read = await dataReadBy({ home, bin }, args, { ...internet.env, NAMEWRIGHT_CACHE_DIR: `${home}/cache` })
    expect(read).toContain('names.txt.br')
    return read.filter((path) => path.startsWith('languages/'))
  }
  expect(await languagesFor('a bakery that delivers by bicycle')).toEqual([])
  expect(await languagesFor('eine Bäckerei, die Brötchen mit dem Fahrrad bringt')).toEqual(['languages/de.txt.br'])
})
