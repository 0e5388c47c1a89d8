/** The release workflow: nothing in it can be moved by others, no job may do more than it has to, and none runs for ever. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { IMAGE } from '../release/compose.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const text = read('.github/workflows/release.yml')

interface Job {
  readonly needs?: string | readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly permissions?: Readonly<Record<string, string>>
  readonly 'timeout-minutes'?: number
  readonly container?: { readonly image: string }
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[]
}

const workflow = parse(text) as {
  readonly permissions: object
  readonly env: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}
const jobs = Object.entries(workflow.jobs)

test('every action is pinned by its commit, with its version beside it', () => {
  const used = text.split('\n').filter((line) => /\buses:/.test(line))
  expect(used).toHaveLength(jobs.flatMap(([, job]) => job.steps.filter(({ uses }) => uses !== undefined)).length)
  for (const line of used) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  for (const [, { container }] of jobs) expect(container?.image ?? '@sha256:').toMatch(/@sha256:(?:[0-9a-f]{64})?$/)
})

test('every job has a time limit, and only the permissions that it needs', () => {
  expect(workflow.permissions).toEqual({})
  expect(Object.fromEntries(jobs.map(([name, job]) => [name, job.permissions]))).toEqual({
    build: { contents: 'read' },
    join: { contents: 'read' },
    image: { contents: 'read', packages: 'write', 'id-token': 'write', attestations: 'write' },
    npm: { 'id-token': 'write' },
    registry: { 'id-token': 'write' },
    release: { contents: 'write' },
  })
  for (const [name, job] of jobs) expect(job['timeout-minutes'], name).toBeLessThanOrEqual(60)
})

test('a job that may write runs no code of the repository, and no step has an expression in its script', () => {
  for (const [name, { permissions = {}, steps }] of jobs) {
    if (Object.values(permissions).includes('write')) {
      expect(steps.map(({ uses }) => uses ?? '').join(), name).not.toContain('actions/checkout')
    }
    for (const { run } of steps) expect(run ?? '').not.toContain('${{')
  }
})

test('the entry of the MCP registry is published after npm, by a program that is pinned by its checksum', () => {
  const { needs, env = {}, steps } = workflow.jobs['registry'] ?? { steps: [] }
  expect(needs).toEqual(['join', 'npm'])
  const { PUBLISHER = '', PUBLISHER_SHA256 = '' } = env
  expect(PUBLISHER).toMatch(/\/registry\/releases\/download\/v\d+\.\d+\.\d+\/mcp-publisher_linux_amd64\.tar\.gz$/)
  expect(PUBLISHER_SHA256).toMatch(/^[0-9a-f]{64}$/)
  const script = steps.map(({ run }) => run ?? '').join('\n')
  const order = ['sha256sum --check --strict', 'tar --extract', 'login github-oidc', 'publish out/push/server.json']
  const places = order.map((part) => script.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(script).not.toContain('latest')
  const { name } = JSON.parse(read('server.json')) as { readonly name: string }
  expect(env['LISTED']).toContain(`/servers/${encodeURIComponent(name)}/versions`)
  const made = workflow.jobs['join']?.steps.map(({ run }) => run ?? '').join('\n')
  expect(made).toContain('cp server.json deploy/out/push/server.json')
})

test('it installs the pnpm of CI, and pushes to where compose.yaml and the manual look', () => {
  const pinned = /"packageManager": "pnpm@([\d.]+)"/.exec(read('package.json'))?.[1]
  const installed = [...text.matchAll(/pnpm@(\S+)/g)].map(([, version]) => version)
  expect(installed).toEqual([pinned, pinned])
  expect(workflow.env).toEqual({ IMAGE })
  expect(read('docs/deploying.md')).toContain('namewright/namewright/.github/workflows/release.yml@refs/tags/v$VERSION')
})
