/** The manifest of the n8n package against n8n's rules for community nodes, read on 2026-11-17. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Icon, ICredentialType, INodeProperties, INodeType } from 'n8n-workflow'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import openapi from '../../api/openapi.json'
import { buildPackage, PACKAGE } from './n8n-host.ts'
import type { Built } from './n8n-host.ts'

interface Manifest extends Readonly<Record<string, unknown>> {
  readonly name: string
  readonly keywords: readonly string[]
  readonly n8n: { readonly n8nNodesApiVersion: unknown; readonly nodes: string[]; readonly credentials: string[] }
}

const read = (path: string) => readFileSync(`${PACKAGE}${path}`, 'utf8')
const manifest = JSON.parse(read('package.json')) as Manifest
const CATEGORIES =
  'Data & Storage, Finance & Accounting, Marketing & Content, Productivity, Miscellaneous, Sales, Development, Analytics, Communication, Utility'.split(
    ', ',
  )

let built: Built
let node: INodeType
let credential: ICredentialType
beforeAll(() => {
  built = buildPackage()
  node = built.load(manifest.n8n.nodes[0] ?? '', 'Namewright') as INodeType
  credential = built.load(manifest.n8n.credentials[0] ?? '', 'NamewrightApi') as ICredentialType
})
afterAll(() => built[Symbol.dispose]())

test('name, keyword and version are those of a community node, and it has no dependencies', () => {
  expect(manifest.name).toMatch(/^n8n-nodes-[a-z]+$/)
  expect(manifest.keywords).toContain('n8n-community-node-package')
  expect(manifest.n8n.n8nNodesApiVersion).toBe(1)
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest['peerDependencies']).toEqual({ 'n8n-workflow': '*' })
  expect(manifest['files']).toEqual(['dist'])
})

test('every node and credential of the sources is listed, and is built where the manifest says', () => {
  const sources = (readdirSync(PACKAGE, { recursive: true }) as string[]).filter((path) =>
    /^(?:nodes|credentials)\/.*\.(?:node|credentials)\.ts$/.test(path),
  )
  const listed = [...manifest.n8n.nodes, ...manifest.n8n.credentials]
  expect(listed.toSorted()).toEqual(sources.map((path) => `dist/${path.replace(/ts$/, 'js')}`).toSorted())
  for (const path of listed) expect(existsSync(`${built.folder}/${path}`), path).toBe(true)
})

test('the code imports nothing but n8n-workflow, and reads neither files nor the environment', () => {
  const sources = (readdirSync(PACKAGE, { recursive: true }) as string[]).filter((path) =>
    /^(?:nodes|credentials)\/.*\.ts$/.test(path),
  )
  expect(sources.length).toBeGreaterThan(4)
  for (const path of sources) {
    const text = read(path)
    const imported = [...text.matchAll(/from '([^']+)'/g)].map(([, name = '']) => name)
    expect(
      imported.filter((name) => name !== 'n8n-workflow' && !name.startsWith('./')),
      path,
    ).toEqual([])
    expect(text, path).not.toMatch(/\b(?:process|require|globalThis|setTimeout)\b/)
  }
})

test('icons are square SVG files that exist', () => {
  const nodeFolder = `${PACKAGE}nodes/Namewright/`
  const filesOf = (icon: Icon | undefined) => (typeof icon === 'object' ? [icon.light, icon.dark] : [])
  const icons = [
    ...filesOf(node.description.icon).map((file) => `${nodeFolder}${file.replace('file:', '')}`),
    ...filesOf(credential.icon).map((file) => `${PACKAGE}credentials/${file.replace('file:', '')}`),
  ]
  expect(icons).toHaveLength(4)
  for (const path of icons) expect(readFileSync(path, 'utf8')).toMatch(/^<svg [^>]*viewBox="0 0 (\d+) \1"/)
})

test('the codex file is named after the node, is built, and has a known category', () => {
  const codex = JSON.parse(read('nodes/Namewright/Namewright.node.json')) as Record<string, unknown>
  expect(codex).toMatchObject({ node: manifest.name, nodeVersion: '1.0', codexVersion: '1.0' })
  expect(`${node.description.version}.0`).toBe(codex['nodeVersion'])
  const ofBuilt = readFileSync(`${built.folder}/dist/nodes/Namewright/Namewright.node.json`, 'utf8')
  expect(JSON.parse(ofBuilt)).toEqual(codex)
  const categories = codex['categories'] as string[]
  expect(categories.length).toBeGreaterThan(0)
  expect(categories.filter((category) => !CATEGORIES.includes(category))).toEqual([])
})

test('the credential is that of the node, hides the key, sends it as a bearer token and can be tested', () => {
  expect(node.description.credentials).toEqual([{ name: credential.name, required: true }])
  const key = credential.properties.find(({ name }) => name === 'apiKey')
  expect(key?.typeOptions?.password).toBe(true)
  expect(credential.authenticate?.properties.headers).toEqual({ Authorization: '=Bearer {{$credentials.apiKey}}' })
  expect(credential.test?.request).toEqual({ baseURL: '={{$credentials.baseUrl}}', url: '/v1/tlds' })
  expect(openapi.paths['/v1/tlds'].get.security).toContainEqual({ oauth: ['domains:check'] })
})

describe('fields', () => {
  const all = (properties: readonly INodeProperties[]): INodeProperties[] =>
    properties.flatMap((one) => [one, ...all((one.options ?? []).filter((option) => 'displayName' in option))])

  test('operations have an action, and every other field belongs to one', () => {
    const [operation, ...others] = node.description.properties
    const operations = (operation?.options ?? []).filter((option) => 'value' in option)
    expect(operation).toMatchObject({ name: 'operation', noDataExpression: true })
    expect(operations.map(({ value }) => value).toSorted()).toEqual(['checkDomains', 'checkNames', 'generate'])
    for (const { action, description } of operations) expect([action, description]).not.toContain(undefined)
    for (const { name, displayOptions } of others) expect(displayOptions?.show['operation'], name).toHaveLength(1)
  })

  test('names are in title case, placeholders begin with e.g., and booleans with Whether', () => {
    for (const { displayName, type, placeholder, description } of all(node.description.properties)) {
      expect(displayName).toMatch(/^(?:[A-Z]\w*)(?: [A-Z]\w*)*$/)
      if (placeholder !== undefined && type !== 'collection') expect(placeholder).toMatch(/^e\.g\. /)
      if (type === 'boolean') expect(description).toMatch(/^Whether /)
    }
  })

  test('styles and places are exactly those of the API', () => {
    const valuesOf = (name: string) =>
      (all(node.description.properties).find((one) => one.name === name)?.options ?? [])
        .flatMap((option) => ('value' in option ? [option.value] : []))
        .toSorted()
    const { GenerateRequest, NamesRequest } = openapi.components.schemas
    expect(valuesOf('styles')).toEqual(GenerateRequest.properties.styles.items.enum.toSorted())
    // Links are searches for a person, and no verdicts.
    const places = NamesRequest.properties.include.items.enum.filter((place) => place !== 'links')
    expect(valuesOf('include')).toEqual(places.toSorted())
  })
})

test('the README has the sections of n8n, the sources, and says what was never tried', () => {
  const page = read('README.md')
  for (const heading of ['Installation', 'Operations', 'Credentials', 'Compatibility', 'Usage', 'Resources']) {
    expect(page).toContain(`\n## ${heading}\n`)
  }
  expect(page).toContain('Built to the documentation of 2026-11-17; never published, never run inside n8n.')
})
