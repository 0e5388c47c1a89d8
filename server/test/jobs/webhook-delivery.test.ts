/** How events reach somebody's server: in order, signed, again and again, and until it is hopeless. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AccountId, makeId, sql } from '../source.ts'
import { idOf, openReceiver, verify } from './receiver.ts'
import type { Receiver } from './receiver.ts'
import { DAY, HOUR, openWebhookWorld, SECOND } from './webhook-world.ts'
import type { WebhookWorld } from './webhook-world.ts'

let receiver: Receiver
let at: WebhookWorld
let account: AccountId
beforeAll(async () => {
  receiver = await openReceiver()
  at = await openWebhookWorld({ allowed: [receiver.place] })
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
beforeEach(async () => {
  receiver.answer = 204
  account = await at.world.makeAccount({ name: 'Garden team' })
  at.clock.now = Date.now()
})

/** Since now. */
function listen() {
  const [received, accepted] = [receiver.received.length, receiver.accepted.length]
  return { received: () => receiver.received.slice(received), accepted: () => receiver.accepted.slice(accepted) }
}

test('a receiver that is down for an hour is told everything once, and each subject in order', async () => {
  const { row } = await at.create(account, receiver.url)
  const inbox = listen()
  const emitted: { id: string; subject: string | null }[] = []
  receiver.answer = (response) => response.destroy()
  for (let minute = 0; minute < 60; minute += 4) {
    const subject = ['fern', 'moss', null][emitted.length % 3] ?? null
    emitted.push({ id: await at.emitEvent(account, { subject, data: { n: emitted.length } }), subject })
    await at.passTime(account, row.id, 4 * 60 * SECOND)
  }
  expect(inbox.accepted()).toEqual([])
  receiver.answer = 204
  await at.passTime(account, row.id, 12 * HOUR)
  expect(inbox.accepted().map(idOf).toSorted()).toEqual(emitted.map(({ id }) => id).toSorted())
  for (const subject of ['fern', 'moss']) {
    const ids = new Set(emitted.filter((one) => one.subject === subject).map(({ id }) => id))
    const order = inbox.accepted().flatMap(({ json, ...one }) => (ids.has(idOf({ json, ...one })) ? [json.data.n] : []))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order).toHaveLength(5)
  }
  // While the first of a subject was refused, none behind it was sent.
  const ids = inbox.received().map(idOf)
  const second = emitted.filter(({ subject }) => subject === 'fern')[1]?.id ?? ''
  expect(ids.indexOf(second)).toBeGreaterThan(ids.lastIndexOf(emitted[0]?.id ?? ''))
  expect(new Set((await at.deliveries(account, row.id)).map(({ state }) => state))).toEqual(new Set(['delivered']))
})

/** After how many seconds each job of the account is to start. */
async function waitingJobs(): Promise<number[]> {
  const text = `SELECT round(extract(epoch FROM start_after - created_on))::int AS seconds FROM jobs.job
    WHERE name = 'webhook' AND group_id = $1 AND start_after > created_on ORDER BY created_on`
  return (await at.world.owner.query<{ seconds: number }>(text, [account])).rows.map(({ seconds }) => seconds)
}

test('a message is what Standard Webhooks says, and the same at every attempt', async () => {
  const { row, secret } = await at.create(account, receiver.url)
  expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/)
  const inbox = listen()
  receiver.answer = 500
  const id = await at.emitEvent(account, { data: { name: 'Fernhill', odd: '“ünïcödé” \u2028' } })
  const emittedAt = new Date(at.clock.now).toISOString()
  await at.deliver(account, row.id)
  // The library takes the time of the machine.
  at.clock.now += 10 * SECOND
  receiver.answer = 200
  await at.deliver(account, row.id)
  const [first, second, ...more] = inbox.received()
  expect(more).toEqual([])
  if (!first || !second) throw new Error('two attempts')
  expect(first.body).toBe(second.body)
  expect(JSON.parse(first.body)).toEqual({
    type: 'favorite.available',
    timestamp: emittedAt,
    data: { name: 'Fernhill', odd: '“ünïcödé” \u2028' },
  })
  for (const one of [first, second]) {
    expect(idOf(one)).toBe(id)
    expect(one.headers['content-type']).toBe('application/json')
    expect(verify(secret, one)).toMatchObject({ type: 'favorite.available' })
    expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, one)).toThrow('No matching signature')
    expect(() => verify(secret, { ...one, body: one.body.replace('Fern', 'Burn') })).toThrow('No matching signature')
  }
  expect(first.headers['webhook-signature']).not.toBe(second.headers['webhook-signature'])
})

test('while a secret is replaced both sign, and afterwards only the new one', async () => {
  const { row, secret } = await at.create(account, receiver.url)
  const inbox = listen()
  const rotated = await at.rotate(account, row.id, 1)
  await at.emitEvent(account)
  await at.deliver(account, row.id)
  at.clock.now += 2 * HOUR
  await at.emitEvent(account)
  await at.deliver(account, row.id)
  const [during, after] = inbox.received()
  if (!during || !after) throw new Error('two events')
  expect(String(during.headers['webhook-signature']).split(' ')).toHaveLength(2)
  for (const one of [secret, rotated.secret]) expect(verify(one, during)).toBeDefined()
  expect(String(after.headers['webhook-signature']).split(' ')).toHaveLength(1)
  at.clock.now = Date.now()
  const ended = await at.rotate(account, row.id, 0)
  await at.emitEvent(account)
  await at.deliver(account, row.id)
  const last = inbox.received()[2]
  if (!last) throw new Error('a third event')
  expect(verify(ended.secret, last)).toBeDefined()
  expect(() => verify(rotated.secret, last)).toThrow('No matching signature')
})

test('what fails is tried eleven times in three days, with pauses that grow', async () => {
  const { row } = await at.create(account, receiver.url)
  // Something else arrives, so the webhook is well, and only this one event is not wanted.
  receiver.answer = (response, { json }) => response.writeHead(json.data.bad ? 400 : 200).end('not today')
  await at.emitEvent(account, { subject: 'fern', data: { bad: true } })
  const start = at.clock.now
  const times: number[] = []
  const inbox = listen()
  for (let hours = 0; hours < 100; hours++) {
    await at.emitEvent(account)
    const before = inbox.received().length
    await at.passTime(account, row.id, HOUR)
    for (const one of inbox.received().slice(before)) if (one.json.data.bad) times.push(hours)
  }
  expect(times).toHaveLength(11)
  const [last] = (await at.deliveries(account, row.id)).filter(({ state }) => state === 'failed')
  expect(last).toMatchObject({
    attempts: 11,
    last_status: 400,
    last_error: 'status',
    last_answer: 'not today',
    next_at: null,
  })
  const took = (last?.last_at?.getTime() ?? 0) - start
  expect(took).toBeGreaterThan(3 * DAY)
  expect(took).toBeLessThan(3.6 * DAY)
  expect((await at.webhooks.find(account, row.id))?.enabled).toBe(true)
  // What stood behind it is not held up for ever.
  const next = await at.emitEvent(account, { subject: 'fern' })
  await at.deliver(account, row.id)
  expect(inbox.accepted().map(idOf)).toContain(next)
})

test('a receiver that says when to come back is not asked earlier', async () => {
  const { row } = await at.create(account, receiver.url)
  const nextIn = async () => {
    const [delivery] = await at.deliveries(account, row.id)
    return (delivery?.next_at?.getTime() ?? 0) - at.clock.now
  }
  receiver.answer = (response) => response.writeHead(429, { 'retry-after': '1800' }).end()
  await at.emitEvent(account)
  await at.deliver(account, row.id)
  expect(await nextIn()).toBe(1_800 * SECOND)
  expect(await waitingJobs()).toEqual([1_800])
  receiver.answer = (response) => response.writeHead(503, { 'retry-after': '99999999' }).end()
  at.clock.now += 1_800 * SECOND
  await at.deliver(account, row.id)
  expect(await nextIn()).toBe(DAY)
  receiver.answer = (response) => response.writeHead(503, { 'retry-after': '0' }).end()
  at.clock.now += DAY
  await at.deliver(account, row.id)
  expect(await nextIn()).toBeGreaterThanOrEqual(300 * SECOND)
  expect(await nextIn()).toBeLessThanOrEqual(330 * SECOND)
})

async function makeOwner(language: string): Promise<string> {
  const id = makeId(Date.now())
  const email = `${id}@people.example`
  const text = `INSERT INTO people."user" (id, name, email, email_verified, language) VALUES ($1, 'Ada', $2, true, $3)`
  await at.world.owner.query(text, [id, email, language])
  await at.world.owner.query(`INSERT INTO member VALUES ($1, $2, 'owner', now())`, [account, id])
  return email
}

test('a webhook that takes nothing for three days is switched off, and its owners are written to', async () => {
  const [ada, bea] = [await makeOwner('en'), await makeOwner('de')]
  const { row } = await at.create(account, receiver.url)
  receiver.answer = 500
  const first = await at.emitEvent(account, { subject: 'fern' })
  const second = await at.emitEvent(account, { subject: 'fern' })
  await at.passTime(account, row.id, 2.9 * DAY)
  expect((await at.webhooks.find(account, row.id))?.enabled).toBe(true)
  await at.passTime(account, row.id, DAY)
  expect(await at.webhooks.find(account, row.id)).toMatchObject({ enabled: false, off_reason: 'failing' })
  // What it missed waits, and nothing new is put down for it.
  const missed = await at.emitEvent(account)
  const states = (await at.deliveries(account, row.id)).map(({ id, state }) => [id, state])
  expect(Object.fromEntries(states)).toEqual({ [first]: 'pending', [second]: 'pending' })
  const log = await at.world.owner.query(
    `SELECT detail FROM security_event WHERE account_id = $1 AND action = 'webhook_switched_off'`,
    [account],
  )
  expect(log.rows).toEqual([{ detail: { webhook_id: row.id, host: new URL(receiver.url).host, reason: 'failing' } }])
  const [message, brief] = [await at.smtp.waitFor(ada), await at.smtp.waitFor(bea)]
  expect(message.subject).toBe('A webhook was disabled')
  expect(message.text).toContain('of Garden team to 127.')
  expect(message.text).toContain('all deliveries failed for three days')
  expect(message.link).toBe('https://names.example/docs/webhooks')
  expect(brief.subject).toBe('Ein Webhook wurde abgeschaltet')

  const inbox = listen()
  await at.deliver(account, row.id)
  expect(inbox.received()).toEqual([])
  receiver.answer = 204
  expect(await at.change(account, row.id, { enabled: true })).toMatchObject({
    enabled: true,
    off_reason: null,
    off_at: null,
    failing_since: null,
  })
  await at.deliver(account, row.id)
  expect(inbox.accepted().map(idOf)).toEqual([first, second])
  expect(inbox.accepted().map(idOf)).not.toContain(missed)
})

test('410 switches a webhook off at once', async () => {
  const ada = await makeOwner('en')
  const { row } = await at.create(account, receiver.url)
  receiver.answer = 410
  await at.emitEvent(account)
  await at.deliver(account, row.id)
  expect(await at.webhooks.find(account, row.id)).toMatchObject({ enabled: false, off_reason: 'gone' })
  expect((await at.smtp.waitFor(ada)).text).toContain('its server responded that the address no longer exists')
})

test('one that is switched off by hand is sent nothing, and its owners are not written to', async () => {
  await makeOwner('en')
  const emails = at.smtp.emails.length
  const { row } = await at.create(account, receiver.url)
  await at.emitEvent(account)
  expect(await at.change(account, row.id, { enabled: false })).toMatchObject({ enabled: false, off_reason: 'by_hand' })
  const inbox = listen()
  await at.deliver(account, row.id)
  expect(inbox.received()).toEqual([])
  expect(at.smtp.emails).toHaveLength(emails)
})

test('what was sent can be sent again, under the same id', async () => {
  const { row } = await at.create(account, receiver.url)
  const id = await at.emitEvent(account)
  await at.deliver(account, row.id)
  const inbox = listen()
  expect(await at.replay(account, row.id, id)).toMatchObject({ id, state: 'pending', attempts: 0 })
  await at.deliver(account, row.id)
  expect(inbox.accepted().map(idOf)).toEqual([id])
  await expect(at.replay(account, row.id, makeId(at.clock.now))).rejects.toMatchObject({ code: 'not_found' })
})

test('an event that names a webhook goes there and nowhere else', async () => {
  const [one, other] = [await at.create(account, receiver.url), await at.create(account, `${receiver.url}/other`)]
  const id = await at.emitEvent(account, { data: { webhook_id: one.row.id } })
  expect((await at.deliveries(account, one.row.id)).map((delivery) => delivery.id)).toEqual([id])
  expect(await at.deliveries(account, other.row.id)).toEqual([])
  await at.emitEvent(account, { data: { webhook_id: null } })
  expect(await at.deliveries(account, other.row.id)).toHaveLength(1)
})

test('any 2xx is thanks, however large or packed; a redirect is none and is not followed', async () => {
  const { row } = await at.create(account, receiver.url)
  const outcome = async () => {
    const id = await at.emitEvent(account)
    await at.deliver(account, row.id)
    return (await at.deliveries(account, row.id)).find((delivery) => delivery.id === id)
  }
  receiver.answer = (response) => response.end('a'.repeat(1 << 20))
  expect(await outcome()).toMatchObject({ state: 'delivered', last_status: 200, last_answer: 'a'.repeat(1024) })
  receiver.answer = (response) => response.writeHead(202, { 'content-encoding': 'gzip' }).end(gzipSync('thanks'))
  expect(await outcome()).toMatchObject({ state: 'delivered', last_status: 202, last_answer: '' })
  receiver.answer = (response) => response.writeHead(200).end(Buffer.from([0, 0xff, 0x41]))
  expect(await outcome()).toMatchObject({ state: 'delivered', last_answer: '\u{fffd}\u{fffd}A' })
  const inbox = listen()
  receiver.answer = (response, { path }) =>
    path.includes('there') ? response.end() : response.writeHead(307, { location: '/there' }).end()
  expect(await outcome()).toMatchObject({ state: 'pending', last_status: null, last_error: 'redirect' })
  expect(inbox.received().map(({ path }) => path)).toEqual(['/hook'])
})

test('jobs that come together send nothing twice, and one that dies is replaced when its lease ends', async () => {
  const { row } = await at.create(account, receiver.url)
  const inbox = listen()
  const ids = await Promise.all(Array.from({ length: 20 }, () => at.emitEvent(account)))
  await Promise.all(ids.map(() => at.deliver(account, row.id)))
  expect(inbox.received().map(idOf).toSorted()).toEqual(ids.toSorted())

  const id = await at.emitEvent(account)
  const claim = await at.world.db.transaction(account, (tx) => at.webhooks.claim(tx, account, row.id))
  expect(claim.lease).toBeDefined()
  await at.deliver(account, row.id)
  await at.deliver(account, row.id)
  // One job for the end of the lease, however many find it taken.
  expect(await waitingJobs()).toEqual([60])
  expect(inbox.received().map(idOf)).not.toContain(id)
  at.clock.now += 61 * SECOND
  await at.deliver(account, row.id)
  expect(inbox.accepted().map(idOf)).toContain(id)
})

test('a job that starts a moment early leaves another one for the end of the lease', async () => {
  const { row } = await at.create(account, receiver.url)
  const { lease } = await at.world.db.transaction(account, (tx) => at.webhooks.claim(tx, account, row.id))
  await at.deliver(account, row.id)
  at.clock.now += 30 * SECOND
  if (lease) await at.webhooks.due(lease, { except: [], limit: 1 })
  at.clock.now += 29 * SECOND
  await at.deliver(account, row.id)
  // The lease was extended for a minute when half of it was over.
  expect(await waitingJobs()).toEqual([60, 31])
})

test('a subject that is not answered does not keep the others waiting', async () => {
  const { row } = await at.create(account, receiver.url)
  const inbox = listen()
  let letGo = () => {}
  receiver.answer = (response, { json }) => {
    if (json.data.slow) letGo = () => response.end()
    else response.end()
  }
  await at.emitEvent(account, { subject: 'slow', data: { slow: true } })
  for (let n = 0; n < 30; n++) await at.emitEvent(account, { subject: `quick ${n % 3}` })
  const delivered = at.deliver(account, row.id)
  await expect.poll(() => inbox.accepted().length, { timeout: 10_000 }).toBe(30)
  letGo()
  await delivered
  expect(inbox.accepted()).toHaveLength(31)
})

test('a worker that must stop gives the webhook back, and what was under way is sent again', async () => {
  const { row } = await at.create(account, receiver.url)
  const inbox = listen()
  receiver.answer = () => {}
  const id = await at.emitEvent(account)
  const stop = new AbortController()
  const delivered = at.deliver(account, row.id, stop.signal)
  await expect.poll(() => inbox.received().length).toBe(1)
  stop.abort()
  await delivered
  expect(await at.deliveries(account, row.id)).toMatchObject([{ id, state: 'pending', attempts: 0 }])
  receiver.answer = 204
  await at.deliver(account, row.id)
  expect(inbox.accepted().map(idOf)).toEqual([id])
})

test('deliveries are gone after thirty days', async () => {
  const { row } = await at.create(account, receiver.url)
  await at.emitEvent(account)
  await at.deliver(account, row.id)
  at.clock.now += 31 * DAY
  expect(await at.deliveries(account, row.id)).toEqual([])
  const recent = await at.emitEvent(account)
  const [removed] = await at.world.db.as(account, [at.webhooks.expiring(account, 100)])
  expect(removed.count).toBe(1)
  expect((await at.deliveries(account, row.id)).map(({ id }) => id)).toEqual([recent])
})

test('the newest thousand deliveries that have ended are kept, and all that wait', async () => {
  const { row } = await at.create(account, receiver.url)
  const waiting = await at.emitEvent(account)
  const ids = Array.from({ length: 1_100 }, (_, n) => makeId(at.clock.now + n))
  await at.world.db.as(account, [
    sql(
      'test_tell_many',
      `INSERT INTO event (account_id, id, created_at, type, once, data)
       SELECT $1, id, $3, 'favorite.available', id::text, '{}' FROM unnest($2::uuid[]) AS id`,
      [account, ids, new Date(at.clock.now)],
    ),
  ])
  const idsOf = async (state: string) => {
    const text =
      'SELECT event_id AS id FROM delivery WHERE account_id = $1 AND webhook_id = $2 AND state = $3 ORDER BY event_id'
    return (await at.world.owner.query<{ id: string }>(text, [account, row.id, state])).rows.map(({ id }) => id)
  }
  await at.world.owner.query(
    `UPDATE delivery SET state = 'delivered', next_at = NULL WHERE account_id = $1 AND event_id = ANY ($2)`,
    [account, ids],
  )
  await at.world.owner.query('UPDATE delivery SET next_at = $2 WHERE account_id = $1 AND event_id = $3', [
    account,
    new Date(at.clock.now + DAY),
    waiting,
  ])
  at.clock.now += 5 * SECOND
  const last = await at.emitEvent(account)
  await at.deliver(account, row.id)
  expect(await idsOf('delivered')).toEqual([...ids, last].slice(-1_000))
  expect(await idsOf('pending')).toEqual([waiting])
})

test('what a dead job has left behind is found by the upkeep', async () => {
  const { row } = await at.create(account, receiver.url)
  await at.emitEvent(account)
  const jobsOf = async () => {
    const text = `SELECT data FROM jobs.job WHERE name = 'webhook' AND group_id = $1`
    return (await at.world.owner.query<{ data: object }>(text, [account])).rows.map(({ data }) => data)
  }
  await at.world.owner.query('DELETE FROM jobs.job WHERE group_id = $1', [account])
  await at.world.db.as(account, [at.webhooks.wakingForgotten(account)])
  expect(await jobsOf()).toEqual([])
  at.clock.now += 2 * HOUR
  await at.world.db.as(account, [at.webhooks.wakingForgotten(account)])
  expect(await jobsOf()).toEqual([{ webhook: row.id }])
})

test('a secret that cannot be read any more is a failure like any other, and a new one mends it', async () => {
  const { row } = await at.create(account, receiver.url)
  const inbox = listen()
  await at.world.owner.query(`UPDATE webhook SET secret = 'moved from elsewhere, or altered' WHERE id = $1`, [row.id])
  await at.emitEvent(account)
  await at.deliver(account, row.id)
  expect(await at.deliveries(account, row.id)).toMatchObject([{ state: 'pending', last_error: 'secret_unreadable' }])
  expect(inbox.received()).toEqual([])
  const { secret } = await at.rotate(account, row.id, 24)
  at.clock.now += 10 * SECOND
  await at.deliver(account, row.id)
  const [received] = inbox.accepted()
  expect(received && verify(secret, received)).toBeDefined()
})
