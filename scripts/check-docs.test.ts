/** Each rule finds its planted violation and passes the clean twin; no page of the real repository is read. */
import { describe, expect, test } from 'vitest'
import { checkDocs } from './check-docs.ts'

type Repository = Readonly<Record<string, string>>

const COMPLETE: Repository = {
  'README.md': '# Namewright\n',
  'ARCHITECTURE.md': '# Architecture\n',
  'CONTRIBUTING.md': '# Contributing\n',
  'CODE_OF_CONDUCT.md': '# Code of conduct\n',
  'SECURITY.md': '# Security\n',
  'ROADMAP.md': '# Roadmap\n',
  'CHANGELOG.md': '# Changelog\n',
  LICENSE: '',
  'example.env': '',
  'docs/errors.md': '# Errors\n\n## `rate_limited`: too fast\n\n## Again\n\n## Again\n',
  'docs/decisions/0001-fastify.md': '# 0001 fastify: the HTTP framework\n\nDate: 2026-11-15\n',
  'server/package.json': JSON.stringify({ dependencies: { fastify: '5.0.0' }, devDependencies: { vitest: '5.0.0' } }),
  'server/src/http/wire.ts': '',
  'server/migrations/0001-accounts.sql': '',
}

function found(changes: Readonly<Record<string, string | undefined>>): string[] {
  const files = Object.entries({ ...COMPLETE, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return checkDocs(new Map(files)).map(({ file, line, rule }) => `${file}:${line} ${rule}`)
}

const decision = (heading: string, more = '') => `# ${heading}\n\nDate: 2026-11-15\n${more}`

const CASES: readonly {
  name: string
  planted: Readonly<Record<string, string | undefined>>
  at: string
  clean: Repository
}[] = [
  {
    name: 'a relative link leads to a file',
    planted: { 'README.md': '# A\n\n[errors](docs/error.md)' },
    at: 'README.md:3 link',
    clean: {
      'README.md':
        '# A\n\n[errors](docs/errors.md), [folder](docs/), [root](/docs/errors.md), [out](https://a.example/x.md)',
    },
  },
  {
    name: 'links are read from the page they stand on',
    planted: { 'docs/errors.md': '[read](README.md)' },
    at: 'docs/errors.md:1 link',
    clean: { 'docs/errors.md': '[read](../README.md)' },
  },
  {
    name: 'an anchor leads to a heading',
    planted: { 'README.md': '[errors](docs/errors.md#too-slow)' },
    at: 'README.md:1 link',
    clean: { 'README.md': '[errors](docs/errors.md#rate_limited-too-fast) and [again](docs/errors.md#again-1)' },
  },
  {
    name: 'an anchor on the same page leads to a heading',
    planted: { 'README.md': '# Namewright\n\n[up](#namewrong)' },
    at: 'README.md:3 link',
    clean: { 'README.md': '# Namewright\n\n[up](#namewright), [mark](#here) <a id="here"></a>' },
  },
  {
    name: 'images, definitions and HTML are links too',
    planted: { 'README.md': '<img src="docs/logo.svg">' },
    at: 'README.md:1 link',
    clean: { 'README.md': '![e](docs/errors.md "Errors") [e][e]\n\n[e]: docs/errors.md\n' },
  },
  {
    name: 'code is no link',
    planted: { 'README.md': '```\n[a](b.md)\n```\n[a](b.md)' },
    at: 'README.md:4 link',
    clean: { 'README.md': '```\n[a](b.md)\n```\n`[a](b.md)`' },
  },
  {
    name: 'the map names paths that exist',
    planted: { 'ARCHITECTURE.md': '# Map\n\nSee `server/src/http/wires.ts`.' },
    at: 'ARCHITECTURE.md:3 path',
    clean: {
      'ARCHITECTURE.md':
        'See `server/src/http/wire.ts`, `http/`, `server/migrations/*.sql`, `docs/decisions/NNNN-*.md`.',
    },
  },
  {
    name: 'short forms of paths must exist as well',
    planted: { 'ARCHITECTURE.md': 'See `wires.ts`.' },
    at: 'ARCHITECTURE.md:1 path',
    clean: {
      'ARCHITECTURE.md': 'See `wire.ts`; `POST /v1/generate` answers `application/json`; `@fastify/swagger`; `/docs/`.',
    },
  },
  {
    name: 'every runtime dependency has a page that names it first',
    planted: { 'server/package.json': '{"dependencies":{"fastify":"5.0.0","pg":"8.0.0"}}' },
    at: 'server/package.json:1 decision',
    clean: {
      'sdk/package.json': '{"dependencies":{"@namewright/server":"workspace:*"},"devDependencies":{"pg":"8.0.0"}}',
    },
  },
  {
    name: 'a dependency is named as a whole word',
    planted: {
      'server/package.json': '{"dependencies":{"pg":"8.0.0"}}',
      'docs/decisions/0002-jobs.md': decision('0002 pg-boss: jobs'),
    },
    at: 'server/package.json:1 decision',
    clean: {
      'server/package.json': '{"dependencies":{"pg":"8.0.0"}}',
      'docs/decisions/0002-pg.md': decision('0002 `pg`: the driver'),
    },
  },
  {
    name: 'pages are numbered without gaps',
    planted: { 'docs/decisions/0003-node.md': decision('0003 node: the runtime') },
    at: 'docs/decisions/0003-node.md:1 decision',
    clean: { 'docs/decisions/0002-node.md': decision('0002 node: the runtime') },
  },
  {
    name: 'no number is given twice',
    planted: { 'docs/decisions/0001-node.md': decision('0001 node: the runtime') },
    at: 'docs/decisions/0001-node.md:1 decision',
    clean: { 'docs/decisions/README.md': '# Decisions' },
  },
  {
    name: 'the heading carries the number of the file',
    planted: { 'docs/decisions/0002-node.md': decision('0001 node: the runtime') },
    at: 'docs/decisions/0002-node.md:1 decision',
    clean: { 'docs/decisions/0002-node.md': decision('0002 node: the runtime') },
  },
  {
    name: 'a page is dated with a day that exists',
    planted: { 'docs/decisions/0002-node.md': '# 0002 node: the runtime\n\nDate: 2026-02-30\n' },
    at: 'docs/decisions/0002-node.md:1 decision',
    clean: { 'docs/decisions/0002-node.md': '# 0002 node: the runtime\n\nDate: 2026-02-28\n' },
  },
  {
    name: 'a page is short',
    planted: { 'docs/decisions/0002-node.md': decision('0002 node: the runtime', 'why\n'.repeat(58)) },
    at: 'docs/decisions/0002-node.md:61 decision',
    clean: { 'docs/decisions/0002-node.md': decision('0002 node: the runtime', 'why\n'.repeat(57)) },
  },
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'example.env'].map(
    (path) => ({ name: `${path} is there`, planted: { [path]: undefined }, at: `${path}:1 missing`, clean: {} }),
  ),
]

describe.each(CASES)('$name', ({ planted, at, clean }) => {
  test('the planted violation is found, and nothing else', () => {
    expect(found(planted)).toEqual([at])
  })
  test('the clean twin is passed', () => {
    expect(found(clean)).toEqual([])
  })
})
