/** The web app as a node serves it: which addresses it has, what a browser may do there, what is kept and what packed. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PAGE_PATHS } from '../source.ts'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'
import { makeUpApp, PAGE, SCRIPT } from './made-up-app.ts'
import type { MadeUpApp } from './made-up-app.ts'

vi.setConfig({ hookTimeout: 180_000 })

let made: MadeUpApp
let world: World
let node: Node
let bare: Node
const agent = new Agent()
beforeAll(async () => {
  made = await makeUpApp()
  world = await startApp({ own: true, settings: { NAMEWRIGHT_WEB_DIR: made.folder } })
  ;[node, bare] = await Promise.all([world.startNode(), world.startNode({ NAMEWRIGHT_WEB_DIR: `${made.folder}/none` })])
})
afterAll(async () => {
  await agent.close()
  await world[Symbol.asyncDispose]()
  await made[Symbol.asyncDispose]()
})

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const pathOf = (path: string) => path.replace(':token', 'abc')

/** As the bytes came, packed or not. */
async function fetchRaw(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const answer = await request(`${node.url}${path}`, { dispatcher: agent, method, headers })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    bytes: Buffer.from(await answer.body.arrayBuffer()),
  }
}

describe('a page', () => {
  test.each(PAGE_PATHS)('%s is the app, and may load and call only what comes from here', async (path) => {
    const { status, headers, text } = await node.call(pathOf(path), { headers: BROWSER })
    expect([status, headers.get('content-type'), text]).toEqual([200, 'text/html; charset=utf-8', PAGE])
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'; require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*clipboard-write=\(self\)/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-robots-tag')).toBe(/^\/[nrs]\//.test(path) ? 'noindex' : null)
  })

  test.each(PAGE_PATHS.filter((path) => path !== '/'))(
    '%s has one address, without a slash at its end',
    async (path) => {
      const { status, headers } = await fetchRaw(`${pathOf(path)}/?a=b/`, BROWSER)
      expect([status, headers.location]).toEqual([308, `${pathOf(path)}?a=b/`])
    },
  )

  test('is there for whoever takes anything, and not for a program that wants JSON', async () => {
    expect((await node.call('/')).text).toBe(PAGE)
    expectError(await node.call('/', { headers: { accept: 'application/json' } }), 404, 'not_found')
  })

  test('is not sent again to who has it', async () => {
    const first = await fetchRaw('/', BROWSER)
    const tag = String(first.headers.etag)
    expect(tag).toMatch(/^"[\w-]{22}"$/)
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await fetchRaw('/', { ...BROWSER, 'if-none-match': known })
      expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, tag])
      expect(again.headers['content-security-policy']).toBe(first.headers['content-security-policy'])
    }
    expect((await fetchRaw('/', { ...BROWSER, 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('HEAD has the headers and no body', async () => {
    const [get, head] = [await fetchRaw('/', BROWSER), await fetchRaw('/', BROWSER, 'HEAD')]
    expect([head.status, head.bytes.length, head.headers.etag]).toEqual([200, 0, get.headers.etag])
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(PAGE)))
  })

  test('of the settings does not hide what programs ask there', async () => {
    expectError(await node.call('/settings/me'), 401, 'sign_in_required')
    expect((await node.call('/settings/nothing', { headers: BROWSER })).status).toBe(404)
  })

  test('that does not exist is the app with the status 404, for a person; programs get JSON', async () => {
    for (const path of ['/nothing', '/settings/nothing', '/some/where?x=1']) {
      const { status, headers, bytes } = await fetchRaw(path, BROWSER)
      expect([status, headers['content-type'], String(bytes)]).toEqual([404, 'text/html; charset=utf-8', PAGE])
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers.etag).toBeUndefined()
    }
    expectError(await node.call('/nothing'), 404, 'not_found')
    expectError(await node.call('/v1/nothing', { headers: BROWSER }), 404, 'not_found')
    expectError(await node.call('/nothing', { method: 'POST', body: {}, headers: BROWSER }), 404, 'not_found')
  })
})

describe('a file', () => {
  test('with its hash in its name is kept for ever', async () => {
    const { status, headers, text } = await node.call('/assets/app-0a1b2c3d.js')
    expect([status, text, headers.get('content-type')]).toEqual([200, SCRIPT, 'text/javascript; charset=utf-8'])
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test.each([
    ['/manifest.webmanifest', 'application/manifest+json', 'no-cache'],
    ['/service-worker.js', 'text/javascript; charset=utf-8', 'no-cache'],
    ['/icons/icon-192.png', 'image/png', 'public, max-age=86400'],
    ['/favicon.svg', 'image/svg+xml', 'public, max-age=86400'],
    ['/favicon.ico', 'image/vnd.microsoft.icon', 'public, max-age=86400'],
    ['/robots.txt', 'text/plain; charset=utf-8', 'public, max-age=86400'],
    ['/assets/font-0a1b2c3d.woff2', 'font/woff2', 'public, max-age=31536000, immutable'],
  ])('%s is %s, %s', async (path, type, cached) => {
    const { status, headers } = await node.call(path)
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, cached])
    expect(headers.get('content-security-policy')).toContain("connect-src 'self'")
  })

  test('is packed for who takes that, each way with a tag of its own', async () => {
    const path = '/assets/app-0a1b2c3d.js'
    const plain = await fetchRaw(path)
    expect([plain.headers['content-encoding'], plain.bytes.toString()]).toEqual([undefined, SCRIPT])
    const zipped = await fetchRaw(path, { 'accept-encoding': 'gzip' })
    expect([zipped.headers['content-encoding'], gunzipSync(zipped.bytes).toString()]).toEqual(['gzip', SCRIPT])
    const best = await fetchRaw(path, { 'accept-encoding': 'gzip, deflate, br' })
    expect([best.headers['content-encoding'], brotliDecompressSync(best.bytes).toString()]).toEqual(['br', SCRIPT])
    const unwanted = await fetchRaw(path, { 'accept-encoding': 'br;q=0, gzip;q=0.0' })
    expect(unwanted.headers['content-encoding']).toBeUndefined()
    expect(new Set([plain, zipped, best].map(({ headers }) => headers.etag)).size).toBe(3)
    for (const { headers } of [plain, zipped, best]) expect(headers.vary).toContain('Accept-Encoding')
    const headers = { 'accept-encoding': 'br', 'if-none-match': String(best.headers.etag) }
    expect((await fetchRaw(path, headers)).status).toBe(304)
  })

  test('that the build has packed is sent as it was packed', async () => {
    const { bytes } = await fetchRaw('/assets/ready-0a1b2c3d.css', { 'accept-encoding': 'br' })
    expect(brotliDecompressSync(bytes).toString()).toBe('/* packed before */')
  })

  test('that is packed already is left alone', async () => {
    const { headers } = await fetchRaw('/assets/font-0a1b2c3d.woff2', { 'accept-encoding': 'br, gzip' })
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined])
  })

  test.each([
    '/assets/',
    '/assets/none.js',
    '/assets/..%2fsecret-notes.txt',
    '/assets/../secret-notes.txt',
    '/assets/%2e%2e/secret-notes.txt',
    '/assets//etc/passwd',
    '/secret-notes.txt',
    '/index.html',
  ])('%s is not there', async (path) => {
    expect((await fetchRaw(path)).status).toBe(404)
  })
})

test('a password manager is shown where passwords are changed', async () => {
  const { status, headers } = await fetchRaw('/.well-known/change-password')
  expect([status, headers.location]).toEqual([303, '/settings/security'])
})

describe('without a built app', () => {
  test.each(['/', '/favorites', '/settings', '/assets/app-0a1b2c3d.js', '/service-worker.js'])(
    '%s is not there',
    async (path) => {
      expectError(await bare.call(path), 404, 'not_found')
    },
  )

  test.each(['/', '/favorites', '/nothing'])('a person sees on a page that %s is not there', async (path) => {
    const { status, headers, text } = await bare.call(path, { headers: { ...BROWSER, 'accept-language': 'de' } })
    expect([status, headers.get('content-type'), headers.get('content-language')]).toEqual([
      404,
      'text/html; charset=utf-8',
      'de',
    ])
    expect(text).toContain('<html lang="de"')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test.each(['/v1/nothing', '/assets/nothing.js', '/.well-known/nothing'])(
    '%s is JSON, also in a browser',
    async (path) => {
      expectError(await bare.call(path, { headers: BROWSER }), 404, 'not_found')
    },
  )

  test('everything else works', async () => {
    expect((await bare.call('/readyz')).status).toBe(200)
    expect((await bare.call('/web/session')).status).toBe(200)
    expect((await bare.call('/docs')).status).toBe(200)
  })
})
