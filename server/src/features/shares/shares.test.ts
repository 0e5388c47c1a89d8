/** Shared lists over HTTP: what members make, what anybody with the link sees, how they vote, and how it ends. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AccountId, makeId, openShares } from '../../../test/source.ts'
import { startApp } from '../../../test/start-app.ts'
import type { PeopleWorld, SignedIn, Visitor } from '../../../test/people-world.ts'

let at: PeopleWorld
let ada: SignedIn
beforeAll(async () => {
  at = await startApp({ people: true })
  ada = await at.signUp('Ada')
})
afterAll(() => at[Symbol.asyncDispose]())

const pathOf = () => `/settings/accounts/${ada.userId}/shares`
const makeVoter = () => randomBytes(16).toString('base64url')
const codeOf = ({ status, json }: { status: number; json: { error?: { code: string } } }) =>
  `${status} ${json.error?.code}`

async function addFavorite(name: string, seen = { available: true, price: '$9.99' }): Promise<string> {
  const id = makeId(Date.now())
  const text = `INSERT INTO favorite (account_id, id, key_id, domain, name, note, created_at, saved, current)
    VALUES ($1, $2, $2, $3, $4, $5, now(), $6, $6)`
  const current = { ...seen, checked_at: '2026-11-15T10:00:00.000Z' }
  await at.world.owner.query(text, [ada.userId, id, `${name}-${id}.com`, name, `note on ${name}`, current])
  return id
}

async function makeShare(names = ['Fernhill', 'Storkloom'], more = {}) {
  const favorites: string[] = []
  for (const name of names) favorites.push(await addFavorite(name))
  const reply = await ada.ask(pathOf(), { body: { title: 'For the shop', favorite_ids: favorites, ...more } })
  expect(reply.status, reply.text).toBe(201)
  const { share } = reply.json.data
  return { share, favorites, page: String(share.url).replace(`${at.url}/r/`, '/shares/') }
}

const sharesWith = (secret: string) => openShares({ db: at.world.db, now: Date.now, secrets: [secret] })

const vote = (visitor: Visitor, page: string, voter: string, votes: object, more = {}) =>
  visitor.ask(`${page}/votes`, { method: 'PUT', headers: { 'namewright-voter': voter }, body: { votes, ...more } })

describe('a member', () => {
  test('shares favorites under a link that is shown again whenever they ask', async () => {
    const { share } = await makeShare()
    expect(share).toMatchObject({ title: 'For the shop', created_by: ada.userId, voters: 0, message: null })
    expect(share.items.map(({ name }: { name: string }) => name)).toEqual(['Fernhill', 'Storkloom'])
    expect(share.items[0]).toMatchObject({
      note: 'note on Fernhill',
      available: true,
      status: 'available',
      price: '$9.99',
    })
    expect(share.items[0].votes).toEqual({ up: 0, down: 0 })
    expect(Date.parse(share.expires_at) - Date.parse(share.created_at)).toBe(30 * 86_400_000)
    const { json } = await ada.ask(pathOf())
    expect(json.data.shares[0]).toEqual(share)
  })

  test('cannot share what is no favorite of the account, twice the same, or nothing', async () => {
    const [mine, nobodys] = [await addFavorite('Fernhill'), makeId(Date.now())]
    const before = (await ada.ask(pathOf())).json.data.shares.length
    for (const favorite_ids of [[mine, nobodys], [mine, mine], [], ['no id']]) {
      const reply = await ada.ask(pathOf(), { body: { title: 'x', favorite_ids } })
      expect(codeOf(reply)).toBe('400 invalid_request')
    }
    for (const body of [
      { title: ' ' },
      { title: '\u202E' },
      { title: 'x', expires_in_days: 366 },
      { title: 'x', message: 'x'.repeat(201) },
      { title: 'x', description: 'a bakery' },
    ])
      expect(codeOf(await ada.ask(pathOf(), { body: { favorite_ids: [mine], ...body } }))).toBe('400 invalid_request')
    expect((await ada.ask(pathOf())).json.data.shares).toHaveLength(before)
  })

  test('sees the shares in pages, with who has voted', async () => {
    const first = await makeShare()
    const second = await makeShare()
    await vote(at.visitor(), first.page, makeVoter(), { [first.share.items[0].id]: 'up' }, { name: ' Ben\u0000 ' })
    const newest = await ada.ask(`${pathOf()}?limit=1`)
    expect(newest.json.data.shares.map(({ id }: { id: string }) => id)).toEqual([second.share.id])
    const next = await ada.ask(`${pathOf()}?limit=1&cursor=${newest.json.data.next_cursor}`)
    expect(next.json.data.shares).toMatchObject([{ id: first.share.id, voters: 1, voter_names: ['Ben'] }])
  })

  test('ends a share, and the link with it', async () => {
    const { share, page } = await makeShare()
    expect((await at.visitor().ask(page)).status).toBe(200)
    expect((await ada.ask(`${pathOf()}/${share.id}`, { method: 'DELETE' })).status).toBe(200)
    expect(codeOf(await at.visitor().ask(page))).toBe('404 not_found')
    expect(codeOf(await ada.ask(`${pathOf()}/${share.id}`, { method: 'DELETE' }))).toBe('404 not_found')
  })
})

describe('whoever has the link', () => {
  test('sees the names without who shared them, and no cookie or credential is asked for', async () => {
    const { share, page } = await makeShare()
    const reply = await at.visitor().ask(page)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.getSetCookie()).toEqual([])
    expect(reply.json.data.mine).toEqual({})
    expect(reply.json.data.share.items).toEqual(share.items)
    expect(reply.text).not.toContain(ada.userId)
    for (const hidden of ['url', 'created_by', 'voter_names']) expect(reply.json.data.share).not.toHaveProperty(hidden)
  })

  test('sees no prices where they are not to be shown', async () => {
    const { share, page } = await makeShare(['Fernhill'], { show_prices: false })
    expect(share.items[0].price).toBe('$9.99')
    const { text, json } = await at.visitor().ask(page)
    expect(json.data.share.items[0]).toMatchObject({ available: true, price: null })
    expect(text).not.toContain('9.99')
  })

  test('sees what is known of a domain now, and after the favorite is gone what was known', async () => {
    const { page, favorites } = await makeShare(['Fernhill'])
    const shown = async () => (await at.visitor().ask(page)).json.data.share.items[0]
    const now = { available: false, price: '$12.00', checked_at: '2026-11-16T10:00:00.000Z' }
    const change = `UPDATE favorite SET current = $2, name = 'Secret', note = 'not for others' WHERE id = $1`
    await at.world.owner.query(change, [favorites[0], now])
    expect(await shown()).toMatchObject({ ...now, status: 'unknown', name: 'Fernhill', note: 'note on Fernhill' })
    await at.world.owner.query('DELETE FROM favorite WHERE id = $1', [favorites[0]])
    const before = { available: true, price: '$9.99', checked_at: '2026-11-15T10:00:00.000Z' }
    expect(await shown()).toMatchObject({ ...before, name: 'Fernhill', term_years: 1 })
  })

  test('votes once on each name, changes their mind, and takes it back', async () => {
    const { share, page } = await makeShare()
    const [one, two] = share.items.map(({ id }: { id: string }) => id)
    const [voter, visitor] = [makeVoter(), at.visitor()]
    const first = await vote(visitor, page, voter, { [one]: 'up', [two]: 'down' }, { name: 'Ben' })
    expect(first.status, first.text).toBe(200)
    expect(first.json.data.items).toEqual([
      { id: one, votes: { up: 1, down: 0 } },
      { id: two, votes: { up: 0, down: 1 } },
    ])
    const changed = await vote(visitor, page, voter, { [one]: 'down', [two]: null })
    expect(changed.json.data.items).toEqual([
      { id: one, votes: { up: 0, down: 1 } },
      { id: two, votes: { up: 0, down: 0 } },
    ])
    await vote(visitor, page, makeVoter(), { [one]: 'up' })
    const seen = await visitor.ask(page, { headers: { 'namewright-voter': voter } })
    expect(seen.json.data).toMatchObject({ mine: { [one]: 'down' }, share: { voters: 2 } })
    const { rows } = await at.world.owner.query('SELECT name FROM share_vote WHERE share_id = $1', [share.id])
    expect(rows).toContainEqual({ name: 'Ben' })
  })

  test('many who vote at once are all counted', async () => {
    const { share, page } = await makeShare(['Fernhill'])
    const [{ id }] = share.items
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        vote(at.visitor(), page, makeVoter(), { [id]: n % 3 === 0 ? 'down' : 'up' }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200))
    const { json } = await at.visitor().ask(page)
    expect(json.data.share).toMatchObject({ voters: 12, items: [{ votes: { up: 8, down: 4 } }] })
  })

  test('reads one line from whoever shared the list', async () => {
    const { share, page } = await makeShare(['Fernhill'], { message: ' Choose by\u202E Friday,\nplease. ' })
    expect(share.message).toBe('Choose by Friday, please.')
    expect((await at.visitor().ask(page)).json.data.share.message).toBe('Choose by Friday, please.')
  })

  test('is told what is wrong with a vote', async () => {
    const [{ share, page }, other] = [await makeShare(), await makeShare()]
    const [own, theirs] = [share.items[0].id, other.share.items[0].id]
    const visitor = at.visitor()
    expect(codeOf(await vote(visitor, page, 'too short', {}))).toBe('400 invalid_request')
    for (const votes of [{ [theirs]: 'up' }, { [own]: 'up', [theirs]: 'up' }, { 'no id': 'up' }, { [own]: 'sideways' }])
      expect(codeOf(await vote(visitor, page, makeVoter(), votes))).toBe('400 invalid_request')
    expect((await visitor.ask(page)).json.data.share).toMatchObject({ voters: 0, items: [{ votes: { up: 0 } }, {}] })
  })

  test('cannot vote from a foreign page', async () => {
    const { share, page } = await makeShare()
    const headers = { origin: 'https://evil.example', 'namewright-voter': makeVoter() }
    const votes = { [share.items[0].id]: 'up' }
    const visitor = at.visitor()
    const voted = await visitor.ask(`${page}/votes`, { method: 'PUT', headers, body: { votes } })
    expect(codeOf(voted)).toBe('403 cross_site')
  })

  test('meets a limit for their address, and nobody else does', async () => {
    const { page } = await makeShare()
    const [loud, quiet] = [at.visitor(), at.visitor()]
    const seen: string[] = []
    for (let turn = 0; turn < 35; turn++) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => loud.ask(page)))
      seen.push(...replies.map(({ status, headers }) => `${status} ${headers.get('retry-after') !== null}`))
    }
    expect(new Set(seen)).toEqual(new Set(['200 false', '429 true']))
    expect((await quiet.ask(page)).status).toBe(200)
  })

  test('finds a list full of voters, and may still change a vote of their own', async () => {
    const { share, page } = await makeShare(['Fernhill'])
    const [{ id }] = share.items
    const [voter, fill] = [makeVoter(), 'UPDATE share SET voters = $2 WHERE id = $1']
    await vote(at.visitor(), page, voter, { [id]: 'up' })
    await at.world.owner.query(fill, [share.id, 500])
    expect(codeOf(await vote(at.visitor(), page, makeVoter(), { [id]: 'up' }))).toBe('409 share_full')
    expect((await vote(at.visitor(), page, voter, { [id]: 'down' })).json.data.items).toEqual([
      { id, votes: { up: 0, down: 1 } },
    ])
    await vote(at.visitor(), page, voter, { [id]: null })
    expect((await at.visitor().ask(page)).json.data.share.voters).toBe(499)
    expect((await vote(at.visitor(), page, makeVoter(), { [id]: 'up' })).status).toBe(200)
  })
})

describe('a link', () => {
  test('that was altered, guessed or made with another secret opens nothing', async () => {
    const { share, page } = await makeShare()
    const code = page.slice('/shares/'.length)
    expect(code).toHaveLength(12)
    expect(`https://names.example/r/${code}`.length).toBeLessThanOrEqual(40)
    const ref = { account: ada.userId as AccountId, id: String(share.id) }
    const long = sharesWith(at.world.env['NAMEWRIGHT_SECRET'] ?? '').tokenOf(ref)
    expect((await at.visitor().ask(`/shares/${long}`)).json.data.share.id, 'a link of earlier versions').toBe(share.id)
    const flip = (text: string) => `${text.slice(0, 10)}${text[10] === 'A' ? 'B' : 'A'}${text.slice(11)}`
    const others = [sharesWith('another').tokenOf(ref), flip(long), flip(code), `${code}=`, code.slice(0, -1)]
    for (const wrong of [...others, `${long}=`, 'x', String(share.id)]) {
      expect(codeOf(await at.visitor().ask(`/shares/${wrong}`))).toBe('404 not_found')
    }
    for (const token of [code, long]) {
      const text = `SELECT FROM share s, share_link l WHERE position($1 IN s::text || l::text) > 0`
      expect((await at.world.owner.query(text, [token])).rows).toEqual([])
    }
  })

  test('ends with its time; members see the result for another month', async () => {
    const { share, page } = await makeShare()
    const end = (days: number) =>
      at.world.owner.query(`UPDATE share SET expires_at = now() - $2 * interval '1 day' WHERE id = $1`, [
        share.id,
        days,
      ])
    await end(1)
    const visitor = at.visitor()
    expect(codeOf(await visitor.ask(page))).toBe('404 not_found')
    expect(codeOf(await vote(visitor, page, makeVoter(), { [share.items[0].id]: 'up' }))).toBe('404 not_found')
    expect((await ada.ask(pathOf())).text).toContain(share.id)

    const { db } = at.world
    const account = ada.userId as AccountId
    const shares = sharesWith('secret')
    const expire = async () => (await db.as(account, shares.expiring(account, 500))).map(({ count }) => count)
    await expire()
    expect(await expire()).toEqual([0, 0])
    await end(31)
    expect(await expire(), 'the share and its link').toEqual([1, 1])
    expect((await ada.ask(pathOf())).text).not.toContain(share.id)
  })
})

describe('a visitor without an account', () => {
  const NAMES = [
    { name: 'Fernhill', domain: 'fernhill-list.com' },
    { name: 'Storkloom', domain: 'storkloom-list.com' },
    { name: 'Fernhill again', domain: 'fernhill-list.com' },
  ]
  const share = (visitor: Visitor, more = {}) =>
    visitor.ask('/shares', { body: { title: 'Bakery', names: NAMES, ...more } })

  test('shares names, with facts that the service found itself', async () => {
    const reply = await share(at.visitor(), { message: 'Choose by Friday' })
    expect(reply.status, reply.text).toBe(201)
    const { url, ...made } = reply.json.data.share
    expect(String(url)).toMatch(/\/r\/[\w-]{12}$/)
    expect(made.items.map(({ name }: { name: string }) => name)).toEqual(['Fernhill', 'Storkloom'])
    for (const item of made.items) expect(Date.now() - Date.parse(item.checked_at)).toBeLessThan(86_400_000)
    const page = String(url).replace(`${at.url}/r/`, '/shares/')
    expect((await at.visitor().ask(page)).json.data).toEqual({ share: made, mine: {} })
    expect((await ada.ask(pathOf())).text).not.toContain(made.id)
  })

  test('is refused without names, with an unknown suffix or with facts of their own', async () => {
    const visitor = at.visitor()
    for (const wrong of [
      { names: [] },
      { names: [{ name: 'x', domain: 'x.nosuchsuffix' }] },
      { names: [{ name: 'x', domain: 'fernhill-list.com', available: true }] },
      { options: {} },
    ])
      expect(codeOf(await share(visitor, wrong))).toBe('400 invalid_request')
    const loud = Array.from({ length: 6 }, () => visitor.ask('/shares', { body: { title: '' } }))
    expect((await Promise.all(loud)).map(codeOf)).toContain('429 rate_limited')
  })
})
