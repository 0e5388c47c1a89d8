/** The commands of `namewright-server` as processes: each loads its own code and no more. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { runCommand } from './run-command.ts'
import { ADMIN_URL } from './world.ts'

const MAIN = new URL('../src/main.ts', import.meta.url).pathname
const REPORT_CPU = `data:text/javascript,process.on('exit',()=>console.error('cpu',Object.values(process.cpuUsage()).join('+')))`
// A fifth of what loading the whole service takes.
const MAX_CPU_MS = 400

const run = promisify(execFile)

test('help says what there is, without loading the service', async () => {
  // As on a machine where it never ran before.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }
  const { stdout, stderr } = await run(process.execPath, ['--import', REPORT_CPU, MAIN, 'help'], { env })
  expect(stdout).toContain('namewright-server migrate')
  const [user = Number.NaN, system = Number.NaN] = /cpu (\d+)\+(\d+)/.exec(stderr)?.slice(1).map(Number) ?? []
  expect((user + system) / 1000).toBeLessThan(MAX_CPU_MS)
})

test('a command that does not exist says so and ends with 2', async () => {
  const refused = await run(process.execPath, [MAIN, 'serf']).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no command serf.') })
})

const WORDS = [
  ...[
    'serve',
    'demo',
    'work',
    'migrate',
    'doctor',
    'backup',
    'restore',
    'admin',
    'jobs',
    'switch',
    'routes',
    'reencrypt',
    'index',
  ].map((command) => [command]),
  ['admin', 'create-key'],
  ['jobs', 'redrive'],
]

test.each(WORDS.map((words) => words.join(' ')))('%s --help does nothing but print', async (words) => {
  const command = words.split(' ')
  const { code, stdout, stderr } = await runCommand([...command, '--help'], {})
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(`namewright-server ${command[0] === 'serve' ? '[serve]' : command.join(' ')}`)
})

test('--version prints the version of the package', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  expect(await runCommand(['--version'], {})).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

test.each([
  ['migrate', '--plan'],
  ['serve', '--port'],
  ['demo', '--port'],
  ['work', '--places'],
  ['reencrypt', 'now'],
  ['--prot', ''],
])('%s %s is refused before anything is done', async (...words) => {
  // No settings: whatever began to work would say that they are missing.
  const { code, stdout, stderr } = await runCommand(
    words.filter((word) => word !== ''),
    {},
  )
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(words.findLast((word) => word !== ''))
  expect(stderr).not.toContain('NAMEWRIGHT_DATABASE_URL must')
})

describe('what cannot be used is said in one line, with what to do', () => {
  const SECRET = 'a-secret-that-is-long-enough-for-this'
  const settings = (database: string, secret = SECRET) => ({
    NAMEWRIGHT_DATABASE_URL: database,
    NAMEWRIGHT_REDIS_URL: 'redis://127.0.0.1:1',
    NAMEWRIGHT_SECRET: secret,
  })
  const listing = ['admin', 'list-accounts']

  test.each([
    ['a database that does not answer', ['migrate'], settings('postgres://x:hidden@127.0.0.1:1/x'), 'Start PostgreSQL'],
    ['the same for admin', listing, settings('postgres://x:hidden@127.0.0.1:1/x'), 'Start PostgreSQL'],
    ['a host that is none', ['migrate'], settings('postgres://x:hidden@no-such-host.invalid/x'), 'Correct the host'],
    ['a database that is none', ['migrate'], settings(at('/no_such_database')), 'Create the database'],
    ['a user that is none', ['migrate'], settings(at('/postgres', 'no_such_user:hidden')), 'Correct the user'],
    ['a database without tables', listing, settings(at('/postgres')), 'namewright-server migrate'],
    ['a URL that is none', ['migrate'], settings('somewhere'), 'NAMEWRIGHT_DATABASE_URL must be'],
    ['a secret that is too short', ['migrate'], settings(at('/postgres'), 'short'), 'at least 32 characters'],
    ['by how much', ['migrate'], settings(at('/postgres'), 'hidden'.padEnd(31, 'x')), '(this one has 31)'],
  ])('%s', async (_what, words, env, advice) => {
    const { code, stdout, stderr } = await runCommand(words, env)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const [last = '', ...others] = stderr.trimEnd().split('\n').toReversed()
    expect(last).toContain(advice)
    expect(others.join('')).toMatch(/^(Cannot start:)?$/)
    expect(stderr).not.toContain('hidden')
  })
})

/** The PostgreSQL of the tests, by another path or user. */
function at(path: string, user?: string): string {
  const url = new URL(ADMIN_URL)
  return `postgres://${user ?? [url.username, url.password].filter(Boolean).join(':')}@${url.host}${path}`
}
