/** A release: one version, notes that exist, packages of JavaScript, and a workflow in which nothing can be moved by others. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { sectionOf } from '../release/notes.ts'
import { publishedManifest, toJavaScript } from '../release/packages.ts'
import { findDisagreements, readVersions } from '../release/versions.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8')

test('all parts of this tree have the same version, and each states one', () => {
  const stated = readVersions(ROOT)
  expect(findDisagreements(stated)).toEqual([])
  for (const [index, { where }] of stated.entries()) {
    for (const version of [undefined, '9.9.9']) {
      const planted = stated.with(index, { where, version })
      expect(findDisagreements(planted).join('\n')).toContain(index === 0 && version ? stated[0]?.version : where)
    }
  }
})

test('the tag of a release is v and the version, and a version is 1.2.3', () => {
  const stated = [{ where: 'a', version: '1.2.3' }]
  expect(findDisagreements(stated, 'v1.2.3')).toEqual([])
  expect(findDisagreements(stated, '1.2.3')).toEqual(['tag 1.2.3 instead of v1.2.3'])
  for (const version of ['', '1.2', 'v1.2.3', '1.2.3 ']) {
    expect(findDisagreements([{ where: 'a', version }])).toEqual(['a has no version of the form 1.2.3'])
  }
})

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- Something new.

## [1.1.0] - 2026-11-30

### Fixed

- A bug.

## [1.0.0] - 2026-10-01

- The first.

[1.1.0]: https://example.com/1.1.0
`

test('a section of the changelog ends where the next one begins, or the links', () => {
  expect(sectionOf(CHANGELOG, '1.1.0')).toBe('### Fixed\n\n- A bug.')
  expect(sectionOf(CHANGELOG, '1.0.0')).toBe('- The first.')
  expect(sectionOf(CHANGELOG, 'Unreleased')).toBe('### Added\n\n- Something new.')
})

test('a section that is missing, empty, without a date or there twice stops a release', () => {
  expect(() => sectionOf(CHANGELOG, '1.2.0')).toThrow('no section [1.2.0]')
  expect(() => sectionOf('## [1.2.0] - 2026-12-01\n\n### Added\n\n## [1.1.0]\n\n- x', '1.2.0')).toThrow('is empty')
  expect(() => sectionOf('## [1.2.0]\n\n- x', '1.2.0')).toThrow('has no date')
  expect(() => sectionOf(`${CHANGELOG}\n## [1.1.0] - 2026-12-01\n\n- x`, '1.1.0')).toThrow('2 sections')
  // 1.1.0 is not 1.1, and not 1.1.0-rc.1.
  expect(() => sectionOf(CHANGELOG, '1.1')).toThrow('no section')
  expect(() => sectionOf(CHANGELOG, '1.1.0-rc.1')).toThrow('no section')
})

const convert = (main: string) =>
  toJavaScript(
    new Map([
      ['src/main.ts', main],
      ['src/names/thread.ts', 'export const one: number = 1'],
    ]),
  ).get('src/main.js')

test('types go, lines stay, and every path to a source ends in .js', () => {
  const source = [
    "import type { One } from './names/thread.ts'",
    "import { one } from './names/thread.ts'",
    "export { one } from './names/thread.ts'",
    "const later = await import('./names/thread.ts')",
    "const worker = new URL('names/thread.ts', import.meta.url)",
    'export const two = (one satisfies number) as number',
  ].join('\n')
  const code = convert(source) ?? ''
  expect(code.split('\n')).toHaveLength(6)
  expect(code).not.toMatch(/\.ts\b|satisfies|\bOne\b|as number/)
  expect(code.match(/thread\.js/g)).toHaveLength(4)
})

test('packages, data and messages are left alone', () => {
  const source = [
    "import fastify from 'fastify'",
    "const data = new URL('../data/rdap.json', import.meta.url)",
    "throw new Error('run node eval/run.ts')",
  ].join('\n')
  expect(convert(source)).toBe(source)
})

test('a path to a file that is not in the package, and syntax that must be compiled, stop the release', () => {
  expect(() => convert("import { one } from './names/other.ts'")).toThrow('src/names/other.ts')
  expect(() => convert("new URL('thread.ts', import.meta.url)")).toThrow('src/thread.ts')
  expect(() => convert("await import('../test/world.ts')")).toThrow('test/world.ts')
  expect(() => convert('enum Color { Red }')).toThrow(/not supported/)
})

const manifest = {
  name: 'one',
  bin: { one: './src/main.ts' },
  dependencies: { two: '1.2.3' },
  devDependencies: { three: '1.0.0' },
  scripts: { prepack: 'node x.ts' },
}

test('the modules of a package that is imported are JavaScript too', () => {
  const { bin: _bin, ...library } = { ...manifest, exports: { '.': './src/names.ts', './node': './src/node.ts' } }
  expect(publishedManifest(library)).toEqual({
    name: 'one',
    dependencies: { two: '1.2.3' },
    exports: { '.': './src/names.js', './node': './src/node.js' },
  })
})

test('a package starts JavaScript, has nothing for developers, and names exact versions', () => {
  const published = { name: 'one', bin: { one: './src/main.js' }, dependencies: { two: '1.2.3' } }
  expect(publishedManifest(manifest)).toEqual(published)
  expect(() => publishedManifest({ ...manifest, private: true })).toThrow('private')
  for (const version of ['workspace:*', 'catalog:', '^1.2.3', 'latest']) {
    expect(() => publishedManifest({ ...manifest, dependencies: { two: version } })).toThrow('no exact version: two')
  }
})

test.for(['sdk', 'command', 'server', 'packages/names', 'packages/zone-index'])(
  '%s says where it is developed, under which licence, and is public',
  (folder) => {
    const found = JSON.parse(read(`${folder}/package.json`)) as object
    expect(found).toMatchObject({
      license: 'Apache-2.0',
      repository: { url: 'git+https://github.com/namewright/namewright.git', directory: folder },
      publishConfig: { access: 'public' },
    })
    expect(found).not.toHaveProperty('private')
  },
)

test('server.json names the npm package, which names it back, its command and variables that the command reads', () => {
  const npm = JSON.parse(read('command/package.json')) as { name: string; mcpName: string; bin: object }
  const listed = JSON.parse(read('server.json')) as {
    name: string
    description: string
    packages: { identifier: string; packageArguments: object[]; environmentVariables: { name: string }[] }[]
  }
  expect([listed.name, Object.keys(npm.bin)]).toEqual([npm.mcpName, [npm.name]])
  expect(listed.description.length).toBeLessThanOrEqual(100) // The registry takes no more.
  expect(listed.packages).toHaveLength(1)
  const [{ identifier, packageArguments, environmentVariables } = listed.packages[0]!] = listed.packages
  expect([identifier, packageArguments]).toEqual([npm.name, [{ type: 'positional', value: 'mcp' }]])
  const session = read('command/src/session.ts')
  for (const { name } of environmentVariables) expect(session).toContain(`env['${name}']`)
})

const text = read('.github/workflows/release.yml')
interface Job {
  readonly permissions?: Readonly<Record<string, string>>
  readonly 'timeout-minutes'?: number
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[]
}
const workflow = parse(text) as { readonly permissions: object; readonly jobs: Readonly<Record<string, Job>> }
const jobs = Object.entries(workflow.jobs)

test('every action of the workflow is pinned by its commit, and what it downloads by its checksum', () => {
  const used = text.split('\n').filter((line) => /\buses:/.test(line))
  for (const line of used) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  expect(text).toMatch(/image: docker\.io\/library\/debian:bookworm-slim@sha256:[0-9a-f]{64}\n/)
  expect(text).toMatch(/PUBLISHER_SHA256: [0-9a-f]{64}\n/)
  const script = jobs.flatMap(([, { steps }]) => steps.map(({ run = '' }) => run)).join('\n')
  expect(script).not.toMatch(/\$\{\{|latest\/download/)
  const order = ['sha256sum --check --strict', 'tar --extract', 'login github-oidc', 'publish out/server.json']
  const places = order.map((part) => script.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('every job has a time limit and only the permissions that it needs', () => {
  expect(workflow.permissions).toEqual({})
  expect(Object.fromEntries(jobs.map(([name, job]) => [name, job.permissions]))).toEqual({
    build: { contents: 'read' },
    image: { contents: 'read', packages: 'write' },
    sign: { packages: 'write', 'id-token': 'write' },
    npm: { 'id-token': 'write' },
    registry: { 'id-token': 'write' },
    release: { contents: 'write' },
  })
  for (const [name, job] of jobs) expect(job['timeout-minutes'], name).toBeLessThanOrEqual(60)
})

test('a job that may write runs code of the repository only inside of the image, before it signs in', () => {
  for (const [name, { permissions = {}, steps }] of jobs) {
    if (!Object.values(permissions).includes('write') || name === 'image') continue
    expect(steps.map(({ uses }) => uses ?? '').join(), name).not.toContain('actions/checkout')
  }
  const image = workflow.jobs['image']?.steps.map(({ run = '' }) => run) ?? []
  const signsIn = image.findIndex((script) => script.includes('docker login'))
  expect(image.findIndex((script) => script.includes('docker run'))).toBeLessThan(signsIn)
  expect(image.join('\n')).not.toMatch(/pnpm|node /)
  expect(image.findIndex((script) => /buildx build .*--push/s.test(script))).toBeGreaterThan(signsIn)
  expect(image[signsIn + 1]).toContain('--sbom=true --provenance=mode=max')
})

test('it installs the pnpm of CI, and signs what the manual verifies', () => {
  const pinned = /"packageManager": "pnpm@([\d.]+)"/.exec(read('package.json'))?.[1]
  expect([...text.matchAll(/pnpm@(\S+)/g)].map(([, version]) => version)).toEqual([pinned])
  expect(text).toContain('IMAGE: ghcr.io/namewright/namewright\n')
  expect(read('docs/operations.md')).toContain(
    'namewright/namewright/.github/workflows/release.yml@refs/tags/v$VERSION',
  )
})
