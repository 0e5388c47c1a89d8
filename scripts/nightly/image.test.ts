/** The image: what its recipe says, what goes into it, and that this runs. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SETTINGS } from '../../server/test/read-config.ts'
import { readRecipe } from '../image/recipe.ts'
import { problemsOf } from '../image/sbom.ts'
import type { Bill } from '../image/sbom.ts'
import { runSmoke } from '../image/smoke.ts'
import { makeTree } from '../image/tree.ts'

const recipe = readFileSync(new URL('../../deploy/image/Containerfile', import.meta.url), 'utf8')
const manifest = JSON.parse(readFileSync(new URL('../../server/package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>
}

test('the recipe names settings that exist, and no secret', () => {
  const names = [...recipe.matchAll(/\b(NAMEWRIGHT_\w+)=/g)].map(([, name]) => name ?? '')
  expect(names).toEqual(['NAMEWRIGHT_HOST', 'NAMEWRIGHT_PORT', 'NAMEWRIGHT_DATA_DIR'])
  for (const name of names) expect(SETTINGS).toHaveProperty([name])
})

test('the last stage needs no shell: it runs nothing, and its commands are lists', () => {
  const last = recipe.slice(recipe.indexOf('FROM scratch'))
  expect(last).not.toMatch(/^RUN/m)
  for (const [, command] of last.matchAll(/^(?:ENTRYPOINT|HEALTHCHECK.*CMD) (.*)$/gm)) {
    expect(JSON.parse(command ?? '')).toContain('/usr/bin/node')
  }
})

test('a wrong bill of materials is noticed', () => {
  const component = { type: 'library', name: 'a', version: '1', purl: 'pkg:npm/a@1', 'bom-ref': 'pkg:npm/a@1' }
  const bill: Bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: 'urn:uuid:9cd48dde-4c3d-8ea1-a654-c5edae824f84',
    version: 1,
    metadata: { component: { ...component, 'bom-ref': 'root' } },
    components: [component],
    dependencies: [{ ref: 'root', dependsOn: ['pkg:npm/a@1'] }],
  }
  expect(problemsOf(bill)).toEqual([])
  expect(problemsOf({ ...bill, components: [component, component] })).toEqual(['pkg:npm/a@1 is there twice'])
  expect(problemsOf({ ...bill, dependencies: [{ ref: 'x' }] })).toEqual(['x is no component'])
  expect(problemsOf({ ...bill, components: [{ ...component, purl: 'a' }] })).toEqual(['a is no package URL'])
})

const isRoot = process.getuid?.() === 0

// `pnpm image` does the same with the image that buildah has made of this tree.
describe.skipIf(!isRoot)('what goes into the image', () => {
  const folder = mkdtempSync(`${tmpdir()}/namewright-image-`)
  const root = `${folder}/root`
  beforeAll(() => makeTree(folder), 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is named whole in its bill of materials, and nothing in it is for those who develop it', () => {
    const bill = JSON.parse(readFileSync(`${root}/app/sbom.cdx.json`, 'utf8')) as Bill
    expect(problemsOf(bill)).toEqual([])
    const names = new Set(bill.components.map(({ group, name }) => (group ? `${group}/${name}` : name)))
    for (const name of Object.keys(manifest.dependencies)) expect(names).toContain(name)
    for (const name of ['node', 'libc6', 'react']) expect(names).toContain(name)
    for (const name of ['vitest', 'oxlint', 'vite', '@types/node']) expect(names).not.toContain(name)
    const store = readdirSync(`${root}/app/server/node_modules/.pnpm`).filter((name) => name.includes('@'))
    expect(store.filter((name) => /^(?:vite|vitest|rolldown|react|@types.node)@/.test(name))).toEqual([])
    expect(store.length).toBeLessThanOrEqual(bill.components.length)
  })

  test('runs from an empty database to an answer, read-only, without a shell, as nobody in particular', async () => {
    mkdirSync(`${root}/data`)
    const said = await runSmoke({ root, config: readRecipe() }, `${folder}/volume`)
    expect(said.at(-1)).toBe('SIGTERM, exit 0')
  }, 300_000)
})
