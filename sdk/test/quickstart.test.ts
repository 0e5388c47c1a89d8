/**
 * The first names on a clean machine in less than five minutes: what the README says under “Install”, then
 * docs/quickstart.md, word for word and in one session of bash.
 *
 * In the usual tier it is docs/quickstart.md alone, in this checkout as it is installed. In the full tier the files of the
 * repository are copied, the home is new and empty, and the path has the tools of the system and what npm installs.
 * Everything is downloaded anew from the npm registry and built. What is not as on a reader's machine:
 *
 * - `apt-get` is not run; instead each of its packages must be there already. PostgreSQL and Redis are, too, since
 *   every run of the tests begins with scripts/services, which is run again here and leaves alone what is right.
 * - npm installs into the new home, because the line as it stands would replace the machine's own pnpm.
 * - A machine that trusts more certificates than Node does says so in NODE_EXTRA_CA_CERTS, which is kept.
 * - The service finds DNS on loopback, and nobody else: a test asks no registrar and no registry.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { blocksOf, readPage, ROOT, sectionOf } from '../../server/test/docs/pages.ts'
import { runShell } from '../../server/test/docs/shell.ts'
import { freePort } from '../../server/test/free-port.ts'
import { ADMIN_URL } from '../../server/test/world.ts'
import { sizeOf } from '../../scripts/test/tiers.ts'
import type { Generated } from '../src/index.ts'

const LIMIT_MS = 300_000
// Before the limit, so that whatever hangs is ended and its output is shown.
const END_MS = 290_000

const isInstalledAnew = sizeOf('quickstartInstalls') > 0
const folder = mkdtempSync(`${tmpdir()}/namewright-quickstart-`)
const checkout = isInstalledAnew ? `${folder}/checkout` : fileURLToPath(ROOT)
const home = `${folder}/home`
const where = isInstalledAnew ? 'on a clean machine' : 'in an installed checkout'
const database = `nw_test_${randomBytes(6).toString('hex')}`

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  const admin = new pg.Client(ADMIN_URL)
  await admin.connect()
  await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
  await admin.end()
})

test(`names come back in less than five minutes ${where}`, { timeout: LIMIT_MS }, async () => {
  if (isInstalledAnew) copyRepository()
  mkdirSync(home)
  const install = blocksOf(sectionOf(readPage('README.md'), '## Install'), 'sh')
  const quickstart = blocksOf(readPage('docs/quickstart.md'), 'sh')
  expect(install.join('')).toContain('pnpm install')
  const blocks = [...(isInstalledAnew ? install.map(withoutAptGet) : []), ...quickstart]
  const script = blocks.map((block, i) => `echo "block ${i + 1} of ${blocks.length} at $SECONDS s" >&2\n${block}`)
  const began = performance.now()
  const ran = await runShell(
    [`cd "${checkout}"`, ...script].join('\n'),
    {
      HOME: home,
      PATH: isInstalledAnew ? `${home}/npm/bin:/usr/local/bin:/usr/bin:/bin` : (process.env['PATH'] ?? ''),
      npm_config_prefix: `${home}/npm`,
      ...(process.env['NODE_EXTRA_CA_CERTS'] === undefined
        ? {}
        : { NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] }),
      DATABASE: database,
      PORT: String(await freePort()),
      NAMEWRIGHT_DNS_RESOLVERS: '127.0.0.1:5320',
      NAMEWRIGHT_AVAILABILITY_MODE: 'balanced',
      NAMEWRIGHT_REGISTRARS: 'none',
      NAMEWRIGHT_RDAP: 'off',
      NAMEWRIGHT_PRICE_REFRESH: 'off',
    },
    AbortSignal.timeout(END_MS),
  )
  const tookMs = performance.now() - began
  expect(ran.code, `${ran.stdout.slice(-4000)}\n${ran.stderr.slice(-4000)}`).toBe(0)
  expect(ran.stderr).toContain(`block ${blocks.length} of ${blocks.length}`)
  expect(ran.statuses).toEqual([200, 200, 200, 201, 200])
  const { suggestions } = firstNames(ran.stdout)
  expect(suggestions).toHaveLength(5)
  for (const { name, domains } of suggestions) {
    expect(name).not.toBe('')
    expect(domains.some(({ available }) => available)).toBe(true)
  }
  expect(existsSync(`${home}/npm/bin/pnpm`)).toBe(isInstalledAnew)
  expect(tookMs).toBeLessThan(LIMIT_MS)
  const steps = ran.stderr.match(/^block .*$/gm)?.join(', ')
  console.log(`the quickstart took ${Math.round(tookMs / 1000)} s: ${steps}`)
})

/** What is tracked, and what is new and not ignored, as it is on the disk now. */
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

/** Of the first call: its answer stands among what the service logs meanwhile. */
function firstNames(output: string): Generated {
  const answer = /\{"status":"success","data":(\{"suggestions":\[.*?\]\})\}(?=\{|\n|$)/.exec(output)?.[1]
  if (answer === undefined) throw new Error(`there are no names in ${output}`)
  return JSON.parse(answer) as Generated
}
