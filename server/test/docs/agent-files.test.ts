/**
 * The two files by which agents find us, against the published rules: server.json as the MCP registry wants it (schema
 * 2025-12-11 and the requirements of the official registry), and the skill after agentskills.io. The facts are written here,
 * because no test needs the internet.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { tokensOf } from '../../../scripts/tokens.ts'
import { CheckBody, FEATURES, GenerateBody } from '../source.ts'

const TOOLS = FEATURES.flatMap(({ tools = [] }) => tools.map(({ name }) => name))

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

const text = (least: number, most: number, pattern = /./) => ({
  asymmetricMatch: (value: unknown) =>
    typeof value === 'string' && value.length >= least && value.length <= most && pattern.test(value),
  toString: () => `text of ${least} to ${most} characters like ${pattern}`,
})
const URL_TEXT = text(1, 2_000, /^https:\/\/[^\s{}]+$/)
const EXACT_VERSION = text(1, 255, /^\d+\.\d+\.\d+(?:-[\d.a-z]+)?$/)

test('server.json is what the MCP registry takes', () => {
  const server = JSON.parse(read('server.json')) as { packages: Record<string, unknown>[] }
  expect(server).toEqual({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: text(3, 200, /^io\.github\.[a-zA-Z0-9-]+\/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$/),
    title: text(1, 100),
    description: text(1, 100),
    version: EXACT_VERSION,
    websiteUrl: URL_TEXT,
    repository: { url: URL_TEXT, source: 'github' },
    packages: [expect.anything()],
  })
  expect(server.packages[0]).toEqual({
    registryType: 'npm',
    // The only registry that the official one verifies for npm.
    registryBaseUrl: 'https://registry.npmjs.org',
    identifier: text(1, 214),
    version: EXACT_VERSION,
    runtimeHint: 'npx',
    transport: { type: 'stdio' },
    packageArguments: [{ type: 'positional', value: text(1, 100) }],
    environmentVariables: [
      { name: text(1, 100), description: text(1, 200), format: 'string', isRequired: false, placeholder: text(1, 100) },
      { name: text(1, 100), description: text(1, 200), format: 'string', isSecret: true, placeholder: text(1, 100) },
    ],
  })
})

const [, head = '', body = ''] = read('skills/namewright/SKILL.md').split(/^---\n/m)

test('the skill has the head of the specification and a body of a size that an agent can load', () => {
  const fields = parse(head) as Record<string, unknown>
  const known = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']
  expect(Object.keys(fields).filter((field) => !known.includes(field))).toEqual([])
  // The name of its folder: lower-case letters, digits and single hyphens.
  expect(fields.name).toBe('namewright')
  expect(fields.description).toEqual(text(1, 1_024))
  expect(fields.compatibility).toEqual(text(1, 500))
  expect(tokensOf({ body })).toBeLessThan(5_000)
  expect(body.split('\n').length).toBeLessThan(500)
})

test('the skill names tools and fields that exist', () => {
  for (const [, tool] of body.matchAll(/tools? `([a-z_]+)`/g)) expect(TOOLS).toContain(tool)
  const bodies = [...body.matchAll(/--data '(\{.+?\})'\n```/gs)].map(([, json = '']) => JSON.parse(json) as object)
  expect(bodies).toHaveLength(2)
  const known = [GenerateBody, CheckBody].map(({ properties }) => Object.keys(properties))
  for (const [index, sent] of bodies.entries())
    expect(Object.keys(sent).filter((field) => !known[index]?.includes(field))).toEqual([])
})
