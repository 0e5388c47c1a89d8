/** The manual as a node serves it: types, tags, caches, languages, and what is refused. */
import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathOf } from '../../../src/features/site/docs/site.ts'
import { ERRORS } from '../../../src/model/errors.ts'
import { LANGUAGES } from '../../../src/model/language.ts'
import { expectError } from '../../expect-error.ts'
import { startApp } from '../../start-app.ts'
import type { Node, World } from '../../world.ts'
import { listPages, readPage } from '../../docs/pages.ts'

const files = [...listPages().filter((file) => file !== 'README.md'), 'CHANGELOG.md', 'SECURITY.md']

let world: World
let node: Node
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
})
afterAll(() => world[Symbol.asyncDispose]())

test.for(files)('%s is served as a page and, word for word, as Markdown', async (file) => {
  const path = pathOf(file)
  const page = await node.call(path)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-language')).toBe('en')
  const source = await node.call(file === 'docs/README.md' ? '/docs/README.md' : `${path}.md`)
  expect(source.status).toBe(200)
  expect(source.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(source.text).toBe(readPage(file))
})

test.each(['/docs', '/docs/api', '/docs/reference', '/docs/search?q=key', '/docs/errors'])(
  '%s may run and wear only what its own policy names by hash',
  async (path) => {
    const { text, headers } = await node.call(path)
    const policy = headers.get('content-security-policy') ?? ''
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(text) ?? []
    const [, script = ''] = /<script type="module">([^]*?)<\/script>/.exec(text) ?? []
    expect(policy).toContain(`style-src 'sha256-${hash('sha256', style, 'base64')}'`)
    expect(policy).toContain(`script-src 'sha256-${hash('sha256', script, 'base64')}'`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(text.match(/<(?:script|style)\b/g)).toHaveLength(2)
    expect(text).not.toMatch(/\son\w+="|\sstyle="|javascript:|<iframe|<img|<base|@import|url\(/i)
  },
)

describe('a page that the reader has already', () => {
  test.each(['/docs', '/docs/api', '/docs/api.md', '/llms.txt', '/llms-full.txt', '/docs/reference'])(
    '%s is not sent again',
    async (path) => {
      const first = await node.call(path)
      const tag = first.headers.get('etag') ?? ''
      expect(tag).toMatch(/^"[\w-]{20,}"$/)
      expect(first.headers.get('cache-control')).toBe('public, max-age=300')
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
        const again = await node.call(path, { headers: { 'if-none-match': known } })
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
        for (const name of ['content-type', 'content-security-policy', 'vary']) {
          expect(again.headers.get(name)).toBe(first.headers.get(name))
        }
      }
      expect((await node.call(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    },
  )

  test('another node of the same version gives it the same tag', async () => {
    const other = await world.startNode()
    for (const path of ['/docs', '/docs/errors', '/docs/reference']) {
      expect((await other.call(path)).headers.get('etag')).toBe((await node.call(path)).headers.get('etag'))
    }
    await other.stop()
  })

  test('HEAD has the headers and no body', async () => {
    const head = await node.call('/docs/api', { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('etag')).toBe((await node.call('/docs/api')).headers.get('etag'))
  })
})

describe('the errors', () => {
  test.for(LANGUAGES)('are told in %s to who reads it, at the anchors that errors link to', async (language) => {
    const { text, headers } = await node.call('/docs/errors', { headers: { 'accept-language': language } })
    expect(headers.get('content-language')?.split(', ')).toContain(language)
    expect(headers.get('vary')).toContain('Accept-Language')
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    for (const code of Object.keys(ERRORS))
      expect(
        ids.filter((id) => id === code),
        code,
      ).toHaveLength(1)
    const { errors } = JSON.parse(readPage(`server/data/messages/${language}.json`))
    if (language !== 'en') expect(text).toContain(`<div lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    if (language === 'ja') expect(text).toContain(errors.missing_token.message)
  })
})

describe('search', () => {
  test('works as a plain form, and says what was typed without being written into', async () => {
    const { text, status, headers } = await node.call(
      `/docs/search?q=${encodeURIComponent('"><script>quota</script>')}`,
    )
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toContain('<script>quota')
    expect(text).toContain('&#34;&#62;&#60;script&#62;quota')
    const found = await node.call('/docs/search?q=quota')
    expect(found.text).toContain('href="/docs/errors#quota_exceeded"')
    expect((await node.call('/docs/search')).text).toContain('Enter a search term')
    expect((await node.call('/docs/search?q=zyzzyva')).text).toContain('No results.')
  })

  test('gives the same as JSON to the script', async () => {
    const { json, headers } = await node.call('/docs/search.json?q=idempotency')
    expect(headers.get('content-type')).toContain('application/json')
    expect(json.found.map(({ href }: { href: string }) => href)).toContain('/docs/api#idempotency')
    expect((await node.call('/docs/search.json?q=')).json).toEqual({ found: [] })
    expect((await node.call('/docs/search.json?q=a&q=idempotency')).json).toEqual(json)
    expect((await node.call(`/docs/search.json?q=${'x'.repeat(5000)}`)).json).toEqual({ found: [] })
  })
})

describe('what there is not', () => {
  test('is a page for people and an error for programs', async () => {
    expectError(await node.call('/docs/nowhere'), 404, 'not_found')
    const page = await node.call('/docs/nowhere', { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Page not found')
  })

  test.each([
    '/docs/..%2fREADME.md',
    '/docs/decisions/0001-fastify.md',
    '/docs/%2e%2e/package.json',
    '/docs/api.md.md',
  ])('%s leads nowhere', async (path) => {
    expect((await node.call(path)).status).toBe(404)
  })

  test('other methods are refused, with what is allowed', async () => {
    const answer = await node.call('/docs/api', { method: 'POST' })
    expectError(answer, 405, 'method_not_allowed')
    expect(answer.headers.get('allow')).toContain('GET')
  })

  test('a slash at the end is forgiven', async () => {
    expect((await node.call('/docs/')).text).toBe((await node.call('/docs')).text)
    expect((await node.call('/docs/api/')).status).toBe(200)
  })
})

test('links in llms.txt are whole where the address of the service is known', async () => {
  expect((await node.call('/llms.txt')).text).toContain('](/docs/api.md)')
  const known = await world.startNode({ NAMEWRIGHT_PUBLIC_URL: 'https://names.example.com' })
  const { text } = await known.call('/llms.txt')
  const links = [...text.matchAll(/\]\((.+?)\)/g)].map(([, address = '']) => address)
  expect(links.length).toBeGreaterThan(20)
  for (const address of links) {
    expect(address).toMatch(/^https:\/\/names\.example\.com\//)
    expect((await known.call(new URL(address).pathname)).status).toBe(200)
  }
  await known.stop()
})
