/** Shares over HTTP: what members make, what anybody with the link sees and says, and how it ends. */
import { randomBytes } from 'node:crypto'
import { fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AccountId } from '../src/model/caller.ts'
import { makeId } from '../src/model/id.ts'
import { openShares } from '../src/library/shares/shares.ts'
import { sharePeopleWorld } from './people-world.ts'
import type { PeopleWorld, SignedIn, Visitor } from './people-world.ts'

let at: PeopleWorld
let ada: SignedIn
beforeAll(async () => {
  at = await sharePeopleWorld()
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
    expect(share).toMatchObject({ title: 'For the shop', created_by: ada.userId, voters: 0, comments: [] })
    expect(share.items.map(({ name }: { name: string }) => name)).toEqual(['Fernhill', 'Storkloom'])
    expect(share.items[0]).toMatchObject({ note: 'note on Fernhill', available: true, price: '$9.99' })
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
    for (const body of [{ title: ' ' }, { title: '\u202E' }, { title: 'x', expires_in_days: 366 }])
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
    expect(await shown()).toMatchObject({ ...now, name: 'Fernhill', note: 'note on Fernhill' })
    await at.world.owner.query('DELETE FROM favorite WHERE id = $1', [favorites[0]])
    const before = { available: true, price: '$9.99', checked_at: '2026-11-15T10:00:00.000Z' }
    expect(await shown()).toMatchObject({ ...before, name: 'Fernhill' })
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

  test('comments in plain words, on a name or on all of them', async () => {
    const { share, page } = await makeShare()
    const body = { name: 'Ben\u202E', text: ' Sounds\u0007 like\r\na <b>bird</b>. ', item_id: share.items[1].id }
    const made = await at.visitor().ask(`${page}/comments`, { body })
    expect(made.status, made.text).toBe(201)
    await at.visitor().ask(`${page}/comments`, { body: { name: 'Cem', text: 'All fine.' } })
    const { comments } = (await at.visitor().ask(page)).json.data.share
    expect(comments).toMatchObject([
      { by: 'Ben', text: 'Sounds  like\na <b>bird</b>.', item_id: share.items[1].id },
      { by: 'Cem', text: 'All fine.', item_id: null },
    ])
  })

  test('is told what is wrong with a vote or a comment', async () => {
    const [{ page }, other] = [await makeShare(), await makeShare()]
    const theirs = other.share.items[0].id
    const visitor = at.visitor()
    expect(codeOf(await vote(visitor, page, 'too short', {}))).toBe('400 invalid_request')
    for (const votes of [{ [theirs]: 'up' }, { 'no id': 'up' }, { [theirs]: 'sideways' }])
      expect(codeOf(await vote(visitor, page, makeVoter(), votes))).toBe('400 invalid_request')
    for (const body of [{ name: 'Ben' }, { name: '\u0007', text: 'x' }, { name: 'Ben', text: '\u202E ' }])
      expect(codeOf(await visitor.ask(`${page}/comments`, { body }))).toBe('400 invalid_request')
    const onOther = { name: 'Ben', text: 'x', item_id: theirs }
    expect(codeOf(await visitor.ask(`${page}/comments`, { body: onOther }))).toBe('400 invalid_request')
    expect((await visitor.ask(page)).json.data.share).toMatchObject({ voters: 0, comments: [] })
  })

  test('can say nothing from a foreign page', async () => {
    const { share, page } = await makeShare()
    const headers = { origin: 'https://evil.example', 'namewright-voter': makeVoter() }
    const votes = { [share.items[0].id]: 'up' }
    const visitor = at.visitor()
    const voted = await visitor.ask(`${page}/votes`, { method: 'PUT', headers, body: { votes } })
    const commented = await visitor.ask(`${page}/comments`, { headers, body: { name: 'Eve', text: 'x' } })
    expect([codeOf(voted), codeOf(commented)]).toEqual(['403 cross_site', '403 cross_site'])
  })

  test('meets a limit for their address, and nobody else does', async () => {
    const { page } = await makeShare()
    const [loud, quiet] = [at.visitor(), at.visitor()]
    const comment = (visitor: Visitor) => visitor.ask(`${page}/comments`, { body: { name: 'Eve', text: 'again' } })
    let last = await comment(loud)
    for (let n = 0; n < 40 && last.status === 201; n++) last = await comment(loud)
    expect(codeOf(last)).toBe('429 rate_limited')
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await comment(quiet)).status).toBe(201)
  })

  test('finds a share full of voters or comments, and may still change a vote of their own', async () => {
    const { share, page } = await makeShare(['Fernhill'])
    const [{ id }] = share.items
    const voter = makeVoter()
    await vote(at.visitor(), page, voter, { [id]: 'up' })
    await at.world.owner.query(
      `INSERT INTO share_vote SELECT $1, $2, $3, int4send(n), true, '', now() FROM generate_series(1, 499) n`,
      [ada.userId, share.id, id],
    )
    await at.world.owner.query(
      `INSERT INTO share_comment SELECT $1, $2, gen_random_uuid(), NULL, 'x', 'x', now() FROM generate_series(1, 500)`,
      [ada.userId, share.id],
    )
    expect(codeOf(await vote(at.visitor(), page, makeVoter(), { [id]: 'up' }))).toBe('409 share_full')
    expect((await vote(at.visitor(), page, voter, { [id]: 'down' })).json.data.items).toMatchObject([
      { votes: { up: 499, down: 1 } },
    ])
    expect((await at.visitor().ask(page)).json.data.share.voters).toBe(500)
    const comment = await at.visitor().ask(`${page}/comments`, { body: { name: 'Ben', text: 'x' } })
    expect(codeOf(comment)).toBe('409 share_full')
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
    expect(codeOf(await visitor.ask(`${page}/comments`, { body: { name: 'Ben', text: 'x' } }))).toBe('404 not_found')
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

interface ServerEvent {
  readonly event: string
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what the test is about
  readonly data: any
}

/** Reads the events of a share, as an EventSource does. */
function follow(page: string) {
  const stop = new AbortController()
  const events: ServerEvent[] = []
  const ended = (async () => {
    const response = await fetch(`${at.url}${page}/events`, {
      dispatcher: at.agent,
      headers: { 'x-forwarded-for': at.visitor().address, accept: 'text/event-stream' },
      signal: stop.signal,
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    let text = ''
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece as Uint8Array).toString()
      const frames = text.split('\n\n')
      text = frames.pop() ?? ''
      for (const frame of frames) {
        const [, event, data] = /^event: (\w+)\n(?:id: .*\n)?data: (.*)$/.exec(frame) ?? []
        if (event && data) events.push({ event, data: JSON.parse(data) })
      }
    }
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error
  })
  const waitFor = async (is: (event: ServerEvent) => boolean) => {
    await expect.poll(() => events.some(is), { timeout: 20_000, interval: 50 }).toBe(true)
    return events.find(is) as ServerEvent
  }
  return { events, waitFor, ended, stop: () => stop.abort() }
}

describe('a naming room', () => {
  const NAMES = [
    { name: 'Fernhill', domain: 'fernhill-room.com' },
    { name: 'Storkloom', domain: 'storkloom-room.com' },
    { name: 'Fernhill again', domain: 'fernhill-room.com' },
  ]
  const description = 'a bakery for sourdough bread'

  async function openRoom(host = makeVoter(), more = {}) {
    const visitor = at.visitor()
    const body = { title: 'Bakery', names: NAMES, description, ...more }
    const reply = await visitor.ask('/shares', { headers: { 'namewright-voter': host }, body })
    expect(reply.status, reply.text).toBe(201)
    const { share } = reply.json.data
    return { share, host, visitor, page: String(share.url).replace(`${at.url}/r/`, '/shares/') }
  }

  const addNames = (visitor: Visitor, page: string, voter: string) =>
    visitor.ask(`${page}/names`, { method: 'POST', headers: { 'namewright-voter': voter } })
  const pick = (page: string, voter: string, item_id: string | null) =>
    at.visitor().ask(`${page}/pick`, { method: 'PUT', headers: { 'namewright-voter': voter }, body: { item_id } })

  test('is opened by a visitor without an account, with facts that the service found itself', async () => {
    const { share, page } = await openRoom()
    expect(String(share.url)).toMatch(/\/r\/[\w-]{12}$/)
    expect(share.items.map(({ name }: { name: string }) => name)).toEqual(['Fernhill', 'Storkloom'])
    for (const item of share.items) expect(Date.now() - Date.parse(item.checked_at)).toBeLessThan(86_400_000)
    expect(share.further).toEqual({ left: 10, is_searching: false })
    expect((await at.visitor().ask(page)).json.data).toMatchObject({ is_host: false, mine: {} })
  })

  test('is refused without names, with an unknown suffix, a wrong option or facts of the sender', async () => {
    const visitor = at.visitor()
    const headers = { 'namewright-voter': makeVoter() }
    for (const wrong of [
      { names: [] },
      { names: [{ name: 'x', domain: 'x.nosuchsuffix' }] },
      { names: [{ name: 'x', domain: 'fernhill-room.com', available: true }] },
      { options: { tlds: ['nosuchsuffix'] } },
    ]) {
      const body = { title: 'Bakery', names: NAMES, description, ...wrong }
      expect(codeOf(await visitor.ask('/shares', { headers, body }))).toBe('400 invalid_request')
    }
    const loud = Array.from({ length: 6 }, () => visitor.ask('/shares', { headers, body: { title: '' } }))
    expect((await Promise.all(loud)).map(codeOf)).toContain('429 rate_limited')
  })

  test('shows every vote and comment to all who are in it, and tells them when it ends', async () => {
    const { share, page } = await openRoom()
    const [one, two] = share.items.map(({ id }: { id: string }) => id)
    const [here, there] = [follow(page), follow(page)]
    for (const reader of [here, there]) {
      const { event, data } = await reader.waitFor(() => true)
      expect(event).toBe('share')
      expect(data.share).toEqual(Object.fromEntries(Object.entries(share).filter(([field]) => field !== 'url')))
    }
    await vote(at.visitor(), page, makeVoter(), { [one]: 'up', [two]: 'down' })
    await at.visitor().ask(`${page}/comments`, { body: { name: 'Ben', text: 'Lovely.', item_id: one } })
    for (const reader of [here, there]) {
      await reader.waitFor(({ data }) => data.share?.voters === 1)
      await reader.waitFor(({ data }) => data.share?.comments[0]?.text === 'Lovely.')
      const changed = reader.events.filter(({ event }) => event === 'change').flatMap(({ data }) => data.share.items)
      expect(changed).toContainEqual(expect.objectContaining({ id: one, votes: { up: 1, down: 0 } }))
    }
    await at.world.owner.query('DELETE FROM share WHERE id = $1', [share.id])
    await Promise.all([here, there].map((reader) => reader.waitFor(({ event }) => event === 'gone')))
    await Promise.all([here.ended, there.ended])
    expect(codeOf(await at.visitor().ask(`${page}/events`))).toBe('404 not_found')
  })

  test('gets further names from its votes, one search at a time, and only so many', async () => {
    const { share, page } = await openRoom()
    const [liked, disliked] = share.items.map(({ id }: { id: string }) => id)
    const [voter, visitor] = [makeVoter(), at.visitor()]
    expect(codeOf(await addNames(visitor, page, voter)), 'nobody who has not voted').toBe('400 invalid_request')
    await vote(visitor, page, voter, { [liked]: 'up', [disliked]: 'down' })
    // Both have arrived before the first begins.
    const lock = await at.world.owner.connect()
    await lock.query('BEGIN')
    await lock.query('SELECT FROM share WHERE id = $1 FOR UPDATE', [share.id])
    const asking = Promise.all([1, 2].map(() => addNames(at.visitor(), page, voter)))
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await at.world.owner.query(waiting)).rowCount).toBe(2)
    await lock.query('COMMIT')
    lock.release()
    const replies = await asking
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 202]))
    const read = async () => (await visitor.ask(page)).json.data.share
    const after = await read()
    expect(after.further).toEqual({ left: 9, is_searching: false })
    const added = after.items.filter(({ batch }: { batch: number }) => batch === 1)
    expect(added).toHaveLength(12)
    for (const item of added) expect(item).toMatchObject({ available: true, votes: { up: 0, down: 0 } })
    expect(new Set(after.items.map(({ name }: { name: string }) => name)).size).toBe(after.items.length)
    await at.world.owner.query('UPDATE share SET batches = 10 WHERE id = $1', [share.id])
    expect(codeOf(await addNames(visitor, page, voter))).toBe('409 share_full')
    expect((await read()).further.left).toBe(0)
  })

  test('of an account spends the quota of that account, with its history, and none without its creator', async () => {
    const { share, page } = await makeShare(['Fernhill'], { description })
    const used = async () => {
      const { rows } = await at.world.owner.query<{ n: number }>(
        'SELECT coalesce(sum(used), 0)::int AS n FROM quota_block WHERE account_id = $1',
        [ada.userId],
      )
      return rows[0]?.n ?? 0
    }
    const [voter, visitor, before] = [makeVoter(), at.visitor(), await used()]
    await vote(visitor, page, voter, { [share.items[0].id]: 'up' })
    const refused = await addNames(visitor, page, voter)
    expect(codeOf(refused), 'the creator has never used the app').toBe('409 share_full')
    expect((await ada.ask(`/settings/accounts/${ada.userId}/pass`, { body: {} })).status).toBe(201)
    const reply = await addNames(visitor, page, voter)
    expect(reply.status, reply.text).toBe(201)
    await expect.poll(used).toBe(before + 12)
    const { rows } = await at.world.owner.query('SELECT options FROM history WHERE account_id = $1', [ada.userId])
    expect(rows).toContainEqual({ options: expect.objectContaining({ like: ['Fernhill'], seed: 1 }) })
    await at.world.owner.query('UPDATE share SET created_by = NULL WHERE id = $1', [share.id])
    expect(codeOf(await addNames(visitor, page, voter))).toBe('409 share_full')
    expect((await visitor.ask(page)).json.data.share.further.is_searching).toBe(false)
  })

  test('is decided by whoever opened it, and nobody else', async () => {
    const { share, host, page } = await openRoom()
    const [{ id }] = share.items
    expect(codeOf(await pick(page, makeVoter(), id))).toBe('403 insufficient_role')
    expect(codeOf(await pick(page, host, share.id))).toBe('400 invalid_request')
    expect((await pick(page, host, id)).json.data).toMatchObject({ is_host: true, share: { picked: id } })
    expect((await at.visitor().ask(page)).json.data.share.picked).toBe(id)
    expect((await pick(page, host, null)).json.data.share.picked).toBeNull()
  })

  test('takes no votes, picks or comments for names of another room', async () => {
    const [mine, theirs] = [await openRoom(), await openRoom()]
    const foreign = theirs.share.items[0].id
    const own = mine.share.items[0].id
    const mixed = await vote(at.visitor(), mine.page, makeVoter(), { [own]: 'up', [foreign]: 'up' })
    expect(codeOf(mixed)).toBe('400 invalid_request')
    expect(codeOf(await pick(mine.page, mine.host, foreign))).toBe('400 invalid_request')
    expect(codeOf(await pick(theirs.page, mine.host, foreign))).toBe('403 insufficient_role')
    for (const { page } of [mine, theirs])
      expect((await at.visitor().ask(page)).json.data.share).toMatchObject({ voters: 0, picked: null })
    const shares = (await ada.ask(pathOf())).text
    for (const { share } of [mine, theirs]) expect(shares).not.toContain(share.id)
  })
})
