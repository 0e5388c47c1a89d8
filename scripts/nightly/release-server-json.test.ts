/** `server.json` keeps the rules of the registry, and each rule notices the file that breaks it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findProblems } from '../release/server-json.ts'
import type { NpmManifest, ServerJson } from '../release/server-json.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const TEXT = read('server.json')
const npm = JSON.parse(read('sdk/package.json')) as NpmManifest & { bin: Record<string, string> }

const problemsOf = (text: string, manifest: NpmManifest = npm) =>
  findProblems(JSON.parse(text) as ServerJson, manifest).join('\n')

test('the file of this tree has no problem', () => {
  expect(problemsOf(TEXT)).toBe('')
})

test('npx runs the command of the package, which reads the variables', () => {
  expect(Object.keys(npm.bin)).toEqual([npm.name])
  const [{ packageArguments = [], environmentVariables = [] } = {}] = (JSON.parse(TEXT) as ServerJson).packages ?? []
  expect(packageArguments.map(({ value }) => value)).toEqual(['mcp'])
  const session = read('sdk/src/cli/session.ts')
  for (const { name } of environmentVariables) expect(session).toContain(`env['${String(name)}']`)
})

const plants: readonly (readonly [from: string, to: string, says: string])[] = [
  ['2025-12-11', '2025-09-29', '$schema'],
  ['"io.github.namewright/namewright"', '"namewright"', 'namespace/name'],
  ['"io.github.namewright/namewright"', '"io.github.namewright/other"', 'mcpName'],
  ['"io.github.namewright/namewright"', '"io.github/namewright/namewright"', 'namespace/name'],
  ['"title": "Namewright"', '"title": ""', 'title'],
  ['Self-hosted.', 'x'.repeat(100), 'description'],
  ['\n  "version": "', '\n  "version": "^', 'version is not'],
  ['\n      "version": "', '\n      "version": "~', 'version of the package'],
  ['https://github.com/namewright/namewright#readme', 'http://example.com', 'websiteUrl'],
  ['"url": "https://github', '"url": "github', 'repository.url'],
  ['"source": "github"', '"source": "elsewhere"', 'repository.source'],
  ['"registryType": "npm"', '"registry_type": "npm"', 'unknown field registry_type'],
  ['https://registry.npmjs.org', 'https://npm.example.com', 'registryBaseUrl'],
  ['"identifier": "namewright"', '"identifier": "other"', 'identifier'],
  ['"stdio"', '"pipe"', 'transport.type'],
  ['"npx"', '"node"', 'runtimeHint'],
  ['"positional"', '"named"', 'positional'],
  ['"isSecret": true', '"isSecret": false', 'not secret'],
  ['"isRequired": true', '"isRequired": "yes"', 'boolean'],
  ['"format": "string"', '"format": "url"', 'format'],
  ['"placeholder"', '"example"', 'unknown field example'],
]

test.for(plants)('%s → %s is noticed', ([from, to, says]) => {
  expect(TEXT).toContain(from)
  expect(problemsOf(TEXT.replace(from, to))).toContain(says)
})

test('a package that does not name the server is noticed', () => {
  expect(problemsOf(TEXT, { name: 'namewright' })).toContain('mcpName')
  expect(findProblems({}, { name: 'namewright' })).toContain('there is no package')
})
