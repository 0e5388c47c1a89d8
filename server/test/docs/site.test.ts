/** The manual as a site: every page is there, renders, is listed, and every link in it leads somewhere. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { readPage as readForChecks } from '../../../scripts/docs/markdown.ts'
import { copyDocs, PACKED } from '../../../scripts/pack-docs.ts'
import { findRoot, openSite, pathOf } from '../../src/http/docs/site.ts'
import type { Site } from '../../src/http/docs/site.ts'
import { SETTINGS } from '../read-config.ts'
import { ERRORS } from '../../src/errors.ts'
import { readMessages } from '../../src/wire/language.ts'
import { listPages, readPage, ROOT } from './pages.ts'

const contract = JSON.parse(readPage('api/openapi.json'))
const files = [...listPages().filter((file) => file !== 'README.md'), 'CHANGELOG.md', 'SECURITY.md']

let site: Site
/** path → the whole page */
let drawn: Map<string, string>
beforeAll(async () => {
  site = await openSite(contract)
  const messages = (await readMessages()).get('en')
  if (!messages) throw new Error('there is no English')
  drawn = new Map([...site.pages.values()].map((page) => [page.path, site.draw(page, 'en', messages)]))
})

const idsIn = (html: string) => [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)

describe('every page of the manual', () => {
  test.for(files)('%s is on the site, and renders', (file) => {
    const page = site.pages.get(pathOf(file))
    expect(page?.source).toBe(readPage(file))
    expect(page?.problem).toBeUndefined()
    expect(page?.title.length).toBeGreaterThan(1)
  })

  test.for(files.filter((file) => file !== 'docs/README.md'))('%s is listed in docs/README.md', (file) => {
    const listed = [...readPage('docs/README.md').matchAll(/^- \[.+?\]\((.+?)\): \S/gm)].map(([, href = '']) => href)
    const href = file.startsWith('docs/') ? file.slice('docs/'.length) : `../${file}`
    expect(listed, `add "- [Title](${href}): what it is for" under the heading where people look`).toContain(href)
  })

  test.for(files)('%s has the anchors that it has where its source is read', (file) => {
    const page = site.pages.get(pathOf(file))
    expect(new Set(page?.headings.map(({ id }) => id))).toEqual(readForChecks(readPage(file)).anchors)
  })

  test('no page shows a group of its own for what nobody listed', () => {
    expect(drawn.get('/docs')?.includes('>More</p>')).toBe(false)
  })

  test('no page has an anchor twice', () => {
    for (const [path, html] of drawn) expect(idsIn(html), path).toEqual([...new Set(idsIn(html))])
  })

  test('decisions are not on it', () => {
    expect([...site.pages.keys()].filter((path) => path.includes('decisions'))).toEqual([])
  })
})

test('every link of every page leads to a page, and to a place that it has', () => {
  const elsewhere = new Set(['/openapi.json', '/docs/search', ...site.sources.keys()])
  const wrong: string[] = []
  let followed = 0
  for (const [path, html] of drawn) {
    for (const [, href = ''] of html.matchAll(/\s(?:href|action)="([^"]*)"/g)) {
      if (/^(?:https?:|mailto:|data:)/.test(href)) continue
      followed += 1
      const [target = '', anchor = ''] = href.replaceAll('&#39;', "'").split('#')
      const found = target === '' ? html : drawn.get(target)
      const isThere = found ? anchor === '' || idsIn(found).includes(decodeURIComponent(anchor)) : elsewhere.has(target)
      if (!isThere) wrong.push(`${path} → ${href}`)
    }
  }
  expect(wrong).toEqual([])
  expect(followed).toBeGreaterThan(1000)
})

test('every error and every setting has a place of its own', () => {
  const errors = idsIn(drawn.get('/docs/errors') ?? '')
  for (const code of Object.keys(ERRORS)) expect(errors).toContain(code)
  const settings = idsIn(drawn.get('/docs/configuration') ?? '')
  for (const name of Object.keys(SETTINGS)) expect(settings).toContain(name)
})

test('every operation of the contract is in the reference, and leads to its words', () => {
  const reference = drawn.get('/docs/reference') ?? ''
  for (const [path, methods] of Object.entries<object>(contract.paths)) {
    for (const method of Object.keys(methods)) {
      expect(reference).toContain(`<span class="method">${method.toUpperCase()}</span> <code>${path}</code>`)
    }
  }
  for (const name of Object.keys(contract.components.schemas)) expect(reference).toContain(`<section id="${name}">`)
})

test('previous and next go through all pages once', () => {
  const visited: string[] = []
  let path: string | undefined = '/docs'
  while (path !== undefined && !visited.includes(path)) {
    visited.push(path)
    path = /<a rel="next" href="([^"]+)"/.exec(drawn.get(path) ?? '')?.[1]
  }
  expect(path).toBeUndefined()
  expect(visited.toSorted()).toEqual([...drawn.keys()].toSorted())
})

describe('search', () => {
  test.each([
    ['quota_exceeded', '/docs/errors#quota_exceeded'],
    ['quota exceeded', '/docs/errors#quota_exceeded'],
    ['NAMEWRIGHT_TRUSTED_PROXIES', '/docs/configuration#NAMEWRIGHT_TRUSTED_PROXIES'],
    ['trusted prox', '/docs/configuration#NAMEWRIGHT_TRUSTED_PROXIES'],
    ['idempotency', '/docs/api#idempotency'],
    ['front-running', '/docs/privacy#no-front-running'],
    ['POST /v1/generate', '/docs/api#post-v1generate'],
    ['backup', '/docs/operations#backup'],
    ['QUICKSTART', '/docs/quickstart'],
  ])('finds %j among the first three', (typed, href) => {
    const first = site.search(typed).slice(0, 3)
    expect(first.map((one) => one.href)).toContain(href)
  })

  test('finds nothing for nothing, for what is nowhere, and for one word too many', () => {
    expect(site.search('')).toEqual([])
    expect(site.search(' .,;- ')).toEqual([])
    expect(site.search('zyzzyva')).toEqual([])
    expect(site.search('quota zyzzyva')).toEqual([])
  })

  test('gives a few words around the hit, and never more than twenty places', () => {
    const found = site.search('the')
    expect(found).toHaveLength(20)
    for (const { excerpt } of found) expect(excerpt.length).toBeLessThan(180)
    expect(site.search('sourdough')[0]?.excerpt.toLowerCase()).toContain('sourdough')
  })

  test('every place that it can name exists', () => {
    for (const typed of 'a b c d e f g h i k l m n o p q r s t u v w key name page error limit 1 2 4'.split(' ')) {
      for (const { href } of site.search(typed)) {
        const [path = '', anchor = ''] = href.split('#')
        const html = drawn.get(path) ?? ''
        expect(html, href).not.toBe('')
        if (anchor !== '') expect(idsIn(html), href).toContain(anchor)
      }
    }
  })
})

describe('for programs that read', () => {
  test('llms.txt has a title, a summary, and a line about every page, with an address that exists', () => {
    const text = site.llms('https://names.example.com')
    expect(text).toMatch(/^# Namewright\n\n> \S[^\n]+\n\n/)
    const links = [...text.matchAll(/^- \[([^\]]+)\]\(https:\/\/names\.example\.com([^)]+)\): (\S.+)$/gm)]
    const known = new Set(['/openapi.json', ...site.sources.keys()])
    for (const [, , path = ''] of links) expect(known).toContain(path)
    expect(links.map(([, , path = '']) => path).toSorted()).toEqual(
      [...known].filter((path) => path !== '/docs/README.md').toSorted(),
    )
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(links.length)
    expect(text).toContain('\n## Optional\n')
  })

  test('llms-full.txt is every page, whole', () => {
    const text = site.llmsFull('')
    for (const file of files) expect(text, file).toContain(readPage(file))
  })
})

describe('where the pages are found', () => {
  test('in a package, beside src, as it is packed', async () => {
    const folder = mkdtempSync(`${tmpdir()}/namewright-docs-`)
    try {
      expect(findRoot(pathToFileURL(`${folder}/server/`))).toBeUndefined()
      copyDocs(fileURLToPath(ROOT).replace(/\/$/, ''), `${folder}/server`)
      const packed = await openSite(contract, findRoot(pathToFileURL(`${folder}/server/`)))
      expect([...packed.sources]).toEqual([...site.sources])
      const { files: shipped } = JSON.parse(readPage('server/package.json')) as { files: string[] }
      expect(shipped).toEqual(expect.arrayContaining([...PACKED]))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('and where there are none, the reference and the errors are still served', async () => {
    const bare = await openSite(contract, new URL('file:///nowhere/'))
    expect([...bare.pages.keys()].toSorted()).toEqual(['/docs/errors', '/docs/reference'])
    const messages = (await readMessages()).get('en')
    const errors = bare.pages.get('/docs/errors')
    if (!messages || !errors) throw new Error('there is no English')
    const ids = idsIn(bare.draw(errors, 'en', messages))
    for (const code of Object.keys(ERRORS)) expect(ids).toContain(code)
  })
})
