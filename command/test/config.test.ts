/** Where credentials are stored, who can read them, and which service receives them. */
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { configPath, openConfig } from '../src/config.ts'
import { openFolder, runCli } from './harness.ts'
import type { Folder } from './harness.ts'

const envOf = ({ path }: Folder, more: Record<string, string> = {}) => ({ XDG_CONFIG_HOME: path, HOME: path, ...more })

function keep(folder: Folder, config: object, mode = 0o600): string {
  const path = configPath(envOf(folder))
  mkdirSync(`${folder.path}/namewright`, { recursive: true })
  writeFileSync(path, JSON.stringify(config))
  chmodSync(path, mode)
  return path
}

describe('the file', () => {
  test('is in XDG_CONFIG_HOME or ~/.config; a relative path is ignored', () => {
    expect(configPath({ XDG_CONFIG_HOME: '/x', HOME: '/home/ada' })).toBe('/x/namewright/config.json')
    expect(configPath({ HOME: '/home/ada' })).toBe('/home/ada/.config/namewright/config.json')
    expect(configPath({ XDG_CONFIG_HOME: 'x', HOME: '/home/ada' })).toBe('/home/ada/.config/namewright/config.json')
  })

  test('can be read by its owner alone', async () => {
    using folder = openFolder()
    const ran = await runCli(['config', 'set', 'key'], { env: envOf(folder), stdin: 'nw_a-key-of-mine\n' })
    expect(ran.code, ran.stderr).toBe(0)
    expect(statSync(configPath(envOf(folder))).mode & 0o777).toBe(0o600)
    expect(statSync(`${folder.path}/namewright`).mode & 0o777).toBe(0o700)
    expect(ran.stdout + ran.stderr).not.toContain('nw_a-key')
  })

  test.for([0o644, 0o640, 0o604])('that others can read (%o) is not read', async (mode) => {
    using folder = openFolder()
    const path = keep(folder, { tlds: 'com', services: { 'http://127.0.0.1:8080': { key: 'nw_secret' } } }, mode)
    const ran = await runCli(['config', 'get', 'tlds'], { env: envOf(folder) })
    expect(ran).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(`chmod 600 ${path}`) })
    expect(ran.stderr).toContain(`mode 0${mode.toString(8)}`)
  })

  test('that is not JSON is not overwritten', async () => {
    using folder = openFolder()
    const path = keep(folder, {})
    writeFileSync(path, '{"url": ')
    expect(await runCli(['config'], { env: envOf(folder) })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a valid settings file'),
    })
    expect((await runCli(['config', 'set', 'count', '5'], { env: envOf(folder) })).code).toBe(2)
    expect(readFileSync(path, 'utf8')).toBe('{"url": ')
  })

  test('loses nothing in concurrent changes', async () => {
    using folder = openFolder()
    const file = openConfig(envOf(folder))
    const names = Array.from({ length: 12 }, (_, i) => `https://${i}.example`)
    await Promise.all(
      names.map((name) =>
        openConfig(envOf(folder)).change((config) => ({
          ...config,
          services: { ...config.services, [name]: { key: name } },
        })),
      ),
    )
    expect(Object.keys((await file.read()).services ?? {}).toSorted()).toEqual(names.toSorted())
  })
})

describe('a key', () => {
  test('is sent to its own service only', async () => {
    using folder = openFolder()
    const received: (string | undefined)[] = []
    const server = createServer((request, response) => {
      received.push(request.headers.authorization)
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    keep(folder, { services: { 'https://names.example.com': { key: 'nw_of-another' }, [own]: { key: 'nw_of-this' } } })
    const env = envOf(folder, { NAMEWRIGHT_URL: own })
    await runCli(['usage'], { env })
    expect(received).toEqual(['Bearer nw_of-this'])

    await runCli(['usage'], { env: { ...env, NAMEWRIGHT_API_KEY: 'nw_of-the-environment' } })
    expect(received.at(-1)).toBe('Bearer nw_of-the-environment')

    keep(folder, { services: { 'https://names.example.com': { key: 'nw_of-another' } } })
    const ran = await runCli(['usage'], { env })
    expect(ran).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('There are stored credentials for https://names.example.com.'),
    })
    expect(received).toHaveLength(2)
    server.close()
  })

  test('that would be sent without encryption causes a warning', async () => {
    using folder = openFolder()
    const env = envOf(folder, { NAMEWRIGHT_API_KEY: 'nw_a-key' })
    // Nothing is sent, because the id is not valid.
    const ran = await runCli(['history', 'show', '..', '--url', 'http://names.example.com'], { env })
    expect(ran.stderr).toContain('does not use HTTPS: others on the network can read your API key.')
  })

  test('a URL without a scheme is https, except for this machine', async () => {
    using folder = openFolder()
    const urlOf = async (url: string) =>
      (await runCli(['config', 'get', 'url', '--url', url], { env: envOf(folder) })).stdout.trim()
    expect(await urlOf('names.example.com/')).toBe('https://names.example.com')
    expect(await urlOf('localhost:8080')).toBe('http://localhost:8080')
    expect(await urlOf('127.0.0.1.example.com')).toBe('https://127.0.0.1.example.com')
    expect(await urlOf('http://127.0.0.1:1/names/')).toBe('http://127.0.0.1:1/names')
  })
})
