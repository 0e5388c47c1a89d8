/** Each rule finds its planted violation and passes the clean twin; no file of the real server is read. */
import { describe, expect, test } from 'vitest'
import { checkLayers } from './check-layers.ts'

type Sources = Readonly<Record<string, string>>

function found(sources: Sources): string[] {
  const files = new Map(Object.entries(sources).map(([path, text]) => [`server/src/${path}`, text]))
  return checkLayers(files).map(({ file, line, rule }) => `${file.replace('server/src/', '')}:${line} ${rule}`)
}

function lines(count: number, first = ''): string {
  return `${first}\n${'const x = 1\n'.repeat(count - 1)}`
}

const CASES: readonly { rule: string; name: string; planted: Sources; at: string; clean: Sources }[] = [
  {
    rule: 'rows',
    name: 'a capability may not import a flow',
    planted: { 'names/propose.ts': `\nimport { generate } from '../flows/generate.ts'` },
    at: 'names/propose.ts:2',
    clean: { 'flows/generate.ts': `import { propose } from '../names/propose.ts'` },
  },
  {
    rule: 'rows',
    name: 'a type import counts like any other',
    planted: { 'tenancy/quota/lease.ts': `import type { Context } from '../../context.ts'` },
    at: 'tenancy/quota/lease.ts:1',
    clean: { 'context.ts': `import type { Lease } from './tenancy/quota/lease.ts'` },
  },
  {
    rule: 'rows',
    name: 'a flow may not import an interface',
    planted: { 'flows/generate.ts': `export { toWire } from '../http/wire.ts'\nexport const a = 1` },
    at: 'flows/generate.ts:1',
    clean: { 'http/routes/generate.ts': `import { generate } from '../../flows/generate.ts'` },
  },
  {
    rule: 'rows',
    name: 'the context may not import an interface by import()',
    planted: { 'context.ts': `const open = async () => {\n  await import('./http/server.ts')\n}` },
    at: 'context.ts:2',
    clean: { 'main.ts': `const open = async () => {\n  await import('./http/server.ts')\n}` },
  },
  {
    rule: 'rows',
    name: 'a type written as import(…) counts',
    planted: { 'platform/log.ts': `export type Ask = import('../flows/generate.ts').Ask` },
    at: 'platform/log.ts:1',
    clean: { 'platform/log.ts': `export type Ask = import('./config/config.ts').Config` },
  },
  {
    rule: 'rows',
    name: 'an import whose path is computed cannot be checked',
    planted: { 'context.ts': 'const load = (name: string) => import(`./${name}.ts`)' },
    at: 'context.ts:1',
    clean: { 'context.ts': 'const load = () => import(`./flows/generate.ts`)' },
  },
  {
    rule: 'rows',
    name: 'the server imports nothing of ours from outside its sources',
    planted: { 'context.ts': `import { world } from '../test/world.ts'` },
    at: 'context.ts:1',
    clean: { 'context.ts': `import about from '../package.json' with { type: 'json' }` },
  },
  {
    rule: 'siblings',
    name: 'capabilities never import each other',
    planted: { 'library/history/record.ts': `import type { Lease } from '../../tenancy/quota/lease.ts'` },
    at: 'library/history/record.ts:1',
    clean: {
      'library/history/record.ts': `import { page } from './pages/page.ts'\nimport { db } from '../../platform/db/db.ts'`,
    },
  },
  {
    rule: 'siblings',
    name: 'flows never import each other',
    planted: { 'flows/add-favorite.ts': `import { check } from './check-domains.ts'` },
    at: 'flows/add-favorite.ts:1',
    clean: { 'flows/add-favorite.ts': `import { check } from '../availability/check.ts'` },
  },
  {
    rule: 'siblings',
    name: 'the interfaces do not import each other',
    planted: { 'worker/worker.ts': `import { auth } from '../http/auth.ts'` },
    at: 'worker/worker.ts:1',
    clean: { 'http/server.ts': `import { auth } from './auth.ts'` },
  },
  {
    rule: 'platform',
    name: 'model imports only model',
    planted: { 'model/domain.ts': `import { ApiError } from '../errors.ts'` },
    at: 'model/domain.ts:1',
    clean: { 'model/domain.ts': `import { domainToASCII } from 'node:url'\nimport { a } from './name.ts'` },
  },
  {
    rule: 'platform',
    name: 'errors.ts imports nothing',
    planted: { 'errors.ts': `import type { Domain } from './model/domain.ts'` },
    at: 'errors.ts:1',
    clean: { 'platform/config/config.ts': `import type { Domain } from '../../model/domain.ts'` },
  },
  {
    rule: 'cycle',
    name: 'files that import each other in a ring are reported once',
    planted: {
      'names/a.ts': `import { b } from './b.ts'`,
      'names/b.ts': `\nimport type { C } from './c.ts'`,
      'names/c.ts': `import { a } from './a.ts'`,
    },
    at: 'names/a.ts:1',
    clean: {
      'names/a.ts': `import { b } from './b.ts'\nimport { c } from './c.ts'`,
      'names/b.ts': `import { c } from './c.ts'`,
      'names/c.ts': `import type { D } from './d.ts'`,
    },
  },
  {
    rule: 'cycle',
    name: 'files of the platform may import each other, but not in a ring',
    planted: {
      'platform/config.ts': `import { log } from './log.ts'`,
      'platform/log.ts': `import { config } from './config.ts'`,
    },
    at: 'platform/config.ts:1',
    clean: { 'platform/config.ts': 'export const a = 1', 'platform/log.ts': `import { config } from './config.ts'` },
  },
  ...[
    { name: 'fastify', home: 'http/server.ts' },
    { name: '@fastify/swagger', home: 'http/openapi.ts' },
    { name: 'typebox/compile', home: 'http/schema.ts' },
    { name: 'prom-client', home: 'http/metrics.ts' },
    { name: 'pg', home: 'platform/db/db.ts' },
    { name: 'ioredis', home: 'platform/cache/cache.ts' },
  ].map(({ name, home }) => ({
    rule: 'package',
    name: `${name} has one home`,
    planted: { 'library/history/list.ts': `import type { A } from '${name}'` },
    at: 'library/history/list.ts:1',
    clean: { [home]: `import type { A } from '${name}'`, 'library/history/list.ts': `import { a } from 'not-${name}'` },
  })),
  {
    rule: 'sql',
    name: 'a flow holds no SQL',
    planted: { 'flows/generate.ts': 'const text = `\n  SELECT id FROM ${table}`' },
    at: 'flows/generate.ts:1',
    clean: {
      'library/history/list.ts': 'const text = `SELECT id`',
      'platform/db/migrate.ts': `query('INSERT INTO migrations VALUES ($1)')`,
    },
  },
  {
    rule: 'sql',
    name: 'a route holds no SQL in lower case either',
    planted: { 'http/health.ts': `const a = 'x'\nconst text = 'delete from keys'` },
    at: 'http/health.ts:2',
    clean: { 'http/health.ts': `const text = 'select one of these'\n// SELECT 1\nconst method = 'UPDATE'` },
  },
  {
    rule: 'environment',
    name: 'only config.ts reads the environment',
    planted: { 'platform/log.ts': `const level = process.env['LEVEL']` },
    at: 'platform/log.ts:1',
    clean: {
      'platform/config/config.ts': `const level = process.env['LEVEL']`,
      'platform/log.ts': `const text = 'process.env' // process.env`,
    },
  },
  {
    rule: 'environment',
    name: 'an entry file may only hand the environment to readConfig',
    planted: { 'main.ts': `const env = process.env\nreadConfig(env)` },
    at: 'main.ts:1',
    clean: { 'main.ts': 'const config = readConfig(process.env)' },
  },
  {
    rule: 'environment',
    name: 'an interface may not hand it on',
    planted: { 'worker/worker.ts': 'readConfig(process.env)' },
    at: 'worker/worker.ts:1',
    clean: { 'worker/worker.ts': `process.once('SIGTERM', stop)` },
  },
  {
    rule: 'environment',
    name: 'importing env does not get round it',
    planted: { 'platform/log.ts': `import { env } from 'node:process'` },
    at: 'platform/log.ts:1',
    clean: { 'platform/log.ts': `import { pid } from 'node:process'` },
  },
  {
    rule: 'environment',
    name: 'unpacking process does not get round it',
    planted: { 'platform/log.ts': 'const { env } = process' },
    at: 'platform/log.ts:1',
    clean: { 'platform/log.ts': 'const { env } = processes' },
  },
  {
    rule: 'network',
    name: 'a capability opens no sockets',
    planted: { 'prices/offers.ts': `import { request } from 'node:https'` },
    at: 'prices/offers.ts:1',
    clean: {
      'platform/outbound/outbound.ts': `import { request } from 'node:https'`,
      'http/tls.ts': `import { createServer } from 'node:https'`,
    },
  },
  {
    rule: 'network',
    name: 'only the DNS source among the capabilities speaks UDP',
    planted: { 'availability/cache.ts': `import { createSocket } from 'node:dgram'` },
    at: 'availability/cache.ts:1',
    clean: {
      'availability/dns.ts': `import { createSocket } from 'node:dgram'`,
      'availability/dns-wire.ts': `import 'node:dgram'`,
    },
  },
  {
    rule: 'network',
    name: 'the server listens but does not resolve names',
    planted: { 'http/auth.ts': `import { lookup } from 'node:dns/promises'` },
    at: 'http/auth.ts:1',
    clean: {
      'tenancy/keys/ranges.ts': `import { BlockList, isIP } from 'node:net'`,
      'platform/config/config.ts': `import { getServers } from 'node:dns'`,
    },
  },
  {
    rule: 'network',
    name: 'the global fetch is not called',
    planted: { 'automation/webhooks/send.ts': `async function send() {\n  return await fetch('http://a')\n}` },
    at: 'automation/webhooks/send.ts:2',
    clean: { 'automation/webhooks/send.ts': `async function send() {\n  return await outbound.fetch('http://a')\n}` },
  },
  {
    rule: 'network',
    name: 'the global fetch is not passed on',
    planted: { 'context.ts': 'const open = ({ get = globalThis.fetch }) => get' },
    at: 'context.ts:1',
    clean: { 'context.ts': 'interface Reach {\n  fetch(url: string): Promise<Response>\n}' },
  },
  {
    rule: 'name',
    name: 'a file is not named after nothing',
    planted: { 'names/word-utils.ts': '' },
    at: 'names/word-utils.ts:1',
    clean: { 'names/common-words.ts': '', 'tenancy/keys/base62.ts': '' },
  },
  {
    rule: 'name',
    name: 'a folder is not named after nothing',
    planted: { 'helpers/words.ts': '' },
    at: 'helpers/words.ts:1',
    clean: { 'words/words.ts': '' },
  },
  {
    rule: 'name',
    name: 'file names are kebab-case',
    planted: { 'checkDomains.ts': '' },
    at: 'checkDomains.ts:1',
    clean: { 'check-domains.ts': '' },
  },
  {
    rule: 'cast',
    name: 'no value is cast through unknown',
    planted: { 'platform/log.ts': 'const a = b as unknown as\n  string' },
    at: 'platform/log.ts:1',
    clean: { 'platform/log.ts': `const a = b as unknown\nconst c = 'as unknown as' // as unknown as` },
  },
  {
    rule: 'cast',
    name: 'the checker is not silenced',
    planted: { 'platform/log.ts': `const a = 1\n// @ts-ignore: later` },
    at: 'platform/log.ts:2',
    clean: { 'platform/log.ts': `const a = '// @ts-ignore'` },
  },
  {
    rule: 'barrel',
    name: 'a file that only passes things on is a barrel',
    planted: {
      'names/index.ts': `/** All. */\nimport { c } from './c.ts'\nexport * from './a.ts'\nexport type { B } from './b.ts'\nexport { c }`,
    },
    at: 'names/index.ts:1',
    clean: { 'names/names.ts': `export { a } from './a.ts'\nexport const b = 1`, 'main.ts': `import './context.ts'` },
  },
  {
    rule: 'type-name',
    name: 'no type has the name of another',
    planted: {
      'names/a.ts': 'export interface Lease {\n  a: 1\n}',
      'tenancy/quota/quota.ts': '\ntype Lease<T> = T',
    },
    at: 'tenancy/quota/quota.ts:2',
    clean: {
      'names/a.ts': `export interface Lease {\n  type: 1\n}\nimport type { Row } from './b.ts'`,
      'names/b.ts': `declare module 'x' {\n  interface Lease {}\n}\nexport class Row {}`,
    },
  },
  {
    rule: 'size',
    name: 'a long file says in its header why it is one thing',
    planted: { 'names/long.ts': lines(251), ...shortFiles(9) },
    at: 'names/long.ts:1',
    clean: { 'names/long.ts': lines(251, '/** One thing, because. */'), ...shortFiles(9) },
  },
  {
    rule: 'size',
    name: 'half of the files are under 80 lines',
    planted: { 'names/a.ts': lines(79), 'names/b.ts': lines(80), 'names/c.ts': lines(80) },
    at: 'server/src:1',
    clean: { 'names/a.ts': lines(79), 'names/b.ts': lines(80) },
  },
  {
    rule: 'size',
    name: 'nine of ten files are under 250 lines',
    planted: { 'names/long.ts': lines(250), ...shortFiles(8) },
    at: 'server/src:1',
    clean: { 'names/long.ts': lines(250), ...shortFiles(9) },
  },
]

function shortFiles(count: number): Sources {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`names/short-${index}.ts`, '']))
}

describe.each(CASES)('$rule: $name', ({ rule, planted, at, clean }) => {
  test('the planted violation is found, and nothing else', () => {
    expect(found(planted)).toEqual([`${at} ${rule}`])
  })
  test('the clean twin is passed', () => {
    expect(found(clean)).toEqual([])
  })
})

test('tests beside the sources and files outside server/src are left out', () => {
  const text = `import pg from 'pg'\nconst a = process.env`
  expect(found({ 'names/propose.test.ts': text })).toEqual([])
  expect(checkLayers(new Map([['scripts/check.ts', text]]))).toEqual([])
})

test('what looks like an import inside comments, strings, templates and regular expressions is none', () => {
  const text = [
    `// import { a } from '../flows/generate.ts'`,
    `/* import { a } from '../flows/generate.ts' */`,
    `const b = "import { a } from '../flows/generate.ts'"`,
    "const c = `import { a } from '../flows/generate.ts' ${d ? `}${{ e: '`' }}` : ''} import('../flows/generate.ts')`",
    `const f = /["'\`/[/'"]import('..\\/generate.ts')/.test(b) ? 4 / 2 / 1 : '/'`,
    `const g = { import: 1, from: '../flows/generate.ts' }`,
    `const h = import.meta.url`,
  ]
  expect(found({ 'names/propose.ts': text.join('\n') })).toEqual([])
})

test('an import cycle outside the server is found, too', () => {
  const text = (other: string) => `import type { A } from './${other}.ts'`
  const files = new Map([
    ['scripts/image/build.ts', text('recipe')],
    ['scripts/image/recipe.ts', text('build')],
    ['sdk/src/a.ts', text('b')],
    ['sdk/src/b.ts', ''],
  ])
  expect(checkLayers(files).map(({ file, rule }) => `${file} ${rule}`)).toEqual(['scripts/image/build.ts cycle'])
})

test('an import after all that is still seen, on its own line', () => {
  const text = "const a = `\n${b}\n`\nconst c = /'/\nimport {\n  type D,\n  e as f,\n} from '../flows/generate.ts'\n"
  expect(found({ 'names/propose.ts': text })).toEqual(['names/propose.ts:5 rows'])
})

test('code inside a template is code', () => {
  expect(found({ 'platform/log.ts': 'const a = `level ${process.env.LEVEL}`' })).toEqual([
    'platform/log.ts:1 environment',
  ])
})

test('every violation says what to do instead', () => {
  const files = new Map(
    CASES.flatMap(({ planted }) => Object.entries(planted)).map(([path, text]) => [`server/src/${path}`, text]),
  )
  for (const { advice } of checkLayers(files)) expect(advice.length).toBeGreaterThan(20)
})

describe('in the app', () => {
  const foundInApp = (path: string, text: string) =>
    checkLayers(new Map([[`web/src/${path}`, text]])).map(({ line, rule }) => `${line} ${rule}`)

  test.each([
    [
      'a row below may not import one above',
      'ui/button.tsx',
      `import { askSettings } from '../api/settings.ts'`,
      'row',
    ],
    ['nothing imports the start', 'search/page.tsx', `import { router } from '../routes.tsx'`, 'row'],
    [
      'the server is not imported',
      'api/keys.ts',
      `import { SCOPES } from '../../../server/src/model/caller.ts'`,
      'outside',
    ],
    ['the SDK is imported by its name', 'api/keys.ts', `import { x } from '../../../sdk/src/index.ts'`, 'outside'],
    ['only api/ calls fetch', 'search/page.tsx', `const answer = await fetch('/v1/generate')`, 'reach'],
  ])('%s', (_name, path, text, rule) => {
    expect(foundInApp(path, `\n${text}`)).toEqual([`2 ${rule}`])
  })

  test('what points down passes', () => {
    expect(foundInApp('search/page.tsx', `import { Button } from '../ui/button.tsx'\nqueries.refetch()`)).toEqual([])
    expect(foundInApp('api/settings.ts', `import { i18n } from '../i18n/i18n.ts'\nawait fetch(path)`)).toEqual([])
  })
})
