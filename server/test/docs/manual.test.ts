/**
 * The manual as it is built and served: every link leads to a page and an anchor that are there, every page has its
 * policy, its Markdown and its place in the order, and what was linked before still leads somewhere.
 */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERRORS } from '../source.ts'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'
import { ROOT } from './pages.ts'

const root = fileURLToPath(ROOT)
const out = join(root, 'server/build/docs')

let world: World
let node: Node
let pages: ReadonlyMap<string, string>
beforeAll(async () => {
  execFileSync(process.execPath, [join(root, 'scripts/docs/build.ts'), '--if-stale'], { stdio: 'ignore' })
  const files = globSync('**/*.html', { cwd: out }).filter((file) => !/^(?:reference\/|404)/.test(file))
  const pathOf = (file: string) => `/docs/${file.replace(/(?:^|(?<=\/))index\.html$|\.html$/, '')}`
  pages = new Map(files.map((file) => [pathOf(file), readFileSync(join(out, file), 'utf8')]))
  world = await startApp()
  node = await world.startNode()
}, 180_000)
afterAll(() => world?.[Symbol.asyncDispose]())

const idsIn = (html: string) => new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))

test('every link leads to a page, an anchor or a file that is there', async () => {
  expect(pages.size).toBeGreaterThan(30)
  const ids = new Map([...pages].map(([path, html]) => [path, idsIn(html)]))
  const dead: string[] = []
  for (const [from, html] of pages)
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const to = new URL(href.replaceAll('&amp;', '&'), `http://here${from}`)
      if (to.origin !== 'http://here' || !to.pathname.startsWith('/docs')) continue
      const anchors = ids.get(to.pathname)
      const anchor = decodeURIComponent(to.hash.slice(1))
      const isThere = anchors ? anchor === '' || anchors.has(anchor) : (await node.call(to.pathname)).status === 200
      if (!isThere) dead.push(`${from} -> ${href}`)
    }
  expect(dead).toEqual([])
})

test('every page has a place in the order', () => {
  const start = pages.get('/docs/') ?? ''
  const missing = [...pages.keys()].filter((path) => path !== '/docs/' && !start.includes(`href="${path}"`))
  expect(missing).toEqual([])
})

test('a page may run only what the build has written, and shows nothing of another host', async () => {
  const { status, headers, text } = await node.call('/docs/errors')
  expect(status).toBe(200)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("style-src 'self';")
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types vue")
  expect(policy.match(/'sha256-[^']+'/g)).toHaveLength(3)
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
  expect(text).not.toMatch(/\sstyle="|\son[a-z]+="|javascript:/i)
})

test('a code of an error is an anchor of the page that every error links to', () => {
  const ids = idsIn(pages.get('/docs/errors') ?? '')
  expect(Object.keys(ERRORS).filter((code) => !ids.has(code))).toEqual([])
})

test('programs get each page as Markdown, a list with a sentence for each, and all in one file', async () => {
  const list = await node.call('/llms.txt')
  expect(list.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const lines = [...list.text.matchAll(/^- \[[^\]]+\]\((\S+)\): \S.{15,}$/gm)]
  expect(lines).toHaveLength(pages.size - 1)
  const all = await node.call('/llms-full.txt')
  for (const [, path = ''] of lines) {
    const markdown = await node.call(path)
    expect([path, markdown.status, markdown.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/markdown; charset=utf-8',
    ])
    expect(all.text).toContain(markdown.text)
  }
})

test.each([
  ['/docs', '/docs/'],
  ['/docs/errors/', '/docs/errors'],
  ['/docs/api', '/docs/generate'],
  ['/docs/api.md', '/docs/generate.md'],
  ['/docs/every-operation', '/docs/quickstart'],
  ['/docs/operating/runbooks', '/docs/operating/metrics'],
  ['/docs/performance', 'https://github.com/namewright/namewright/blob/main/docs/performance.md'],
  ['/docs/search?q=key', '/docs/'],
  ['/docs/operating/index', '/docs/operating/the-index'],
  ['/docs/design/request-path', 'https://github.com/namewright/namewright/blob/main/docs/design/request-path.md'],
])('%s leads to %s', async (from, to) => {
  const { status, headers } = await fetch(`${node.url}${from}`, { redirect: 'manual' })
  expect([status, headers.get('location')]).toEqual([308, to])
})

test('a page that is there is not sent twice; what has a hash in its name is kept for ever', async () => {
  const first = await node.call('/docs/generate')
  const tag = first.headers.get('etag') ?? ''
  expect(first.headers.get('cache-control')).toBe('no-cache')
  expect((await node.call('/docs/generate', { headers: { 'if-none-match': tag } })).status).toBe(304)
  const [, asset = ''] = /src="(\/docs\/assets\/[^"]+)"/.exec(first.text) ?? []
  expect((await node.call(asset)).headers.get('cache-control')).toContain('immutable')
})

test('a page that is not there is a page for people and an error for programs', async () => {
  expectError(await node.call('/docs/nowhere'), 404, 'not_found')
  const page = await node.call('/docs/nowhere', { headers: { accept: 'text/html' } })
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  for (const path of ['/docs/..%2fREADME.md', '/docs/%2e%2e/package.json', '/docs/decisions/0001-fastify.md'])
    expect([path, (await node.call(path)).status]).toEqual([path, 404])
})
