/** The face of a link and the receipt of a name, over HTTP: tags, images, links that cannot be forged, limits. */
import { randomInt } from 'node:crypto'
import { fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createReceiptTokens } from '../../src/library/receipts/receipt-token.ts'
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

async function makeReceipt(name: string, domains: readonly string[], more = {}): Promise<string> {
  const reply = await ann.ask('/receipts', { body: { name, domains, ...more } })
  expect(reply.status, reply.text).toBe(201)
  return reply.json.data.token as string
}

/** Its checks have a deadline: made again until each of its domains has an answer. */
async function makeCheckedReceipt(name: string, domains: readonly string[]): Promise<string> {
  let token = ''
  const unanswered = async () => {
    token = await makeReceipt(name, domains)
    const { receipt } = (await ann.ask(`/receipts/${token}`)).json.data
    return receipt.domains.filter(({ sources }: { sources: string[] }) => sources.length === 0)
  }
  await expect.poll(unanswered, { interval: 1_000 }).toEqual([])
  return token
}

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

describe('a receipt', () => {
  test('says who confirmed what and when, what it costs, how it sounds and which languages were searched', async () => {
    const token = await makeCheckedReceipt('Storkloom', ['storkloom.com', 'google.com'])
    const { receipt } = (await at.visitor().ask(`/receipts/${token}`)).json.data
    expect(receipt).toMatchObject({ name: 'Storkloom', sound: { syllables: 2, said: expect.stringMatching(/STORK/) } })
    const [first, second] = receipt.domains
    expect(first.sources.length).toBeGreaterThan(0)
    expect(Math.abs(Date.parse(first.checked_at) - Date.now())).toBeLessThan(10 * 60_000)
    expect(second).toMatchObject({ domain: 'google.com', available: false, status: 'taken' })
    const [offer] = first.offers
    expect(offer).toMatchObject({ kind: 'list', as_of: expect.stringMatching(/^202\d-/) })
    expect(offer.total_5y_minor).toBe(offer.registration_minor + 4 * offer.renewal_minor)
    expect(receipt.risks.languages.length).toBe(receipt.risks.checked)
    expect(receipt.risks.languages).toContain('de')
    // Whoever answered is one of those who may be asked, or a list of our own.
    for (const { sources } of receipt.domains)
      for (const source of sources) expect([...receipt.asks, 'index']).toContain(source)
  })

  test('of a dozen long domains has a link that still works', async () => {
    const long = 'storkloom'.repeat(6)
    const domains = Array.from({ length: 12 }, (_, index) => `${long}${index}.com`)
    const token = await makeReceipt('Storkloom', domains)
    expect(token.length).toBeGreaterThan(500)
    expect((await ann.ask(`/receipts/${token}`)).json.data.receipt.domains).toHaveLength(12)
    expect(await tagsOf(`/n/${token}`)).toMatchObject({ 'og:title': `Storkloom · ${domains[0]}` })
  })

  test('keeps its times however late it is opened, and a fresh check makes another', async () => {
    const token = await makeReceipt('Storkloom', ['storkloom.com'])
    const before = (await ann.ask(`/receipts/${token}`)).json.data.receipt
    const fresh = await makeReceipt('Storkloom', ['storkloom.com'], { fresh: true })
    const after = (await ann.ask(`/receipts/${fresh}`)).json.data.receipt
    expect(Date.parse(after.domains[0].checked_at)).toBeGreaterThanOrEqual(Date.parse(before.domains[0].checked_at))
    expect((await ann.ask(`/receipts/${token}`)).json.data.receipt.domains).toEqual(before.domains)
  })

  test('claims no sound and no languages of a name in other letters', async () => {
    const token = await makeReceipt('パン屋', ['xn--3ck5a4b4g.com'])
    const { receipt } = (await ann.ask(`/receipts/${token}`)).json.data
    expect(receipt).toMatchObject({ name: 'パン屋', sound: null, risks: { checked: 0, languages: [], found: [] } })
  })

  test('is made for our own page alone, of real domains, and cannot be forged', async () => {
    const body = { name: 'Storkloom', domains: ['storkloom.com'] }
    const foreign = await ann.ask('/receipts', { body, headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
    for (const wrong of [
      { ...body, domains: [] },
      { ...body, domains: ['no domain'] },
      { ...body, domains: Array.from({ length: 13 }, (_, index) => `a${index}.com`) },
      { ...body, name: '\u202E ' },
      { ...body, name: 'x'.repeat(81) },
      { ...body, available: true },
    ])
      expect((await ann.ask('/receipts', { body: wrong })).status).toBe(400)
    const token = await makeReceipt('Storkloom', ['storkloom.com'])
    const forged = createReceiptTokens(['another secret']).make({
      name: 'Google',
      asks: [],
      domains: [
        { domain: 'google.com' as never, available: true, status: 'available', confidence: 'definitive', sources: ['rdap'], checkedAt: Date.now() },
      ],
    }) // prettier-ignore
    for (const wrong of [forged, token.slice(1), `${token}A`, 'nothing', 'a'.repeat(5_000)]) {
      for (const path of ['/receipts/', '/og/n/']) expect((await ann.ask(`${path}${wrong}`)).status).toBe(404)
      expect(await tagsOf(`/n/${wrong}`)).toEqual({})
    }
  })

  test('where visitors may not check domains, needs a person who is signed in', async () => {
    const { url } = await at.startNode({ NAMEWRIGHT_PUBLIC_ALLOWANCE: '0' })
    const answer = await fetch(`${url}/receipts`, {
      dispatcher: at.agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: at.url },
      body: JSON.stringify({ name: 'Storkloom', domains: ['storkloom.com'] }),
    })
    expect(answer.status).toBe(401)
  })

  test('has a face: its name, domain, state and time', async () => {
    const token = await makeCheckedReceipt('Storkloom', ['google.com', 'storkloom.com'])
    const tags = await tagsOf(`/n/${token}`)
    expect(tags).toMatchObject({
      'og:title': 'Storkloom · google.com',
      'og:image': `${at.url}/og/n/${token}`,
      'og:image:width': '1200',
      'twitter:card': 'summary_large_image',
    })
    expect(tags['og:description']).toMatch(/^google\.com was taken on .*202\d.* UTC\.$/)
    expect((await tagsOf(`/n/${token}`, { 'accept-language': 'de' }))['og:description']).toMatch(/^google\.com war am/)
    const { status, headers, bytes } = await fetchImage(`/og/n/${token}`)
    expect([status, headers.get('content-type'), ...sizeOf(bytes)]).toEqual([200, 'image/png', 'PNG', 1200, 630])
    expect(headers.get('cache-control')).toBe('public, max-age=86400')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect((await fetchImage(`/og/n/${token}`)).bytes).toEqual(bytes)
  })
})

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
