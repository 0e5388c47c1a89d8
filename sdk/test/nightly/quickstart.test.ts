/**
 * docs/demo.md, "From a checkout", gives the first names on a clean machine in less than five minutes: all its commands run in one
 * bash session. Without a network, the response must say why there are no names.
 *
 * The files of the repository are copied, the home is new and empty, and the path has the tools of the system and what npm
 * installs. Everything is downloaded from the npm registry and built. Differences from a reader's machine:
 *
 * - `apt-get` is not run; instead each of its packages must already be installed. PostgreSQL and Redis are, too, since
 *   every run of the tests begins with scripts/services, which is run again here and leaves alone what is right.
 * - npm installs into the new home, because the command as written would replace the machine's own pnpm.
 * - NODE_EXTRA_CA_CERTS is kept.
 * - The service uses a DNS server on loopback only: a test never calls a registrar or a registry.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksOf, readPage, ROOT, sectionOf } from '../../../server/test/docs/pages.ts'
import { runShell } from '../../../server/test/docs/shell.ts'
import { freePort } from '../../../server/test/free-port.ts'
import { ADMIN_URL } from '../../../server/test/world.ts'
import type { Generated } from '../../src/index.ts'

const LIMIT_MS = 300_000
// Before the limit, so that a hanging command is stopped and its output is shown.
const END_MS = 290_000

const INSTALL = '### 1. Install'

const folder = mkdtempSync(`${tmpdir()}/namewright-quickstart-`)
const checkout = `${folder}/checkout`
const home = `${folder}/home`
const databases: string[] = []

beforeAll(() => {
  mkdirSync(home)
  copyRepository()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  const admin = new pg.Client(ADMIN_URL)
  await admin.connect()
  for (const database of databases) await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
  await admin.end()
})

const LOOPBACK_DNS = { NAMEWRIGHT_DNS_RESOLVERS: '127.0.0.1:5320', NAMEWRIGHT_AVAILABILITY_MODE: 'balanced' }
// Nothing listens there.
const NO_DNS = { NAMEWRIGHT_DNS_RESOLVERS: '127.0.0.1:1' }

/** Runs the blocks of the page with this network. */
async function follow({ isInstalling, network }: { isInstalling: boolean; network: Record<string, string> }) {
  const page = sectionOf(readPage('docs/demo.md'), '## From a checkout')
  const install = blocksOf(sectionOf(page, INSTALL), 'sh')
  expect(install.join('')).toContain('pnpm install')
  const rest = blocksOf(page, 'sh').slice(install.length)
  const blocks = [...(isInstalling ? install.map(withoutAptGet) : []), ...rest]
  const script = blocks.map((block, i) => `echo "block ${i + 1} of ${blocks.length} at $SECONDS s" >&2\n${block}`)
  const database = `nw_test_${randomBytes(6).toString('hex')}`
  databases.push(database)
  const ran = await runShell(
    [`cd "${checkout}"`, ...script].join('\n'),
    {
      HOME: home,
      PATH: `${home}/npm/bin:/usr/local/bin:/usr/bin:/bin`,
      npm_config_prefix: `${home}/npm`,
      ...(process.env['NODE_EXTRA_CA_CERTS'] === undefined
        ? {}
        : { NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] }),
      DATABASE: database,
      PORT: String(await freePort()),
      NAMEWRIGHT_REGISTRARS: 'none',
      NAMEWRIGHT_RDAP: 'off',
      NAMEWRIGHT_NAMESPACES: 'off',
      NAMEWRIGHT_PRICE_REFRESH: 'off',
      ...network,
    },
    AbortSignal.timeout(END_MS),
  )
  expect(ran.code, `${ran.stdout.slice(-4000)}\n${ran.stderr.slice(-4000)}`).toBe(0)
  expect(ran.stderr).toContain(`block ${blocks.length} of ${blocks.length}`)
  expect(ran.statuses).toEqual([200, 200, 200, 201, 200])
  expect(ran.stdout).toContain('applied 0001_foundation.sql')
  expect(ran.stdout).toContain('"description":"a bakery that delivers sourdough by bicycle"')
  expect(ran.stdout).toContain('"name":"first key"')
  expect(ran.stdout).toContain('"msg":"closed"')
  return { ...ran, answer: firstAnswer(ran.stdout), steps: ran.stderr.match(/^block .*$/gm)?.join(', ') }
}

test('names come back in less than five minutes on a clean machine', { timeout: LIMIT_MS }, async () => {
  const began = performance.now()
  const { answer, steps } = await follow({ isInstalling: true, network: LOOPBACK_DNS })
  const tookMs = performance.now() - began
  expect(answer.suggestions).toHaveLength(5)
  for (const { name, domains } of answer.suggestions) {
    expect(name).not.toBe('')
    expect(domains.some(({ available }) => available)).toBe(true)
  }
  expect(existsSync(`${home}/npm/bin/pnpm`)).toBe(true)
  expect(tookMs).toBeLessThan(LIMIT_MS)
  console.log(`the quickstart took ${Math.round(tookMs / 1000)} s: ${steps}`)
})

test('without a network the doctor and the response say what is missing', async () => {
  const { answer, stdout } = await follow({ isInstalling: false, network: NO_DNS })
  expect(stdout).toContain('127.0.0.1:1')
  expect(answer.suggestions).toEqual([])
  expect(answer.shortfall).toMatchObject({
    wanted: 5,
    returned: 0,
    reason: 'availability_unknown',
    sources: [{ state: 'unreachable' }],
  })
})

/** Tracked files, and new files that are not ignored, as they are on disk. */
function copyRepository(): void {
  const root = fileURLToPath(ROOT)
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of listed.split('\0')) {
    if (file === '' || !existsSync(`${root}${file}`)) continue
    mkdirSync(dirname(`${checkout}/${file}`), { recursive: true })
    copyFileSync(`${root}${file}`, `${checkout}/${file}`)
  }
}

function withoutAptGet(block: string): string {
  return block.replaceAll(/^apt-get install -y (.*)$/gm, 'for tool in $1; do command -v "$tool"; done')
}

/** The response of the first call, which is mixed with the log of the service. */
function firstAnswer(output: string): Generated {
  const start = output.indexOf('{"status":"success","data":{"suggestions":')
  const text = output.slice(start)
  const end = text.search(/\}(?=\{"|\n|$)/)
  if (start < 0 || end < 0) throw new Error(`there are no names in ${output}`)
  return (JSON.parse(text.slice(0, end + 1)) as { data: Generated }).data
}
