/** How links look where they are posted, over HTTP: tags in the head of the page, and one picture for all. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeId } from '../source.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn, Visitor } from '../people-world.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

const BROWSER = { accept: 'text/html,*/*;q=0.8' }

let at: PeopleWorld
let ann: Visitor
let ada: SignedIn
beforeAll(async () => {
  at = await startApp({ people: true })
  ann = at.visitor()
  ada = await at.signUp('Ada')
})
afterAll(() => at[Symbol.asyncDispose]())

async function tagsOf(path: string, headers = {}, visitor = ann): Promise<Record<string, string>> {
  const { status, text } = await visitor.ask(path, { headers: { ...BROWSER, ...headers } })
  expect(status).toBe(200)
  const found = text.matchAll(/<meta\s+(?:property|name)="((?:og|twitter):[\w:]+)"\s+content="([^"]*)"/g)
  return Object.fromEntries([...found].map(([, name, content]) => [name, content]))
}

async function shareList(title: string): Promise<{ path: string; end: () => Promise<unknown> }> {
  const id = makeId(Date.now())
  const seen = { available: true, price: '$9.99', checked_at: '2026-11-15T10:00:00.000Z' }
  await at.world.owner.query(
    `INSERT INTO favorite (account_id, id, key_id, domain, name, created_at, saved, current)
     VALUES ($1, $2, $2, $3, 'Fernhill', now(), $4, $4)`,
    [ada.userId, id, `fernhill-${id}.com`, seen],
  )
  const shares = `/settings/accounts/${ada.userId}/shares`
  const made = await ada.ask(shares, { body: { title, favorite_ids: [id] } })
  const { url, id: share } = made.json.data.share
  return {
    path: String(url).replace(at.url, ''),
    end: () => ada.ask(`${shares}/${share}`, { method: 'DELETE' }),
  }
}

describe('a search', () => {
  test('shows its description, and the page without one has no tags', async () => {
    const tags = await tagsOf(`/?d=${encodeURIComponent('a bakery on bikes')}`)
    expect(tags).toMatchObject({
      'og:title': 'Names for “a bakery on bikes”',
      'og:image': `${at.url}/icons/link-preview.png`,
      'twitter:card': 'summary_large_image',
    })
    expect(await tagsOf('/')).toEqual({})
    const picture = await ann.ask('/icons/link-preview.png')
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(picture.headers.get('cross-origin-resource-policy'), 'other sites may show it').toBe('cross-origin')
  })

  test('of somebody who means harm is text, and no longer than a title', async () => {
    const sly = `"><script>alert(1)</script>\u202E</head>$&${'x'.repeat(3_000)}`
    const { text, headers } = await ann.ask(`/?d=${encodeURIComponent(sly)}`, { headers: BROWSER })
    expect(text).not.toContain('<script>alert')
    expect(text.match(/<\/head>/g)).toHaveLength(1)
    expect(text.length).toBeLessThan(9_000)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    const twice = await ann.ask('/?d=one&d=two', { headers: BROWSER })
    expect(twice.status).toBe(200)
  })
})

describe('a shared list', () => {
  test('shows its title and none of its names, and an ended one has no tags', async () => {
    const { path, end } = await shareList('For <the> "shop"')
    const tags = await tagsOf(path)
    expect(tags['og:title']).toBe('For &#60;the&#62; &#34;shop&#34;')
    expect(tags['og:description']).toMatch(/^Which of these names do you like\?/)
    expect((await tagsOf(path, { 'accept-language': 'de' }))['og:description']).toMatch(/^Welcher dieser Namen/)
    expect(JSON.stringify(tags)).not.toMatch(/fernhill|available/i)
    await end()
    expect(await tagsOf(path)).toEqual({})
  })

  test('looks plain to an address that reads too many, and is still served', async () => {
    const { path } = await shareList('For the shop')
    const loud = at.visitor()
    const seen: number[] = []
    for (let turn = 0; turn < 8; turn++) {
      const pages = await Promise.all(Array.from({ length: 20 }, () => tagsOf(path, {}, loud)))
      seen.push(...pages.map((tags) => Object.keys(tags).length))
    }
    expect(seen).toContain(0)
    expect(await tagsOf(path), 'for others nothing changes').toMatchObject({ 'og:title': 'For the shop' })
  })
})

test.each(['/history', '/favorites', '/settings', '/settings/keys', '/operator', '/welcome'])(
  '%s is for one person, and has no tags',
  async (path) => {
    expect(await tagsOf(path)).toEqual({})
  },
)
