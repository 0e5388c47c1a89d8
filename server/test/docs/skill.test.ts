/** The skill for agents: its form, its facts against the contract, and its commands against a real node. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { shareWorld } from '../shared-world.ts'
import type { Node, World } from '../world.ts'
import { bare, blocksOf, readPage, rowsOf, sectionOf } from './pages.ts'
import { runShell } from './shell.ts'

const FOLDER = 'namewright'
const PAGE = readPage(`skills/${FOLDER}/SKILL.md`)
const [, head = '', body = ''] = /^---\n([^]*?)\n---\n([^]*)$/.exec(PAGE) ?? []
const commands = blocksOf(body, 'sh')

interface Schema {
  readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>
}
const { schemas } = (
  JSON.parse(readPage('api/openapi.json')) as { components: { schemas: Readonly<Record<string, Schema>> } }
).components

interface Verdict {
  readonly available: boolean
  readonly status: string
  readonly checked_at: string
}

/** Whether the table allows the two beside each other. */
const rows = new Map(
  rowsOf(sectionOf(body, '## Read a verdict')).map(([status = '', available = '']) => [status, available]),
)
rows.delete('status')

// The rules of the format: https://agentskills.io/specification.
describe('the front matter', () => {
  const fields = parse(head) as Record<string, unknown>

  test('has the name of the folder, and a description of at most 1024 characters', () => {
    expect(fields['name']).toBe(FOLDER)
    expect(fields['name']).toMatch(/^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/)
    expect(fields['description']).toMatch(/^.{1,1024}$/)
    expect(fields['description']).toContain('Use it when')
  })

  test('has no field but those of the format', () => {
    const known = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']
    for (const field of Object.keys(fields)) expect(known).toContain(field)
    expect(fields['compatibility']).toMatch(/^.{1,500}$/)
  })
})

describe('the text', () => {
  test('is short enough to be read whole', () => {
    expect(PAGE.split('\n').length).toBeLessThan(500)
    // Three bytes are hardly ever more than a token.
    expect(Buffer.byteLength(body) / 3).toBeLessThan(5_000)
  })

  test('has every status of a verdict, and no other', () => {
    expect([...rows.keys()].toSorted()).toEqual(schemas['CheckedDomain']?.properties['status']?.enum?.toSorted())
    expect([...rows].filter(([, available]) => available === 'true').map(([status]) => status)).toEqual(['available'])
    expect(rows.get('unknown')).toBe('false')
  })

  test('says that unknown is not available', () => {
    expect(body).toContain('**`unknown` is not "probably available".**')
  })

  test('names only fields that a request has', () => {
    const wishes = body.split('\n').filter((line) => line.startsWith('- `'))
    const named = wishes.flatMap((line) => (line.slice(2).split(':')[0] ?? '').split(', ').map(bare))
    expect(named.length).toBeGreaterThan(8)
    expect(Object.keys(schemas['GenerateRequest']?.properties ?? {})).toEqual(expect.arrayContaining(named))
  })
})

describe('the commands', () => {
  let world: World
  let node: Node
  let env: Record<string, string>
  beforeAll(async () => {
    world = await shareWorld()
    node = await world.startNode()
    const { secret } = await world.makeKey(await world.makeAccount(), { scopes: ['generate', 'domains:check'] })
    env = { NAMEWRIGHT_URL: node.url, NAMEWRIGHT_API_KEY: secret }
  })
  afterAll(() => world[Symbol.asyncDispose]())

  async function verdictsOf(command: string | undefined): Promise<Verdict[]> {
    const ran = await runShell(command ?? 'false', env)
    expect(ran.statuses, `${ran.stdout}${ran.stderr}`).toEqual([200])
    const { data } = JSON.parse(ran.stdout) as {
      data: { domains?: Verdict[]; suggestions?: { domains: Verdict[]; rationale: string }[] }
    }
    for (const { rationale } of data.suggestions ?? []) expect(rationale).not.toBe('')
    return data.domains ?? data.suggestions?.flatMap(({ domains }) => domains) ?? []
  }

  test('are two: one for names and one for domains', () => {
    expect(commands.map((command) => /\/v1\/[a-z/]+/.exec(command)?.[0])).toEqual(['/v1/generate', '/v1/domains/check'])
  })

  test('succeed, and their verdicts are as the table says', { timeout: 60_000 }, async () => {
    const [generate, check] = commands
    const asked = check?.replace('"mayfly.com", "mayfly.io"', '"taken-for-sure.com", "no domain", "example.invalid"')
    const all = [await verdictsOf(generate), await verdictsOf(check), await verdictsOf(asked)]
    for (const verdicts of all) expect(verdicts.length).toBeGreaterThan(1)
    for (const { status, available, checked_at: checkedAt } of all.flat()) {
      expect(['either', String(available)], status).toContain(rows.get(status))
      expect(Date.parse(checkedAt)).not.toBeNaN()
    }
    const seen = new Set(all.flat().map(({ status }) => status))
    for (const status of ['available', 'taken', 'invalid']) expect([...seen]).toContain(status)
  })
})
