/** Votes by voters that somebody makes up: a few addresses cannot use up the voters that a share may have. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeId } from '../source.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn, Visitor } from '../people-world.ts'

let at: PeopleWorld
let ada: SignedIn
beforeAll(async () => {
  at = await startApp({ people: true })
  ada = await at.signUp('Ada')
})
afterAll(() => at[Symbol.asyncDispose]())

async function makeShare(): Promise<{ page: string; item: string }> {
  const id = makeId(Date.now())
  await at.world.owner.query(
    `INSERT INTO favorite (account_id, id, key_id, domain, name, note, created_at, saved, current)
     VALUES ($1, $2, $2, $3, 'Fernhill', '', now(), $4, $4)`,
    [ada.userId, id, `fernhill-${id}.com`, { available: true, price: '$9.99', checked_at: '2026-11-15T10:00:00.000Z' }],
  )
  const made = await ada.ask(`/settings/accounts/${ada.userId}/shares`, { body: { title: 'x', favorite_ids: [id] } })
  expect(made.status, made.text).toBe(201)
  const { share } = made.json.data
  return { page: String(share.url).replace(`${at.url}/r/`, '/shares/'), item: share.items[0].id }
}

const makeVoter = () => randomBytes(16).toString('base64url')

async function vote(from: Visitor, { page, item }: { page: string; item: string }, voter: string, way = 'up') {
  const headers = { 'namewright-voter': voter }
  return (await from.ask(`${page}/votes`, { method: 'PUT', headers, body: { votes: { [item]: way } } })).status
}

test('five hundred made-up voters from five addresses leave most of a share free', async () => {
  const share = await makeShare()
  const honest = makeVoter()
  expect(await vote(at.visitor(), share, honest)).toBe(200)
  const statuses: number[] = []
  for (const attacker of Array.from({ length: 5 }, () => at.visitor())) {
    const voters = Array.from({ length: 100 }, makeVoter)
    while (voters.length > 0)
      statuses.push(...(await Promise.all(voters.splice(0, 20).map((voter) => vote(attacker, share, voter)))))
  }
  const counted = statuses.filter((status) => status === 200).length
  expect(counted).toBeLessThanOrEqual(205)
  expect(statuses.filter((status) => status === 429)).toHaveLength(500 - counted)
  expect(await vote(at.visitor(), share, honest, 'down'), 'who has voted changes their mind').toBe(200)
})

test('an office behind one address votes at once', async () => {
  const [share, office] = [await makeShare(), at.visitor()]
  const statuses = await Promise.all(Array.from({ length: 60 }, () => vote(office, share, makeVoter())))
  expect(statuses).toEqual(Array(60).fill(200))
})
