import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { inspect, parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { ConfigError } from '../source.ts'
import { readConfig, SETTINGS } from '../read-config.ts'
import { bare, readPage, rowsOf } from './pages.ts'

const page = readPage('docs/configuration.md')
const example = readPage('example.env')
const settings = Object.entries(SETTINGS) as [
  string,
  { about: string; example: string; default?: string; secret?: true },
][]

const REQUIRED = {
  NAMEWRIGHT_DATABASE_URL: 'postgres://namewright@127.0.0.1:5432/namewright',
  NAMEWRIGHT_REDIS_URL: 'redis://127.0.0.1:6379',
  NAMEWRIGHT_SECRET: 'a secret of thirty-two characters',
}

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n')
  }
}

test('the configuration page lists exactly the settings, with their defaults, examples and purposes', () => {
  // Another table of the page lists the roles of the database.
  const written = rowsOf(page)
    .filter(([name = '']) => name.startsWith('NAMEWRIGHT_'))
    .map(([name, preset = '', sample = '', about]) => [name, preset, bare(sample), about])
  const wordOf = (preset: string | undefined) => (preset === undefined ? 'required' : preset && `\`${preset}\``)
  expect(written).toEqual(settings.map(([name, of]) => [name, wordOf(of.default) || 'empty', of.example, of.about]))
})

test('example.env lists exactly the settings, the required ones uncommented, the others with their defaults', () => {
  const written = [...example.matchAll(/^# (.+)\n(# )?(NAMEWRIGHT_\w+)=(.*)$/gm)].map(
    ([, about, commented, name, value]) => ({ about, name, value, commented: commented !== undefined }),
  )
  expect(written).toEqual(
    settings.map(([name, of]) => ({
      about: of.about,
      name,
      // A secret that everybody can read here must not be one that starts a server.
      value: name === 'NAMEWRIGHT_SECRET' ? '' : of.default || of.example,
      commented: of.default !== undefined,
    })),
  )
})

test('example.env does not start a server as it stands, and does once the secret is filled in', () => {
  const env = parseEnv(example) as Record<string, string>
  expect(problemsOf(env)).toEqual([expect.stringMatching(/^NAMEWRIGHT_SECRET must be set/)])
  expect(problemsOf({ ...env, NAMEWRIGHT_SECRET: REQUIRED.NAMEWRIGHT_SECRET })).toEqual([])
})

test('every line of example.env is valid when it is uncommented', () => {
  const env = parseEnv(example.replace(/^# (NAMEWRIGHT_\w+=)/gm, '$1')) as Record<string, string>
  expect(Object.keys(env)).toHaveLength(settings.length)
  expect(problemsOf({ ...env, NAMEWRIGHT_SECRET: REQUIRED.NAMEWRIGHT_SECRET })).toEqual([])
})

test('a shell that sources example.env reads every line, uncommented, as it is written', () => {
  const folder = mkdtempSync(`${tmpdir()}/namewright-env-`)
  try {
    const text = example.replace(/^# (NAMEWRIGHT_\w+=)/gm, '$1')
    writeFileSync(`${folder}/.env`, text)
    const env = { PATH: process.env.PATH ?? '' }
    const read = execFileSync('sh', ['-euc', 'set -a; . ./.env; set +a; env'], { cwd: folder, env, encoding: 'utf8' })
    const settingsOf = (output: string) =>
      [...output.matchAll(/^NAMEWRIGHT_\w+=.*$/gm)].map(([line]) => line).toSorted()
    expect(settingsOf(read)).toEqual(settingsOf(text))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('no secret has a default that could be used', () => {
  const secrets = settings.filter(([, of]) => of.secret)
  expect(secrets.map(([name]) => name)).toContain('NAMEWRIGHT_SECRET')
  for (const [name, of] of secrets) expect(of.default ?? '', name).toBe('')
})

test('without any setting every required one is named at once, with an example', () => {
  const problems = problemsOf({})
  expect(problems).toHaveLength(2)
  for (const [name, of] of settings.filter(([, one]) => one.default === undefined)) {
    expect(problems).toContain(`${name} must be set, for example ${of.example}`)
  }
})

test('all that is wrong is reported at once, and no value is repeated', () => {
  const wrong = {
    NAMEWRIGHT_DATABASE_URL: 'mysql://hunter2@localhost',
    NAMEWRIGHT_REDIS_URL: 'http://hunter2@localhost',
    NAMEWRIGHT_SECRET: 'hunter2',
    NAMEWRIGHT_PORT: '65536',
    NAMEWRIGHT_HOST: 'localhost',
    NAMEWRIGHT_TRUSTED_PROXIES: '10.0.0.0/33',
    NAMEWRIGHT_DNS_RESOLVERS: '127.0.0.1',
    NAMEWRIGHT_SUFFIXES: 'com,-',
    NAMEWRIGHT_TLS_CERT_FILE: '/etc/cert.pem',
  }
  const problems = problemsOf(wrong)
  for (const name of Object.keys(wrong)) expect(problems.join('\n')).toContain(name)
  expect(problems).toHaveLength(Object.keys(wrong).length)
  expect(problems.join('\n')).not.toContain('hunter2')
})

test('a variable that is nearly a setting is refused', () => {
  expect(problemsOf({ ...REQUIRED, NAMEWRIGHT_PROT: '80' })).toEqual([
    'NAMEWRIGHT_PROT is not a setting; see docs/configuration.md',
  ])
})

test('what callers export in the same shell does not keep the server from starting', () => {
  expect(problemsOf({ ...REQUIRED, NAMEWRIGHT_URL: 'http://127.0.0.1:8080', NAMEWRIGHT_API_KEY: 'nw_x' })).toEqual([])
})

test('an empty setting is as good as none', () => {
  expect(readConfig({ ...REQUIRED, NAMEWRIGHT_PORT: ' ' }).listen.port).toBe(8080)
})

test('secrets show as [secret] however the configuration is printed', () => {
  const config = readConfig({ ...REQUIRED, NAMEWRIGHT_SECRET: 'only-this-process-may-know-this-text' })
  for (const printed of [JSON.stringify(config), inspect(config, { depth: 9 }), String(config.secrets)]) {
    expect(printed).toContain('[secret]')
    expect(printed).not.toContain('only-this-process')
    expect(printed).not.toContain('postgres://')
  }
})
