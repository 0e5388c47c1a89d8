import { afterAll, beforeAll, expect, test } from 'vitest'
import { NAMESPACE_RULES } from '../../src/model/namespace-verdict.ts'
import { shareWorld } from '../shared-world.ts'
import type { World } from '../world.ts'
import { readPage, rowsOf, sectionOf } from './pages.ts'

interface Document {
  readonly openapi: string
  readonly paths: Record<
    string,
    Record<string, { summary: string; security: { oauth?: string[] }[]; parameters?: Parameter[] }>
  >
  readonly components: {
    readonly schemas: Record<string, { properties: Record<string, unknown>; required?: string[] }>
  }
}

interface Parameter {
  readonly name: string
  readonly in: string
}

const committed = readPage('api/openapi.json')
const document = JSON.parse(committed) as Document
const page = readPage('docs/api.md')
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ heading: `${method.toUpperCase()} ${path}`, operation })),
)

// Described on a page of their own, with a table here.
const APART: Readonly<Record<string, string>> = { batches: 'Batches', webhooks: 'Webhooks' }
const partOf = (heading: string) => heading.split('/')[2] ?? ''
const here = operations.filter(({ heading }) => !(partOf(heading) in APART))

let world: World
beforeAll(async () => {
  world = await shareWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

test('api/openapi.json is what a running node serves; after a change run pnpm openapi', async () => {
  const node = await world.startNode()
  const served = await node.call('/openapi.json')
  expect(served.status).toBe(200)
  expect(`${JSON.stringify(served.json, null, 2)}\n`).toBe(committed)
})

test('the API page has a heading for every operation, and for no other', () => {
  const headings = [...page.matchAll(/^## ((?:GET|POST|PUT|PATCH|DELETE) .+)$/gm)].map(([, heading = '']) => heading)
  expect(headings.toSorted()).toEqual(here.map(({ heading }) => heading).toSorted())
})

test('what has a page of its own is in a table of the API page, with its scope, and as a curl on that page', () => {
  for (const [part, title] of Object.entries(APART)) {
    const its = operations.filter(({ heading }) => partOf(heading) === part)
    const rows = rowsOf(sectionOf(page, `## ${title}`))
    expect(rows.map(([request = '']) => request).toSorted()).toEqual(its.map(({ heading }) => heading).toSorted())
    const curls = readPage(`docs/${part}.md`).match(/^curl [^]*?(?<!\\)$/gm) ?? []
    for (const { heading, operation } of its) {
      expect(rows.find(([request]) => request === heading)?.at(-1), heading).toContain(scopeOf(operation))
      expect(
        curls.some((curl) => isCurlOf(curl, heading)),
        heading,
      ).toBe(true)
    }
  }
})

test('the API page names the scope of every operation and shows it as a curl', () => {
  for (const { heading, operation } of here) {
    const section = sectionOf(page, `## ${heading}`)
    expect(section, heading).toContain(`Scope \`${scopeOf(operation)}\``)
    expect(section, heading).toContain('\ncurl ')
  }
})

test('the API page lists every field of a request and every query parameter, and invents none', () => {
  const fieldsOf = (heading: string) => rowsOf(sectionOf(page, `## ${heading}`)).map(([name]) => name)
  const propertiesOf = (schema: string) => Object.keys(document.components.schemas[schema]?.properties ?? {})
  // The table of what `include` adds stands in the same section and names no field of the request.
  const added = ['evidence', 'pricing', 'score', 'rationale', 'sound', 'risks', 'understanding', 'handles']
  expect(fieldsOf('POST /v1/generate')).toEqual([...propertiesOf('GenerateRequest'), ...added])
  expect(fieldsOf('POST /v1/favorites')).toEqual(propertiesOf('FavoriteRequest'))
  expect(fieldsOf('POST /v1/domains/check')).toEqual(propertiesOf('CheckRequest'))
  // The table of rules, which is whole too.
  expect(fieldsOf('POST /v1/names/check')).toEqual([...propertiesOf('NamesRequest'), ...NAMESPACE_RULES])
  for (const { heading, operation } of here.filter((one) => /^GET [^{]+$/.test(one.heading))) {
    const query = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)
    expect(fieldsOf(heading), heading).toEqual(query)
  }
})

test('the API page explains every status that a domain can have, and no other', () => {
  const explained = rowsOf(sectionOf(page, '## Availability')).map(([name]) => name)
  expect(document.components.schemas.CheckedDomain?.properties.status).toEqual({ enum: explained })
})

test('the API page marks as required what the contract requires', () => {
  const required = rowsOf(sectionOf(page, '## POST /v1/generate')).filter(([, , preset]) => preset === 'required')
  expect(required.map(([name]) => name)).toEqual(document.components.schemas.GenerateRequest?.required)
})

function scopeOf({ security }: { readonly security: readonly { readonly oauth?: readonly string[] }[] }): string {
  return security.flatMap(({ oauth = [] }) => oauth).join(' ')
}

function isCurlOf(curl: string, heading: string): boolean {
  const [method = '', path = ''] = heading.split(' ')
  const used = /-X (\w+)/.exec(curl)?.[1] ?? (curl.includes(' -d ') ? 'POST' : 'GET')
  const address = new RegExp(`\\$NAMEWRIGHT_URL${path.replace(/\{\w+\}/g, '\\$\\w+')}["?]`)
  return used === method && address.test(curl)
}
