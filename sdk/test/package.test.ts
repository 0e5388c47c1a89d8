/** The installed package: its files, its types, and tree shaking. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../../server/test/start-app.ts'
import { installPacked, SDK } from './packed.ts'
import type { Installed } from './packed.ts'

/** The part of Vite that is used; it is installed with Vitest. */
interface Bundler {
  readonly build: (options: object) => Promise<[{ output: [{ code: string }] }]>
}

const TSC = `${SDK}../node_modules/.bin/tsc`

let installed: Installed
beforeAll(() => {
  installed = installPacked()
})
afterAll(() => installed[Symbol.dispose]())

const manifest = () => JSON.parse(readFileSync(`${installed.home}/package.json`, 'utf8')) as Record<string, unknown>

test('the package has what it runs on, its types, a page and a license, and depends on nothing', () => {
  expect(readdirSync(installed.home).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
  const files = readdirSync(`${installed.home}/dist`, { recursive: true, withFileTypes: true })
  expect(files.filter((entry) => entry.isFile() && !/\.(?:js|d\.ts)$/.test(entry.name))).toEqual([])
  for (const name of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    expect(manifest()).not.toHaveProperty(name)
})

test('it is small', () => {
  const tarball = readdirSync(installed.folder).find((name) => name.endsWith('.tgz'))
  const { size } = statSync(`${installed.folder}/${tarball}`)
  console.log(`@namewright/client, packed: ${(size / 1000).toFixed(1)} kB`)
  expect(size).toBeLessThan(85_000)
})

test('its license is the one of the repository, whichever tool packs it', () => {
  expect(readFileSync(`${SDK}LICENSE`, 'utf8')).toBe(readFileSync(`${SDK}../LICENSE`, 'utf8'))
})

test('publint reports nothing', async () => {
  const { messages } = await publint({ pkgDir: installed.home, strict: true, pack: false })
  expect(messages.map((message) => formatMessage(message, manifest(), { color: false }))).toEqual([])
})

test('no file of the client imports anything but its neighbours', () => {
  const files = readdirSync(`${installed.home}/dist`).filter((name) => name.endsWith('.js'))
  expect(files).toContain('index.js')
  for (const path of files) {
    const text = readFileSync(`${installed.home}/dist/${path}`, 'utf8')
    expect(text, path).not.toMatch(/^(?:import|export)\b[^\n]*from ['"](?!\.\/)|^[^*/]*\b(?:import|require)\(/m)
  }
})

test('the client needs no types but those of the web', () => {
  execFileSync(TSC, ['-p', SDK], { stdio: 'pipe' })
})

describe('it runs', () => {
  const SYSTEM_NODE = '/usr/bin/node'
  const isUsable =
    existsSync(SYSTEM_NODE) && Number(/\d+/.exec(execFileSync(SYSTEM_NODE, ['--version'], { encoding: 'utf8' }))) >= 20
  const nodes = [process.execPath, ...(isUsable ? [SYSTEM_NODE] : [])]

  test('in every installed Node, and makes a call', { timeout: 90_000 }, async () => {
    await using world = await startApp()
    const node = await world.startNodeProcess()
    const { secret } = await world.makeKey(await world.makeAccount())
    const script = `
      import { createNamewright, isErrorCode } from '@namewright/client'
      import { verifyWebhook } from '@namewright/client/verify-webhook'
      // For pages; on a server it does nothing, and does no harm.
      import '@namewright/client/element'
      const namewright = createNamewright({ baseUrl: '${node.url}', apiKey: '${secret}' })
      const { suggestions } = await namewright.generate({ description: 'a bakery', count: 2, deadline_ms: 20_000 })
      const events = []
      for await (const { event } of namewright.stream({ description: 'a bakery', count: 2 })) events.push(event)
      const refused = await namewright.generate({ description: '', count: 1 }).catch((error) => isErrorCode(error, 'invalid_request'))
      const fault = await verifyWebhook('{}', {}, 'whsec_AAAA').catch((error) => error.fault)
      console.log(JSON.stringify([suggestions.length, events.at(-1), refused, fault]))
    `
    for (const one of nodes) {
      writeFileSync(`${installed.folder}/call.mjs`, script)
      const env = { PATH: '', HOME: installed.folder }
      const output = execFileSync(one, [`${installed.folder}/call.mjs`], { env, encoding: 'utf8' })
      expect(JSON.parse(output), one).toEqual([2, 'done', true, 'missing_header'])
    }
  })
})

describe('its types', () => {
  const consumer = `
    import { createNamewright, isErrorCode } from '@namewright/client'
    import type { ErrorCode, Suggestion, VerifiedWebhook } from '@namewright/client'
    import { verifyWebhook } from '@namewright/client/verify-webhook'
    import '@namewright/client/element'
    const namewright = createNamewright({ baseUrl: '', apiKey: '' })
    export const element: HTMLElement | null = document.querySelector('namewright-search')
    document.addEventListener('namewright-select', (event) => console.log((event as CustomEvent).detail))
    export const suggestions: Promise<readonly Suggestion[]> = namewright.generate({ description: '', count: 1 }).then((one) => one.suggestions)
    export const webhook: Promise<VerifiedWebhook> = verifyWebhook('', {}, '')
    export function codeOf(error: unknown): 'no_names' | undefined {
      return isErrorCode(error, 'no_names') ? error.code : undefined
    }
    // @ts-expect-error -- there is no such code
    export const code: ErrorCode = 'no_such_code'
    // @ts-expect-error -- either a key or credentials
    createNamewright({ baseUrl: '', apiKey: '', clientCredentials: { clientId: '', clientSecret: '' } })
    // @ts-expect-error -- one of the two
    createNamewright({ baseUrl: '' })
    // @ts-expect-error -- a field that does not exist
    void namewright.generate({ description: '', count: 1, descripton: '' })
  `
  const settings = {
    'for Node': { module: 'nodenext', lib: ['es2022', 'dom'] },
    'for a bundler': { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] },
  }
  test.for(Object.entries(settings))('are right %s', ([, options]) => {
    const compilerOptions = {
      ...options,
      target: 'es2022',
      types: [],
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      exactOptionalPropertyTypes: true,
    }
    writeFileSync(`${installed.folder}/consumer.ts`, consumer)
    writeFileSync(`${installed.folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
    const output = (() => {
      try {
        return execFileSync(TSC, ['-p', installed.folder], { encoding: 'utf8', stdio: 'pipe' })
      } catch (error) {
        return (error as { stdout: string }).stdout
      }
    })()
    expect(output).toBe('')
  })
})

test('a bundle with only verifyWebhook contains nothing else', async () => {
  const { build } = (await import(createRequire(import.meta.resolve('vitest')).resolve('vite'))) as Bundler
  const bundle = async (script: string) => {
    writeFileSync(`${installed.folder}/entry.js`, script)
    const result = await build({
      root: installed.folder,
      configFile: false,
      logLevel: 'silent',
      build: { write: false, minify: true, lib: { entry: `${installed.folder}/entry.js`, formats: ['es'] } },
    })
    return result[0].output[0].code
  }
  const verifying = await bundle(`export { verifyWebhook } from '@namewright/client'`)
  const whole = await bundle(`export * from '@namewright/client'`)
  expect(verifying).toContain('webhook-signature')
  expect(verifying).not.toContain('/v1/')
  expect(whole).toContain('/v1/generate')
  expect(verifying.length).toBeLessThan(whole.length / 4)
  const [all, alone] = [whole, verifying].map((code) => gzipSync(code).length)
  console.log(`bundled and zipped: ${all} bytes in all, ${alone} for verifyWebhook alone`)
})
