/** The issue forms are as GitHub wants them, and every label that is given to an issue or a pull request exists. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const GITHUB = new URL('../.github/', import.meta.url)
const FORMS = readdirSync(new URL('ISSUE_TEMPLATE', GITHUB)).filter((name) => name !== 'config.yml')
const TYPES = ['markdown', 'input', 'textarea', 'dropdown', 'checkboxes']

interface Form {
  readonly name: string
  readonly description: string
  readonly labels: readonly string[]
  readonly body: readonly {
    readonly type: string
    readonly id?: string
    readonly attributes: { readonly label?: string; readonly value?: string; readonly options?: readonly unknown[] }
  }[]
}

interface Label {
  readonly name: string
  readonly color: string
  readonly description: string
}

interface Dependabot {
  readonly updates: readonly {
    readonly cooldown: { readonly 'default-days': number }
    readonly labels: readonly string[]
  }[]
}

function read(path: string): unknown {
  return parse(readFileSync(new URL(path, GITHUB), 'utf8'))
}

const labels = read('labels.yml') as Label[]
const known = labels.map(({ name }) => name)

test('labels are unique and within the limits of GitHub', () => {
  expect(new Set(known).size).toBe(known.length)
  for (const { name, color, description } of labels) {
    expect(name.length, name).toBeLessThanOrEqual(50)
    expect(color, name).toMatch(/^[0-9a-f]{6}$/)
    expect(description.length, name).toBeLessThanOrEqual(100)
  }
})

test.each(FORMS)('%s can be filled in', (file) => {
  const { name, description, labels: given, body } = read(`ISSUE_TEMPLATE/${file}`) as Form
  expect(name).not.toBe('')
  expect(description).not.toBe('')
  expect(known).toEqual(expect.arrayContaining([...given]))
  const fields = body.filter(({ type }) => type !== 'markdown')
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
  for (const { type, id, attributes } of body) {
    expect(TYPES).toContain(type)
    if (type === 'markdown') expect(attributes.value).toBeTruthy()
    else expect(`${id}: ${attributes.label}`).toMatch(/^[a-z]+: \w/)
    if (type === 'dropdown' || type === 'checkboxes') expect(attributes.options).not.toHaveLength(0)
  }
})

test('Dependabot waits as long as pnpm does, and gives labels that exist', () => {
  const { updates } = read('dependabot.yml') as Dependabot
  const { minimumReleaseAge } = read('../pnpm-workspace.yaml') as { minimumReleaseAge: number }
  expect(updates).not.toHaveLength(0)
  for (const { cooldown, labels: given } of updates) {
    expect(cooldown['default-days'] * 24 * 60).toBeGreaterThanOrEqual(minimumReleaseAge)
    expect(known).toEqual(expect.arrayContaining([...given]))
  }
})
