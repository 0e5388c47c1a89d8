/** The units in deploy/systemd/: settings that exist, nothing missing from the walls, and systemd's own opinion. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { SETTINGS } from '../../server/test/read-config.ts'

const FOLDER = new URL('../../deploy/systemd', import.meta.url).pathname
const units = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(`${FOLDER}/${name}`, 'utf8') }))
const services = units.filter(({ name }) => name.endsWith('.service'))
const valuesOf = (text: string, key: string) =>
  [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, it]) => it ?? '')

test('there are a server, a worker and an index with its timer', () => {
  expect(units.map(({ name }) => name)).toEqual([
    'namewright-index.service',
    'namewright-index.timer',
    'namewright-server@.service',
    'namewright-worker.service',
  ])
})

describe.for(services)('$name', ({ text }) => {
  test('sets only settings that exist, and no secret', () => {
    const names = valuesOf(text, 'Environment').flatMap((line) => line.match(/\bNAMEWRIGHT_\w+/g) ?? [])
    for (const name of names) {
      expect(SETTINGS).toHaveProperty([name])
      expect((SETTINGS as Record<string, { secret?: true }>)[name]?.secret).toBeUndefined()
    }
    expect(valuesOf(text, 'EnvironmentFile')).toContain('/etc/namewright/namewright.env')
  })

  test('stands behind the same walls as the others', () => {
    const walls = (unit: string) =>
      unit
        .slice(unit.indexOf('DynamicUser='))
        .split('\n\n')[0]
        ?.replaceAll(/namewright\/\S+/g, '')
        .replaceAll(/ +$/gm, '')
        .trimEnd()
    expect(walls(text)?.split('\n').length).toBeGreaterThan(30)
    expect(walls(text)).toBe(walls(services[0]?.text ?? ''))
  })

  test('runs the pinned Node on the command of the service', () => {
    for (const line of valuesOf(text, 'ExecStart')) {
      expect(line).toMatch(
        /^-?\/opt\/namewright\/node_modules\/node\/bin\/node \/opt\/namewright\/server\/src\/main\.ts\b/,
      )
    }
  })
})

test('only the server learns the role that owns the tables', () => {
  const knowing = services.filter(({ text }) =>
    valuesOf(text, 'EnvironmentFile').some((path) => path.includes('owner')),
  )
  expect(knowing.map(({ name }) => name)).toEqual(['namewright-server@.service'])
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

describe.skipIf(!hasSystemd)('systemd', () => {
  test('finds nothing wrong with the units, and calls their exposure OK', () => {
    const folder = mkdtempSync(`${tmpdir()}/namewright-units-`)
    try {
      const paths = units.map(({ name, text }) => {
        const path = `${folder}/${name.replace('@', '@8081')}`
        // It checks whether the program is there; here it lies elsewhere.
        writeFileSync(path, text.replaceAll(/\/opt\/namewright\/node_modules\/node\/bin\/node/g, process.execPath))
        return path
      })
      const verified = spawnSync('systemd-analyze', ['verify', ...paths], { encoding: 'utf8' })
      const about = verified.stderr.split('\n').filter((line) => line.includes('namewright'))
      expect({ status: verified.status, about }).toEqual({ status: 0, about: [] })
      for (const path of paths.filter((one) => one.endsWith('.service'))) {
        // In tenths; it calls up to 2 fine for a service that talks to the internet.
        const args = ['security', '--offline=true', '--threshold=20', path]
        expect(execFileSync('systemd-analyze', args, { encoding: 'utf8' })).toMatch(
          /Overall exposure level.*: [01]\.\d OK/,
        )
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
