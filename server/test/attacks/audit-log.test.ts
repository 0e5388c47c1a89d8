/** The audit log leaves the service, so that whoever can delete an account here cannot delete what others know of it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openReceiver, verify } from '../jobs/receiver.ts'
import type { Receiver } from '../jobs/receiver.ts'
import { openPeopleWorld } from '../people-world.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'

let receiver: Receiver
let at: PeopleWorld
beforeAll(async () => {
  receiver = await openReceiver()
  at = await openPeopleWorld({ NAMEWRIGHT_WEBHOOK_ALLOW: receiver.place })
  await at.world.startWorker()
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const accountOf = ({ userId }: SignedIn) => `/settings/accounts/${userId}`
const makeKey = (person: SignedIn, name: string) =>
  person.ask(`${accountOf(person)}/keys`, { body: { name, scopes: ['generate'] } })

test('an admin downloads all of it, as lines of JSON or as CSV', async () => {
  const ada = await at.signUp('Ada')
  await makeKey(ada, '=HYPERLINK("https://evil.example")')
  const lines = await ada.ask(`${accountOf(ada)}/security-events/export?format=ndjson`)
  expect(lines.status, lines.text).toBe(200)
  expect(lines.headers.get('content-disposition')).toMatch(
    /^attachment; filename="namewright-security-events-[\d-]+\.ndjson"$/,
  )
  const entries = lines.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const shown = (await ada.ask(`${accountOf(ada)}/security-events?limit=100`)).json.data.security_events
  expect(entries).toEqual(shown.toReversed())
  expect(entries.at(-1)).toMatchObject({ action: 'audit_log_exported', actor: { id: ada.userId, name: 'Ada' } })
  const csv = await ada.ask(`${accountOf(ada)}/security-events/export`)
  expect(csv.headers.get('content-type')).toContain('text/csv')
  const [head = '', ...rows] = csv.text.trim().split('\r\n')
  expect(head.split(',')).toEqual(
    expect.arrayContaining([
      'id',
      'created_at',
      'action',
      'actor',
      'actor_name',
      'credential',
      'application',
      'ip',
      'detail',
    ]),
  )
  expect(rows).toHaveLength(entries.length + 1)
})

test('what begins like a formula does not run in a spreadsheet', async () => {
  const eve = await at.signUp('=1+1')
  const csv = await eve.ask(`${accountOf(eve)}/security-events/export`)
  expect(csv.text).toContain(",'=1+1")
  expect(csv.text).not.toContain(',=1+1')
})

test('only admins of the account get it', async () => {
  const [ada, ben] = [await at.signUp('Ada'), await at.signUp('Ben')]
  const team = (await ada.ask('/settings/accounts', { body: { name: 'Team' } })).json.data.account.id as string
  const path = `/settings/accounts/${team}/security-events/export`
  expect((await ben.ask(path)).status).toBe(404)
  const join = `INSERT INTO member (account_id, user_id, role, created_at) VALUES ($1, $2, 'member', now())`
  await at.world.owner.query(join, [team, ben.userId])
  expect((await ben.ask(path)).status).toBe(403)
  expect((await at.visitor().ask(path)).status).toBe(401)
  expect((await ada.ask(path)).status).toBe(200)
})

test('a webhook is told of every entry as it is written', async () => {
  const ada = await at.signUp('Ada')
  const body = { url: receiver.url, events: ['audit.entry'] }
  const { secret } = (await ada.ask(`${accountOf(ada)}/webhooks`, { body })).json.data.webhook
  const made = await makeKey(ada, 'Told of')
  const delivered = () =>
    receiver.accepted.find(({ json }) => json.data.action === 'key_created' && json.data.actor === ada.userId)
  await expect.poll(delivered).toBeDefined()
  const received = delivered()
  const { security_events: shown } = (await ada.ask(`${accountOf(ada)}/security-events?limit=1`)).json.data
  const [{ id, created_at, action, ip, detail, credential }] = shown
  expect(received && verify(secret, received)).toMatchObject({
    type: 'audit.entry',
    data: { id, created_at, action, ip, detail, actor: ada.userId, credential: credential.kind },
  })
  expect(received?.body).not.toContain(made.json.data.key.secret)
})

test('an account without such a webhook keeps no second copy of its log', async () => {
  const ada = await at.signUp('Ada')
  await makeKey(ada, 'Quiet')
  const text = `SELECT count(*)::integer AS n FROM event WHERE account_id = $1 AND type = 'audit.entry'`
  expect((await at.world.owner.query(text, [ada.userId])).rows).toEqual([{ n: 0 }])
})
