/** The audit log leaves the service, so that whoever can delete an account here cannot delete what others know of it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openReceiver, verify } from '../jobs/receiver.ts'
import type { Receiver } from '../jobs/receiver.ts'
import { startApp } from '../start-app.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'

let receiver: Receiver
let at: PeopleWorld
beforeAll(async () => {
  receiver = await openReceiver()
  at = await startApp({ people: true, own: true, settings: { NAMEWRIGHT_WEBHOOK_ALLOW: receiver.place } })
  await at.world.startWorker()
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})

const accountOf = ({ userId }: SignedIn) => `/settings/accounts/${userId}`
const makeKey = (person: SignedIn, name: string) =>
  person.ask(`${accountOf(person)}/keys`, { body: { name, scopes: ['generate'] } })

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
