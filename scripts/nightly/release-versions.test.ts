/** One version for all parts: in this tree, and with one part that is left behind. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDisagreements, readVersions } from '../release/versions.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const FILES = [
  'server/package.json',
  'sdk/package.json',
  'api/openapi.json',
  'server.json',
  'deploy/kubernetes/namewright.yaml',
  'deploy/kubernetes/migrate.yaml',
  'compose.yaml',
  'compose.build.yaml',
  'docs/deploying.md',
]

const folder = mkdtempSync(`${tmpdir()}/namewright-versions-`)
beforeAll(() => {
  for (const path of FILES) cpSync(`${ROOT}/${path}`, `${folder}/${path}`)
})
afterAll(() => rmSync(folder, { recursive: true }))

test('all parts of this tree have the same version', () => {
  expect(findDisagreements(readVersions(ROOT))).toEqual([])
})

const [{ version = '' } = {}] = readVersions(ROOT)
const plants: readonly (readonly [path: string, from: string, to: string, says: string])[] = [
  ['sdk/package.json', `"version": "${version}"`, '"version": "9.9.9"', 'sdk/package.json: 9.9.9'],
  ['api/openapi.json', `"version": "${version}"`, '"version": "9.9.9"', 'api/openapi.json: 9.9.9'],
  ['server.json', `\n  "version": "${version}"`, '\n  "version": "9.9.9"', 'server.json: 9.9.9'],
  ['server.json', `\n      "version": "${version}"`, '\n      "version": "9.9.9"', 'server.json, packages: 9.9.9'],
  [
    'deploy/kubernetes/migrate.yaml',
    `namewright/namewright:${version}`,
    'namewright/namewright:9.9.9',
    'migrate.yaml: 9.9.9',
  ],
  ['compose.yaml', `namewright/namewright:${version}`, 'namewright/namewright:9.9.9', 'compose.yaml: 9.9.9'],
  ['compose.yaml', `ghcr.io/namewright/namewright:${version}`, 'example/other', 'compose.yaml: no version'],
  ['compose.build.yaml', `localhost/namewright:${version}`, 'localhost/namewright:9.9.9', 'compose.build.yaml: 9.9.9'],
  ['docs/deploying.md', `VERSION=${version}`, 'VERSION=9.9.9', 'docs/deploying.md: 9.9.9'],
]

test.for(plants)('%s with %s → %s is noticed', ([path, from, to, says]) => {
  const text = readFileSync(`${ROOT}/${path}`, 'utf8')
  expect(text).toContain(from)
  writeFileSync(`${folder}/${path}`, text.replace(from, to))
  try {
    expect(findDisagreements(readVersions(folder)).join('\n')).toContain(says)
  } finally {
    writeFileSync(`${folder}/${path}`, text)
  }
})

test('the tag of a release is v and the version', () => {
  const stated = [{ where: 'a', version: '1.2.3' }]
  expect(findDisagreements(stated, 'v1.2.3')).toEqual([])
  expect(findDisagreements(stated, '1.2.3')).toEqual(['tag 1.2.3 instead of v1.2.3'])
  expect(findDisagreements(stated, 'v1.2.4')).toEqual(['tag v1.2.4 instead of v1.2.3'])
})

test('a version that is none is noticed', () => {
  for (const bad of [undefined, '', '1.2', 'v1.2.3', '1.2.3 ']) {
    expect(findDisagreements([{ where: 'a', version: bad }])).toEqual(['a has no version of the form 1.2.3'])
  }
  expect(findDisagreements([])).toHaveLength(1)
})
