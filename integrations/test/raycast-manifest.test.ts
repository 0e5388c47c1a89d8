/** The manifest of the Raycast extension against Raycast's rules, read on 2026-11-17. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Preference {
  readonly name: string
  readonly type: string
  readonly required: boolean
}

interface Manifest extends Readonly<Record<string, unknown>> {
  readonly icon: string
  readonly categories: readonly string[]
  readonly platforms: readonly string[]
  readonly commands: readonly (Readonly<Record<string, unknown>> & { readonly name: string; readonly title: string })[]
  readonly preferences: readonly Preference[]
}

const PACKAGE = new URL('../raycast/', import.meta.url).pathname
const manifest = JSON.parse(readFileSync(`${PACKAGE}package.json`, 'utf8')) as Manifest
const CATEGORIES =
  'Applications, Communication, Data, Documentation, Design Tools, Developer Tools, Finance, Fun, Media, News, Productivity, Security, System, Web, Other'.split(
    ', ',
  )

test('every required field of an extension is there', () => {
  for (const field of ['name', 'title', 'description', 'icon', 'author', 'license']) {
    expect(manifest[field], field).toMatch(/\S/)
  }
  expect(manifest['$schema']).toBe('https://www.raycast.com/schemas/extension.json')
  expect(manifest.categories.length).toBeGreaterThan(0)
  expect(manifest.categories.filter((category) => !CATEGORIES.includes(category))).toEqual([])
  expect(manifest.platforms.length).toBeGreaterThan(0)
  expect(manifest.platforms.filter((platform) => !['macOS', 'Windows'].includes(platform))).toEqual([])
})

test('the icon is a PNG of 512 by 512 pixels, and no asset is unused', () => {
  const icon = readFileSync(`${PACKAGE}assets/${manifest.icon}`)
  expect(icon.subarray(1, 4).toString()).toBe('PNG')
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([512, 512])
  expect(readdirSync(`${PACKAGE}assets`)).toEqual([manifest.icon])
})

test.for(manifest.commands)('$name is a command with a file that exports a component', (command) => {
  for (const field of ['title', 'description']) expect(command[field]).toMatch(/\S/)
  expect(command['mode']).toBe('view')
  const file = `${PACKAGE}src/${command.name}.tsx`
  expect(existsSync(file)).toBe(true)
  expect(readFileSync(file, 'utf8')).toContain('\nexport default function ')
})

test('the commands are those of the README, in title case and without articles', () => {
  expect(manifest.commands.map(({ title }) => title)).toEqual(['Find Names', 'Check Domain or Name'])
  const page = readFileSync(`${PACKAGE}README.md`, 'utf8')
  for (const { title } of manifest.commands) expect(page).toContain(`**${title}**`)
  expect(page).toContain('Built to the documentation of 2026-11-17; never published, never run inside Raycast.')
})

test('an argument has a type and a placeholder', () => {
  const given = manifest.commands.flatMap(({ arguments: list = [] }) => list as readonly Record<string, unknown>[])
  expect(given).toEqual([{ name: 'query', type: 'text', placeholder: 'Domain or name', required: true }])
})

test('both preferences are required, and the key is entered as a password', () => {
  expect(manifest.preferences.map(({ name, type, required }) => [name, type, required])).toEqual([
    ['baseUrl', 'textfield', true],
    ['apiKey', 'password', true],
  ])
  for (const preference of manifest.preferences) {
    expect(preference).toMatchObject({ title: expect.stringMatching(/\S/), description: expect.stringMatching(/\S/) })
  }
})

test('the registrars are those of the web app', () => {
  const ofApp = new URL('../../web/src/search/register/registrars.json', import.meta.url)
  expect(readFileSync(`${PACKAGE}src/registrars.json`, 'utf8')).toBe(readFileSync(ofApp, 'utf8'))
})
