/** Attacks on shared lists by whoever has a link, and what a suspension and the operator do to a list. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeId, openShares, runAdmin } from '../source.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn, Visitor } from '../people-world.ts'
import { readConfig } from '../read-config.ts'

const NAMES = 50
const VOTERS = 500

let at: PeopleWorld
let ada: SignedIn
beforeAll(async () => {
  at = await startApp({ people: true })
  ada = await at.signUp('Ada')
})
afterAll(() => at[Symbol.asyncDispose]())

interface SharedList {
  readonly id: string
  readonly link: string
  /** Of its data. */
  readonly path: string
  readonly items: readonly string[]
}

async function shareList(of: SignedIn, names = 1): Promise<SharedList> {
  const ids = Array.from({ length: names }, () => makeId(Date.now()))
  const seen = { available: true, price: '$9.99', checked_at: '2026-11-15T10:00:00.000Z' }
  await at.world.owner.query(
    `INSERT INTO favorite (account_id, id, key_id, domain, name, created_at, saved, current)
     SELECT $1, id, id, 'fernhill-' || id || '.com', 'Fernhill', now(), $3, $3 FROM unnest($2::uuid[]) id`,
    [of.userId, ids, seen],
  )
  const path = `/settings/accounts/${of.userId}/shares`
  const made = await of.ask(path, { body: { title: 'For the shop', favorite_ids: ids } })
  expect(made.status, made.text).toBe(201)
  const { share } = made.json.data
  const link = String(share.url)
  return { id: share.id, link, path: link.replace(`${at.url}/r/`, '/shares/'), items: idsOf(share) }
}

const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)
const makeVoter = () => randomBytes(16).toString('base64url')

function vote(visitor: Visitor, { path }: SharedList, votes: object, voter = makeVoter()) {
  return visitor.ask(`${path}/votes`, { method: 'PUT', headers: { 'namewright-voter': voter }, body: { votes } })
}

test('a list that is full of votes is read as fast as one without any', async () => {
  const [full, empty] = [await shareList(ada, NAMES), await shareList(ada, NAMES)]
  await at.world.owner.query(
    `INSERT INTO share_vote SELECT $1, $2, item, int4send(n), true, '', now()
     FROM unnest($3::uuid[]) item, generate_series(1, $4) n`,
    [ada.userId, full.id, full.items, VOTERS],
  )
  await at.world.owner.query('ANALYZE share_vote')
  // Without HTTP, whose part of the time on a busy machine hides the rest.
  const shares = openShares({ db: at.world.db, now: Date.now, secrets: ['any'] })
  const refOf = ({ path }: SharedList) => shares.parseToken(path.slice('/shares/'.length))
  const readings = [await refOf(full), await refOf(empty)].map((ref) => ({ ref, times: [] as number[] }))
  for (let turn = 0; turn < 31; turn++)
    for (const { ref, times } of readings) {
      const startedAt = performance.now()
      expect((await shares.open(ref, undefined)).items).toHaveLength(NAMES)
      times.push(performance.now() - startedAt)
    }
  const [ofFull = NaN, ofEmpty = NaN] = readings.map(({ times }) => times.toSorted((a, b) => a - b)[15])
  expect(ofFull / ofEmpty).toBeLessThan(2)
})

test('the counters agree with the votes, however many vote and change their minds at once', async () => {
  const list = await shareList(ada, 3)
  const voters = Array.from({ length: 20 }, () => ({ voter: makeVoter(), visitor: at.visitor() }))
  const ways = ['up', 'down', null]
  await Promise.all(
    voters.map(async ({ voter, visitor }, n) => {
      for (let turn = 0; turn < 4; turn++) {
        const votes = Object.fromEntries(list.items.map((item, index) => [item, ways[(n + turn + index) % 3]]))
        expect((await vote(visitor, list, votes, voter)).status).toBe(200)
      }
      if (n % 5 === 0) await vote(visitor, list, Object.fromEntries(list.items.map((item) => [item, null])), voter)
    }),
  )
  const { share } = (await at.visitor().ask(list.path)).json.data
  const { rows } = await at.world.owner.query<{ item_id: string; up: number; down: number }>(
    `SELECT item_id, count(*) FILTER (WHERE up)::int AS up, count(*) FILTER (WHERE NOT up)::int AS down
     FROM share_vote WHERE share_id = $1 GROUP BY item_id`,
    [list.id],
  )
  const counted = new Map(rows.map(({ item_id, up, down }) => [item_id, { up, down }]))
  for (const { id, votes } of share.items) expect(votes).toEqual(counted.get(id) ?? { up: 0, down: 0 })
  const text = 'SELECT count(DISTINCT voter)::int AS voters FROM share_vote WHERE share_id = $1'
  expect([share]).toMatchObject((await at.world.owner.query(text, [list.id])).rows)
})

test('a ballot without a vote takes no place of a new voter', async () => {
  const list = await shareList(ada)
  const [attacker, item] = [at.visitor(), list.items[0] ?? '']
  for (const votes of [{}, { [item]: null }, { [makeId(Date.now())]: 'up' }])
    for (let turn = 0; turn < 4; turn++)
      await Promise.all(Array.from({ length: 20 }, () => vote(attacker, list, votes)))
  expect((await vote(attacker, list, { [item]: 'up' })).status).toBe(200)
})

test('a list of a suspended account is neither read nor voted on until the suspension ends', async () => {
  const eve = await at.signUp('Eve')
  const list = await shareList(eve)
  const account = ['--account', eve.userId]
  const visitor = at.visitor()
  const statuses = async () => {
    const voted = await vote(visitor, list, { [list.items[0] ?? '']: 'up' })
    const page = await visitor.ask(new URL(list.link).pathname, { headers: { accept: 'text/html' } })
    return [(await visitor.ask(list.path)).status, voted.status, page.text.includes('For the shop')]
  }
  expect(await statuses()).toEqual([200, 200, true])
  await admin('suspend', ...account, '--reason', 'spam')
  expect(await statuses()).toEqual([404, 404, false])
  await admin('resume', ...account)
  expect(await statuses()).toEqual([200, 200, true])
})

test('the operator takes one list down by its link, and no other', async () => {
  const [bad, good] = [await shareList(ada), await shareList(ada)]
  expect(await admin('end-shared-list', '--link', bad.link)).toBe('ended\n')
  expect((await at.visitor().ask(bad.path)).status).toBe(404)
  expect((await at.visitor().ask(good.path)).status).toBe(200)
  for (const link of [bad.link, `${at.url}/r/nothing`, 'x'])
    expect(await admin('end-shared-list', '--link', link)).toContain('There is no such shared list.')
})

test('names reach the terminal of the operator as text, not as commands or reversed', async () => {
  const sly = 'Shop\u009B2J\u009D\u202Egnp.exe\u2066\u007F'
  const { rows } = await at.world.owner.query<{ id: string }>(
    'INSERT INTO account (id, name, created_at) VALUES (gen_random_uuid(), $1, now()) RETURNING id',
    [sly],
  )
  const printed = await admin('list-accounts')
  expect(printed).not.toMatch(/[^\P{Cc}\n]|[\u202A-\u202E\u2066-\u2069]/u)
  const row = printed.split('\n').find((line) => line.includes(rows[0]?.id ?? ''))
  expect(JSON.parse(row ?? '')).toMatchObject({ name: sly })
})

/** What the command prints, on either stream. */
async function admin(...args: readonly string[]): Promise<string> {
  const printed: string[] = []
  const stream = { write: (text: string) => printed.push(text) }
  await runAdmin(args, readConfig(at.world.env), { stdout: stream, stderr: stream })
  return printed.join('')
}
