/** The face of a link, over HTTP: tags, images, limits. */
import { randomInt } from 'node:crypto'
import { fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeId } from '../../src/model/id.ts'
import { sharePeopleWorld } from '../people-world.ts'
import type { PeopleWorld, Visitor } from '../people-world.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

const BROWSER = { accept: 'text/html,*/*;q=0.8' }

let at: PeopleWorld
let ann: Visitor
beforeAll(async () => {
  at = await sharePeopleWorld()
  ann = at.visitor()
})
afterAll(() => at[Symbol.asyncDispose]())

async function fetchImage(path: string, address = `198.51.${randomInt(256)}.${randomInt(1, 255)}`) {
  const answer = await fetch(`${at.url}${path}`, { dispatcher: at.agent, headers: { 'x-forwarded-for': address } })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, bytes }
}

async function tagsOf(path: string, headers = {}): Promise<Record<string, string>> {
  const { status, text } = await ann.ask(path, { headers: { ...BROWSER, ...headers } })
  expect(status).toBe(200)
  const found = text.matchAll(/<meta\s+(?:property|name)="((?:og|twitter):[\w:]+)"\s+content="([^"]*)"/g)
  return Object.fromEntries([...found].map(([, name, content]) => [name, content]))
}

const sizeOf = (png: Buffer) => [png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]

describe('a search', () => {
  test('has a face with its description, and the page without one has none', async () => {
    const path = `/?d=${encodeURIComponent('a bakery on bikes')}`
    expect(await tagsOf(path)).toMatchObject({
      'og:title': 'Names for “a bakery on bikes”',
      'og:image': `${at.url}/og/search?d=a%20bakery%20on%20bikes`,
    })
    expect(await tagsOf('/')).toEqual({})
    const images = await Promise.all(['/og/search?d=bread', '/og/search?d=wine'].map((one) => fetchImage(one)))
    for (const { bytes } of images) expect(sizeOf(bytes)).toEqual(['PNG', 1200, 630])
    expect(new Set(images.map(({ bytes }) => bytes.toString('base64'))).size).toBe(2)
  }) // prettier-ignore

  test('of somebody who means harm is text, and no longer than a title', async () => {
    const sly = `"><script>alert(1)</script>\u202E</head>$&${'x'.repeat(3_000)}`
    const { text, headers } = await ann.ask(`/?d=${encodeURIComponent(sly)}`, { headers: BROWSER })
    expect(text).not.toContain('<script>alert')
    expect(text.match(/<\/head>/g)).toHaveLength(1)
    expect(text.length).toBeLessThan(9_000)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    const twice = await ann.ask('/?d=one&d=two', { headers: BROWSER })
    expect(twice.status).toBe(200)
    expect((await fetchImage(`/og/search?d=${encodeURIComponent(sly)}`)).status).toBe(200)
  })

  test('asked for again and again from one address is drawn no more, and the link still has an image', async () => {
    const address = '198.51.100.77'
    const kept: (string | null)[] = []
    for (let turn = 0; turn < 75; turn++) {
      const { status, headers } = await fetchImage(`/og/search?d=flood+${turn}`, address)
      expect(status).toBe(200)
      kept.push(headers.get('cache-control'))
    }
    expect(kept.filter((one) => one === 'public, max-age=60').length).toBeGreaterThan(5)
    // Others are not held up by it.
    expect((await fetchImage('/og/search?d=calm')).headers.get('cache-control')).toBe('public, max-age=86400')
  })
})

test('a shared list has a face with its names, and an ended one none', async () => {
  const ada = await at.signUp('Ada')
  const id = makeId(Date.now())
  const seen = { available: true, price: '$9.99', checked_at: '2026-11-15T10:00:00.000Z' }
  await at.world.owner.query(
    `INSERT INTO favorite (account_id, id, key_id, domain, name, created_at, saved, current)
     VALUES ($1, $2, $2, $3, 'Fernhill', now(), $4, $4)`,
    [ada.userId, id, `fernhill-${id}.com`, seen],
  )
  const shares = `/settings/accounts/${ada.userId}/shares`
  const made = await ada.ask(shares, { body: { title: 'For <the> "shop"', favorite_ids: [id] } })
  const { url, id: share } = made.json.data.share
  const path = String(url).replace(at.url, '')
  const tags = await tagsOf(path)
  expect(tags['og:title']).toBe('For &#60;the&#62; &#34;shop&#34;')
  expect(tags['og:description']).toContain('Fernhill')
  expect(tags['og:description']).not.toMatch(/available/i)
  const image = String(tags['og:image']).replace(at.url, '')
  expect(sizeOf((await fetchImage(image)).bytes)).toEqual(['PNG', 1200, 630])
  expect((await ada.ask(`${shares}/${share}`, { method: 'DELETE' })).status).toBeLessThan(300)
  expect(await tagsOf(path)).toEqual({})
  expect((await ann.ask(image)).json.error.code).toBe('not_found')
})

test.each(['/history', '/favorites', '/settings', '/settings/keys', '/operator', '/welcome'])(
  '%s is for one person, and has no face',
  async (path) => {
    expect(await tagsOf(path)).toEqual({})
  },
)
