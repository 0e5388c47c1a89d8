/** A registrar is one file: everything else about it is derived. `acme.ts` is such a file, and the one that the guide shows. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { WRITERS } from '../../../scripts/registrars/pages.ts'
import {
  createHealthTracker,
  findRegistrar,
  readConfig,
  type RegistrarDeclaration,
  REGISTRARS,
  Secret,
  switchesWith,
  USAGE as SWITCH_USAGE,
} from '../source.ts'
import { blocksOf, readPage, rowsOf } from '../docs/pages.ts'
import { acme } from './acme.ts'

const WITH_ACME = [...REGISTRARS, acme]
const REQUIRED = {
  NAMEWRIGHT_DATABASE_URL: 'postgres://namewright@127.0.0.1:5432/namewright',
  NAMEWRIGHT_REDIS_URL: 'redis://127.0.0.1:6379',
  NAMEWRIGHT_SECRET: 'a secret of thirty-two characters',
}
const KNOWN = REGISTRARS.map(({ name }) => name).join(', ')

describe.for(WITH_ACME)('$name', (registrar) => {
  test('creates what it declares, from the examples of its settings', async () => {
    await using closing = new AsyncDisposableStack()
    const created = await registrar.create(examplesOf(registrar), {
      send: () => Promise.reject(new Error('nothing is sent here')),
      health: createHealthTracker({ now: Date.now, slowMs: 1_000 }),
      onClose: (close) => closing.defer(close),
      now: Date.now,
    })
    const { setting } = typeof registrar.host === 'string' ? { setting: '' } : registrar.host
    const url = registrar.settings[setting]?.example
    const host = typeof registrar.host === 'string' ? registrar.host : new URL(url ?? '').hostname
    expect(created).toMatchObject({ name: registrar.name, host, batch: registrar.batch })
  })

  test('marks exactly the settings that hold secrets', () => {
    for (const [name, { secret, example, parse }] of Object.entries(registrar.settings)) {
      expect(name).toMatch(/^NAMEWRIGHT_[A-Z_]+$/)
      const holdsSecret = [parse(example)].flat().some((part) => part instanceof Secret)
      expect(secret ?? false, name).toBe(holdsSecret)
    }
  })
})

test('a registrar that nobody has tried says where its documentation is, what was read, and when', () => {
  const untried = REGISTRARS.flatMap((registrar) => registrar.untried ?? [])
  expect(untried.length).toBeGreaterThan(0)
  for (const { documentation, readFrom, readOn, omits } of untried) {
    expect(new URL(documentation).protocol).toBe('https:')
    expect(new Date(readOn).toISOString().slice(0, 10)).toBe(readOn)
    expect([readFrom, omits]).not.toContain('')
  }
})

test('names are unique, and so are settings', () => {
  const switches = switchesWith(WITH_ACME)
  const settings = WITH_ACME.flatMap((registrar) => Object.keys(registrar.settings))
  expect([...new Set(switches)]).toEqual(switches)
  expect([...new Set(settings)]).toEqual(settings)
  expect(switches).not.toContain('none')
})

describe('example.env and the docs', () => {
  test.for([...WRITERS])('%s is as `pnpm openapi` writes it', ([path, write]) => {
    expect(write(readPage(path), REGISTRARS), 'run: pnpm openapi').toBe(readPage(path))
  })

  test('the guide shows the file that these tests use', () => {
    const shown = blocksOf(readPage('docs/guides/adding-a-registrar.md'), 'ts')
    const fixture = readFileSync(`${import.meta.dirname}/acme.ts`, 'utf8')
      .replaceAll("'../../src/engines/availability/registrars/", "'./")
      .replaceAll("'../../src/", "'../../../")
    expect(shown).toEqual([fixture])
  })
})

describe('a registrar that is added by its file alone', () => {
  const env = { ...REQUIRED, NAMEWRIGHT_REGISTRARS: 'acme,vercel', NAMEWRIGHT_ACME: 'token-of-acme' }

  test('can be configured, and its secret is not printed', () => {
    const config = readConfig(env, WITH_ACME)
    expect(config.registrars.order).toEqual(['acme', 'vercel'])
    expect(config.registrars.settings.acme?.NAMEWRIGHT_ACME).toBeInstanceOf(Secret)
    expect(JSON.stringify(config)).not.toContain('token-of-acme')
  })

  test('must have its required setting', () => {
    expect(() => readConfig({ ...env, NAMEWRIGHT_ACME: '' }, WITH_ACME)).toThrow(
      /^NAMEWRIGHT_ACME must be set, because NAMEWRIGHT_REGISTRARS \w+ acme$/,
    )
  })

  test('is in example.env, in the tables of settings and of registrars, and in the one about privacy', () => {
    const written = (path: string) => WRITERS.get(path)?.(readPage(path), WITH_ACME) ?? ''
    expect(written('example.env')).toContain('\n\n# API token of Acme.\n# NAMEWRIGHT_ACME=change-me\n\n')
    expect(rowsOf(written('docs/configuration.md'))).toContainEqual([
      'NAMEWRIGHT_ACME',
      'empty',
      '`change-me`',
      'API token of Acme.',
    ])
    expect(written('docs/data-sources.md')).toMatch(/^\| Acme: `acme` +\| `NAMEWRIGHT_ACME` +\| 100 +\| yes +\|$/m)
    expect(written('docs/privacy.md')).toMatch(
      /^\| Acme: `acme` +\| `api\.acme\.example` +\| The names, with your API token\. +\|$/m,
    )
  })

  test('has a kill switch', () => {
    expect(switchesWith(WITH_ACME)).toEqual([...switchesWith(REGISTRARS).slice(0, -1), 'acme', 'language-model'])
    expect(SWITCH_USAGE).toContain(switchesWith(REGISTRARS).join(' '))
  })
})

describe('a registrar that nobody declared', () => {
  test('is refused at the start, with a list of the known ones', () => {
    expect(() => readConfig({ ...REQUIRED, NAMEWRIGHT_REGISTRARS: 'vercel,acme' }, REGISTRARS)).toThrow(
      `NAMEWRIGHT_REGISTRARS must be one of ${KNOWN}, none, for example cloudflare,vercel`,
    )
  })

  test('never becomes another one', () => {
    expect(() => findRegistrar(REGISTRARS, 'acme')).toThrow(`there is no registrar acme; the known ones are ${KNOWN}`)
    for (const registrar of REGISTRARS) expect(findRegistrar(REGISTRARS, registrar.name)).toBe(registrar)
  })
})

function examplesOf({ settings }: RegistrarDeclaration): Record<string, unknown> {
  const required = Object.entries(settings).filter(([, setting]) => setting.required)
  return Object.fromEntries(required.map(([name, { example, parse }]) => [name, parse(example)]))
}
