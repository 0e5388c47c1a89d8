/** What counts as a change of a watched favorite, who is notified, and that nobody is notified twice. The clock is the test's. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type AccountId,
  changesOf,
  deleteFavorite,
  type Email,
  favoriteWith,
  forgetFavorites,
  learn,
  LEASE_MS,
  makeId,
  type Member,
  ofAccount,
  openAccounts,
  openChangeEmails,
  type Own,
  sendChangeEmails,
  sql,
  updateFavorite,
  type UserId,
  watch as watchJob,
  watchFavorites,
} from '../source.ts'
import { startApp } from '../start-app.ts'
import type { World } from '../world.ts'
import { never, openWatchWorld } from './watch-world.ts'
import type { WatchWorld } from './watch-world.ts'

const DAY_MS = 86_400_000
let world: World
let at: WatchWorld
let account: AccountId
beforeAll(async () => {
  world = await startApp({ own: true })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  // Deletes favorites and, by the triggers, all that is watched.
  await world.owner.query('DELETE FROM favorite')
  at = await openWatchWorld(world)
  account = await world.makeAccount()
})

/** Everything due is checked, an hour after the last time. */
async function checkDue() {
  at.clock.at += 3_600_000
  await at.makeDue()
  at.names.asked.splice(0)
  return watchFavorites(at.ctx, never)
}
/** As a worker runs it. */
const runJob = async (ctx: Parameters<typeof watchJob>[0]) =>
  watchJob(ctx)({
    id: 'watch',
    queue: 'watch',
    account: undefined,
    data: {},
    attempt: 1,
    isLast: false,
    signal: never,
    finishing: () => sql('done', 'SELECT', []),
  })
const typesOf = async (of = account) => (await at.eventsOf(of)).map(({ type }) => type)
const run = async <Row>(statement: Own<Row>, of = account): Promise<readonly Row[]> => {
  const [done] = await world.db.as(of, [ofAccount(of, statement)])
  return done.rows
}
const currentOf = async (id: string, of = account) => {
  const [row] = await run(favoriteWith(id), of)
  return JSON.parse(row?.current ?? 'null') as { available: boolean; price: string; checked_at: string }
}

const idOf = async (domain: string) => {
  const text = 'SELECT id FROM favorite WHERE account_id = $1 AND domain = $2'
  return (await world.owner.query<{ id: string }>(text, [account, domain])).rows[0]?.id ?? ''
}

describe('a change', () => {
  test('from taken to available and back is one event each, with before and after, and stands in the history', async () => {
    at.names.zone.add('drops.com')
    const id = await at.save(account, 'drops.com', { available: false })
    await checkDue()
    expect(await typesOf()).toEqual([])
    at.names.zone.delete('drops.com')
    at.names.quotes.set('drops.com', 1_234)
    expect(await checkDue()).toEqual({ checked: 1, changed: 1, unknown: 0, notified: 1 })
    await checkDue()
    at.names.zone.add('drops.com')
    await checkDue()
    await checkDue()
    const events = await at.eventsOf(account)
    expect(events.map(({ type }) => type)).toEqual(['favorite.available', 'favorite.taken'])
    const [first] = events
    expect(first).toMatchObject({
      subject: id,
      data: {
        favorite_id: id,
        domain: 'drops.com',
        name: 'drops.com',
        before: { available: false, price: at.listPrice('com') },
        after: { available: true, price: '$12.34' },
      },
    })
    const changes = await run(changesOf(id, { limit: 10 }))
    expect(changes.map(({ kind }) => kind)).toEqual(['taken', 'available'])
    expect(JSON.parse(changes[1]?.after ?? '')).toEqual(first?.data['after'])
    expect(await currentOf(id)).toMatchObject({ available: false, price: at.listPrice('com') })
  })

  test('of the price is told once', async () => {
    at.names.quotes.set('dear.com', 1_000)
    await at.save(account, 'dear.com', { available: true, price: '$10.00' })
    await checkDue()
    at.names.quotes.set('dear.com', 2_000)
    await checkDue()
    await checkDue()
    const [event, ...more] = await at.eventsOf(account)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      type: 'favorite.price_changed',
      data: { before: { available: true, price: '$10.00' }, after: { available: true, price: '$20.00' } },
    })
  })

  test('that came before the first look is told, too', async () => {
    at.names.quotes.set('early.com', 2_000)
    await at.save(account, 'early.com', { available: true, price: '$10.00' })
    await at.save(account, 'gone.com', { available: true, price: '$10.00' })
    at.names.zone.add('gone.com')
    await checkDue()
    expect((await typesOf()).toSorted()).toEqual(['favorite.price_changed', 'favorite.taken'])
  })

  test('is told to everybody who watches the domain, which is looked at once', async () => {
    const accounts = [account, await world.makeAccount(), await world.makeAccount()]
    at.names.zone.add('shared.com')
    for (const one of accounts) await at.save(one, 'shared.com', { available: false })
    await checkDue()
    at.names.zone.clear()
    at.names.quotes.set('shared.com', 1_000)
    expect(await checkDue()).toMatchObject({ changed: 1, notified: 3 })
    expect(at.names.asked).toEqual(['shared.com'])
    for (const one of accounts) expect(await typesOf(one)).toEqual(['favorite.available'])
  })

  test('is told to more who watch than fit on a page', { timeout: 60_000 }, async () => {
    const { rows } = await world.owner.query<{ id: AccountId }>(
      `INSERT INTO account (id, name, created_at) SELECT gen_random_uuid(), 'crowd', now() FROM generate_series(1, 1100)
       RETURNING id`,
    )
    const seen = JSON.stringify({ available: false, price: '$1.00', checked_at: new Date(at.clock.at).toISOString() })
    await world.owner.query(
      `INSERT INTO favorite (account_id, id, key_id, domain, name, watch, created_at, saved, current)
       SELECT id, gen_random_uuid(), id, 'crowd.com', 'crowd', true, now(), $2, $2 FROM unnest($1::uuid[]) AS a (id)`,
      [rows.map(({ id }) => id), seen],
    )
    at.names.quotes.set('crowd.com', 1_000)
    expect(await checkDue()).toMatchObject({ notified: 1_100 })
    expect(await checkDue()).toMatchObject({ notified: 0 })
    const notified = `SELECT count(*)::int AS events, count(DISTINCT account_id)::int AS accounts FROM event
      WHERE data ->> 'domain' = 'crowd.com'`
    expect((await world.owner.query(notified)).rows).toEqual([{ events: 1_100, accounts: 1_100 }])
  })
})

describe('no change', () => {
  test('what was saved before there was a status gets one, and nobody is told', async () => {
    at.names.zone.add('old.com')
    const id = await at.save(account, 'old.com', { available: false })
    expect(await currentOf(id)).not.toHaveProperty('status')
    expect(await checkDue()).toMatchObject({ checked: 1, notified: 0 })
    expect(await currentOf(id)).toMatchObject({ available: false, status: 'taken' })
    // Known before there was a status, as after an update of the service.
    await world.owner.query('UPDATE watched_domain SET status = NULL')
    await world.owner.query(`UPDATE favorite SET current = current - 'status' WHERE id = $1`, [id])
    expect(await checkDue()).toMatchObject({ checked: 1, notified: 0 })
    expect(await currentOf(id)).toMatchObject({ available: false, status: 'taken' })
    expect(await typesOf()).toEqual([])
    at.names.zone.clear()
    at.names.quotes.set('old.com', 1_000)
    await checkDue()
    const [event] = await at.eventsOf(account)
    expect(event?.data).toMatchObject({ before: { status: 'taken' }, after: { status: 'available' } })
  })

  test('nobody answers: nothing changes, and the pause doubles', async () => {
    at.names.zone.add('quiet.com')
    const id = await at.save(account, 'quiet.com', { available: false })
    await checkDue()
    const before = await currentOf(id)
    at.names.zone.delete('quiet.com')
    at.names.silent.add('quiet.com')
    const pauses: number[] = []
    for (let tries = 0; tries < 3; tries++) {
      expect(await checkDue()).toMatchObject({ checked: 0, unknown: 1, notified: 0 })
      const { rows } = await world.owner.query<{ next_at: Date }>('SELECT next_at FROM watched_domain')
      pauses.push((rows[0]?.next_at.getTime() ?? 0) - at.clock.at)
    }
    expect(await currentOf(id)).toEqual(before)
    expect((pauses[1] ?? 0) / (pauses[0] ?? 1)).toBeCloseTo(2, 3)
    expect((pauses[2] ?? 0) / (pauses[1] ?? 1)).toBeCloseTo(2, 3)
  })

  test('gone from DNS and still in the registry is taken; while the registry has no room it stays due', async () => {
    at.names.zone.add('held.com')
    at.names.registry.add('held.com')
    await at.save(account, 'held.com', { available: false })
    await checkDue()
    at.names.zone.delete('held.com')
    await checkDue()
    at.names.crowded.add('held.com')
    expect(await checkDue()).toEqual({ checked: 0, changed: 0, unknown: 0, notified: 0 })
    const due = await world.owner.query('SELECT waits, failures, next_at = $1 AS due FROM watched_domain', [
      new Date(at.clock.at),
    ])
    expect(due.rows).toEqual([{ waits: true, failures: 0, due: true }])
    at.names.crowded.clear()
    expect(await watchFavorites(at.ctx, never)).toMatchObject({ checked: 1 })
    expect(await typesOf()).toEqual([])
  })

  test('a seller who is away for a day does not change the price to that of the list, nor does another one', async () => {
    at.names.quotes.set('steady.com', 4_000)
    const id = await at.save(account, 'steady.com', { available: true, price: '$40.00' })
    await checkDue()
    at.names.quotes.delete('steady.com')
    for (let day = 0; day < 5; day++) {
      at.clock.at += DAY_MS
      await checkDue()
    }
    expect(await typesOf()).toEqual([])
    expect(await currentOf(id)).toMatchObject({ price: '$40.00' })
    at.clock.at += 3 * DAY_MS
    await checkDue()
    expect(await typesOf()).toEqual(['favorite.price_changed'])
    expect(await currentOf(id)).toMatchObject({ price: at.listPrice('com') })
  })

  test('only the time of the last look moves, and that is one write for all who watch', async () => {
    const other = await world.makeAccount()
    at.names.zone.add('still.com')
    const ids = [
      await at.save(account, 'still.com', { available: false }),
      await at.save(other, 'still.com', { available: false }),
    ]
    await checkDue()
    const versions = async () => (await world.owner.query('SELECT id, xmin::text FROM favorite ORDER BY id')).rows
    const before = await versions()
    await checkDue()
    expect(await versions()).toEqual(before)
    for (const [n, one] of [account, other].entries()) {
      expect(await currentOf(ids[n] ?? '', one)).toMatchObject({ checked_at: new Date(at.clock.at).toISOString() })
    }
  })
})

describe('who is told', () => {
  test('who stops watching hears nothing more, and a domain that nobody watches is forgotten', async () => {
    const other = await world.makeAccount()
    at.names.zone.add('left.com')
    const id = await at.save(account, 'left.com', { available: false })
    await at.save(other, 'left.com', { available: false })
    await checkDue()
    await run(updateFavorite(id, { watch: false }))
    at.names.zone.clear()
    at.names.quotes.set('left.com', 1_000)
    await checkDue()
    expect(await typesOf()).toEqual([])
    expect(await typesOf(other)).toEqual(['favorite.available'])
    expect(await currentOf(id)).toMatchObject({ available: false })
    await run(updateFavorite(id, { watch: true }))
    // Due at once, and it is news to the one who comes back only.
    expect(await watchFavorites({ ...at.ctx, now: () => Date.now() + DAY_MS }, never)).toMatchObject({ notified: 1 })
    expect(await typesOf()).toEqual(['favorite.available'])
    expect(await typesOf(other)).toEqual(['favorite.available'])
    await world.db.as(other, forgetFavorites(other))
    await run(deleteFavorite(id))
    expect((await world.owner.query('SELECT domain FROM watched_domain')).rows).toEqual([])
    expect((await world.owner.query('SELECT domain FROM watcher')).rows).toEqual([])
  })

  test('a suspended account is told nothing, and what has changed meanwhile once it is resumed', async () => {
    const other = await world.makeAccount()
    const changed = (to: 'suspend' | 'resume') => {
      const { watch } = at.ctx
      const accounts = openAccounts({ db: world.db, now: at.ctx.now })
      return to === 'suspend'
        ? accounts.suspend(account, null, [watch.pausing(account)])
        : accounts.resume(account, watch.resuming(account))
    }
    for (const domain of ['both.com', 'alone.com', 'back.com']) {
      at.names.zone.add(domain)
      await at.save(account, domain, { available: false })
    }
    await at.save(other, 'both.com', { available: false })
    await checkDue()
    const { checked_at: seenAt } = await currentOf(await idOf('both.com'))
    await changed('suspend')

    for (const domain of ['both.com', 'alone.com', 'back.com']) {
      at.names.zone.delete(domain)
      at.names.quotes.set(domain, 1_000)
    }
    expect(await checkDue()).toMatchObject({ notified: 1 })
    expect(at.names.asked).toEqual(['both.com'])
    expect([await typesOf(), await typesOf(other)]).toEqual([[], ['favorite.available']])
    // The check of the other account is not the date of what this one knows.
    const known = await currentOf(await idOf('both.com'))
    expect(known.available).toBe(false)
    expect(known.checked_at <= seenAt).toBe(true)
    // Put off, and not due again in the same minute.
    expect(await watchFavorites(at.ctx, never)).toMatchObject({ checked: 0 })

    at.names.zone.add('back.com')
    at.clock.at += 60_000
    await changed('resume')
    expect(await watchFavorites(at.ctx, never)).toMatchObject({ checked: 3, notified: 2 })
    const notified = (await at.eventsOf(account)).map(({ type, data }) => `${type} ${String(data['domain'])}`)
    expect(notified.toSorted()).toEqual(['favorite.available alone.com', 'favorite.available both.com'])
    expect(await typesOf(other)).toEqual(['favorite.available'])
  })

  test('domains of a suspended account do not keep those behind them from being checked', async () => {
    at.names.zone.add('behind.com')
    const text = `INSERT INTO favorite (account_id, id, key_id, domain, name, watch, created_at, saved, current)
      SELECT $1, gen_random_uuid(), $1, d, d, true, now(), '{}', '{}' FROM unnest($2::text[]) d`
    await world.owner.query(text, [account, Array.from({ length: 450 }, (_, n) => `a-${n}.com`)])
    await openAccounts({ db: world.db, now: at.ctx.now }).suspend(account, null, [at.ctx.watch.pausing(account)])
    await at.save(await world.makeAccount(), 'behind.com', { available: false })
    await checkDue()
    expect(at.names.asked).toEqual(['behind.com'])
  })

  test('who begins to watch during a look is compared by one that begins after', async () => {
    at.names.zone.add('late.com')
    await at.save(account, 'late.com', { available: false })
    at.clock.at += 3_600_000
    await at.makeDue()
    const claim = await at.ctx.watch.claim('com')
    const [facts] = claim.domains
    if (!facts) throw new Error('nothing was claimed')
    const other = await world.makeAccount()
    await at.save(other, 'late.com', { available: true })
    const seen = {
      kind: 'seen',
      at: at.clock.at,
      available: false,
      status: 'taken',
      isLikely: false,
      sources: ['dns'],
    } as const
    const learned = learn(
      facts,
      { ...seen, price: '$1.00', pricedBy: 'list', asked: '100 USD', registeredUntil: undefined },
      { now: at.clock.at, hasSellers: false },
    )
    await at.ctx.watch.settle(claim, [learned])
    at.clock.at = Date.now() + DAY_MS
    expect(await watchFavorites(at.ctx, never)).toMatchObject({ checked: 1, notified: 1 })
    expect(await typesOf(other)).toEqual(['favorite.taken'])
  })

  test('a worker that wakes up after its claim has passed to another tells nothing', async () => {
    at.names.zone.add('slow.com')
    await at.save(account, 'slow.com', { available: false })
    await checkDue()
    at.clock.at += 3_600_000
    await at.makeDue()
    const claim = await at.ctx.watch.claim('com')
    const [facts] = claim.domains
    if (!facts) throw new Error('nothing was claimed')
    const late = learn(
      facts,
      {
        kind: 'seen',
        at: at.clock.at,
        available: true,
        status: 'available',
        isLikely: false,
        sources: ['rdap'],
        price: '$9.00',
        pricedBy: 'vercel',
        asked: '900 USD',
        registeredUntil: undefined,
      },
      { now: at.clock.at, hasSellers: true },
    )
    // While it is claimed nobody else gets it.
    expect((await at.ctx.watch.claim('com')).domains).toEqual([])
    at.clock.at += LEASE_MS
    expect(await watchFavorites(at.ctx, never)).toMatchObject({ checked: 1, notified: 0 })
    const [, notified] = await world.db.as(account, at.ctx.watch.notifying(account, claim, [late]))
    await at.ctx.watch.settle(claim, [late])
    expect(notified.rows).toEqual([])
    expect(await typesOf()).toEqual([])
    expect((await world.owner.query('SELECT available FROM watched_domain')).rows).toEqual([{ available: false }])
  })

  test('a look that is cut off between telling and settling is repeated without telling again', async () => {
    at.names.zone.add('cut.com')
    await at.save(account, 'cut.com', { available: false })
    await checkDue()
    at.names.zone.clear()
    at.names.quotes.set('cut.com', 1_000)
    at.clock.at += 3_600_000
    await at.makeDue()
    const settle = () => Promise.reject(new Error('the power went'))
    await expect(watchFavorites({ ...at.ctx, watch: { ...at.ctx.watch, settle } }, never)).rejects.toThrow('power')
    at.clock.at += LEASE_MS
    expect(await watchFavorites(at.ctx, never)).toMatchObject({ checked: 1, notified: 0 })
    expect(await typesOf()).toEqual(['favorite.available'])
  })
})

describe('emails about changes', () => {
  /** A member who wants them, or not; `outcome` is what the mail server says from now on. */
  async function addMember(wants: boolean) {
    const member: Member = { accountId: account, userId: makeId(at.clock.at) as UserId }
    const emails = openChangeEmails({ db: world.db, now: at.ctx.now })
    const add = `INSERT INTO member (account_id, user_id, role, created_at) VALUES ($1, $2, 'viewer', now())`
    await world.owner.query(add, [account, member.userId])
    if (wants) await world.db.as(account, emails.switching(member, true))
    return { member, emails }
  }
  const sent: Email[] = []
  const server: { outcome: 'sent' | 'refused' | 'refused_for_now' } = { outcome: 'sent' }
  beforeEach(() => {
    sent.splice(0)
    server.outcome = 'sent'
  })
  function mailContext() {
    return {
      changeEmails: openChangeEmails({ db: world.db, now: at.ctx.now }),
      accounts: openAccounts({ db: world.db, now: at.ctx.now }),
      people: { find: async (userId: UserId) => ({ name: 'Ada', email: `${userId}@example.com`, language: 'de' }) },
      mail: {
        isOn: true,
        async deliver(email: Email) {
          sent.push(email)
          return server.outcome
        },
      },
      publicUrl: 'https://names.example',
    }
  }
  async function sendDue(): Promise<readonly Email[]> {
    const already = sent.length
    await sendChangeEmails(mailContext(), never)
    return sent.slice(already)
  }

  test('a free domain is told at once and with its price, to those who asked, and once', async () => {
    const { member } = await addMember(true)
    await addMember(false)
    at.names.zone.add('drops.com')
    await at.save(account, 'drops.com', { available: false })
    await checkDue()
    expect(await sendDue()).toEqual([])
    at.names.zone.clear()
    at.names.quotes.set('drops.com', 1_234)
    await checkDue()
    expect(await sendDue()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        kind: 'watched_available',
        to: `${member.userId}@example.com`,
        language: 'de',
        url: 'https://names.example/favorites',
        params: { name: 'Ada', account: 'test', domain: 'drops.com' },
        changes: [expect.objectContaining({ domain: 'drops.com', kind: 'available', price: '$12.34' })],
      },
    ])
    expect(await sendDue()).toEqual([])
  })

  test('are sent although nothing can be checked, and both failures are reported', async () => {
    const { member } = await addMember(true)
    at.names.zone.add('drops.com')
    await at.save(account, 'drops.com', { available: false })
    await checkDue()
    at.names.zone.clear()
    at.names.quotes.set('drops.com', 1_234)
    await checkDue()
    const warned: unknown[] = []
    const log = { info: () => {}, warn: ({ err }: { err: Error }) => warned.push(err.message) }
    const failing = { ...at.ctx.watch, listDue: () => Promise.reject(new Error('no list of what is due')) }
    const context = { ...at.ctx, ...mailContext(), log, watch: failing }
    await expect(runJob(context)).rejects.toThrow('no list of what is due')
    expect(sent.map(({ to }) => to)).toEqual([`${member.userId}@example.com`])
    expect(warned).toEqual([])

    const changeEmails = { ...context.changeEmails, listDue: () => Promise.reject(new Error('no list of emails')) }
    await expect(runJob({ ...context, changeEmails })).rejects.toThrow('no list of what is due')
    expect(warned).toEqual(['no list of emails'])
    await expect(runJob({ ...context, changeEmails, watch: at.ctx.watch })).rejects.toThrow('no list of emails')
  })

  test('everything else waits for the next morning, and comes in one email with the last state of each domain', async () => {
    await addMember(true)
    await at.save(account, 'gone.com', { available: true })
    await at.save(account, 'dear.com', { available: true, price: '$10.00' })
    at.names.zone.add('gone.com')
    at.names.quotes.set('dear.com', 2_000)
    await checkDue()
    at.names.quotes.set('dear.com', 3_000)
    await checkDue()
    expect(await sendDue()).toEqual([])
    const midnight = Math.ceil(at.clock.at / DAY_MS) * DAY_MS
    at.clock.at = midnight + 7 * 3_600_000
    const [email, ...others] = await sendDue()
    expect(others).toEqual([])
    expect(email?.kind).toBe('watched_changed')
    const lines = email?.changes?.map(({ domain, kind, price }) => [domain, kind, price]).toSorted()
    expect(lines).toEqual([
      ['dear.com', 'price_changed', '$30.00'],
      ['gone.com', 'taken', at.listPrice('com')],
    ])
  })

  test('one that is refused for now is the same one ten minutes later, one that is refused for good is given up', async () => {
    const { member, emails } = await addMember(true)
    at.names.zone.add('drops.com')
    await at.save(account, 'drops.com', { available: false })
    await checkDue()
    at.names.zone.clear()
    at.names.quotes.set('drops.com', 1_234)
    await checkDue()
    server.outcome = 'refused_for_now'
    const [first] = await sendDue()
    expect(first).toBeDefined()
    expect(await sendDue()).toEqual([])
    at.clock.at += 10 * 60_000
    server.outcome = 'refused'
    expect(await sendDue()).toEqual([first])
    at.clock.at += 10 * 60_000
    expect(await sendDue()).toEqual([])
    expect(await emails.listDue()).toEqual([])
    expect(await emails.isOn(member)).toBe(true)
  })

  test('who switches them off, or leaves, gets none of those that wait', async () => {
    const [one, other] = [await addMember(true), await addMember(true)]
    at.names.zone.add('gone.com')
    await at.save(account, 'gone.com', { available: true })
    await checkDue()
    await world.db.as(account, one.emails.switching(one.member, false))
    const leave = 'DELETE FROM member WHERE account_id = $1 AND user_id = $2'
    await world.db.as(account, [sql('leave', leave, [account, other.member.userId])])
    at.clock.at += 2 * DAY_MS
    expect(await sendDue()).toEqual([])
    expect((await world.owner.query('SELECT FROM change_email')).rows).toEqual([])
  })

  test('one that nobody could deliver for three days is forgotten', async () => {
    const { emails } = await addMember(true)
    at.names.zone.add('gone.com')
    await at.save(account, 'gone.com', { available: true })
    await checkDue()
    const expire = async () => (await world.db.as(account, [emails.expiring(account, 10)]))[0].count
    expect(await expire()).toBe(0)
    at.clock.at += 3 * DAY_MS + 1
    expect(await expire()).toBe(1)
  })
})

test('the end of a registration is asked for once, and again when it is near', async () => {
  const end = at.clock.at + 100 * DAY_MS
  at.names.zone.add('dated.com')
  at.names.ends.set('dated.com', end)
  await at.save(account, 'dated.com', { available: false })
  await checkDue()
  const known = async () =>
    (
      await world.owner.query<{ until: Date; next: Date }>(
        'SELECT registered_until AS until, next_at AS next FROM watched_domain',
      )
    ).rows[0]
  expect((await known())?.until.getTime()).toBe(end)
  expect(((await known())?.next.getTime() ?? 0) - at.clock.at).toBeGreaterThan(6 * DAY_MS)
  at.clock.at = end - DAY_MS
  // Renewed meanwhile, which only the registry knows.
  at.names.ends.set('dated.com', end + 365 * DAY_MS)
  await checkDue()
  expect((await known())?.until.getTime()).toBe(end + 365 * DAY_MS)
})

describe('the tables', () => {
  test('an account that is deleted leaves nothing of what it watched', async () => {
    const id = await at.save(account, 'mine-alone.com', { available: true })
    at.names.zone.add('mine-alone.com')
    await checkDue()
    expect(await run(changesOf(id, { limit: 10 }))).toHaveLength(1)
    await world.db.as(account, [sql('account_delete', 'DELETE FROM account WHERE id = $1', [account])])
    for (const table of ['watcher', 'favorite_change', 'event', 'favorite']) {
      const { rows } = await world.owner.query(`SELECT FROM ${table} WHERE account_id = $1`, [account])
      expect(rows, table).toEqual([])
    }
    expect((await world.owner.query('SELECT FROM watched_domain')).rows).toEqual([])
  })

  test('who watches may be found by anyone, but only its own account can write that', async () => {
    const other = await world.makeAccount()
    await at.save(other, 'theirs.com', { available: true })
    const found = sql('find', `SELECT account_id FROM watcher WHERE domain = 'theirs.com'`, [])
    expect((await world.db.lookup(found)).rows).toEqual([{ account_id: other }])
    const end = sql('end', `DELETE FROM watcher WHERE domain = 'theirs.com'`, [])
    expect((await world.db.as(account, [end]))[0].count).toBe(0)
    const plant = sql('plant', `INSERT INTO watcher VALUES ('theirs.com', $1, $1)`, [other])
    await expect(world.db.as(account, [plant])).rejects.toMatchObject({ code: '42501' })
    // Nor does a notification for one account reach the favorite of another.
    at.clock.at += 3_600_000
    await at.makeDue()
    const claim = await at.ctx.watch.claim('com')
    const [facts] = claim.domains
    if (!facts) throw new Error('nothing was claimed')
    const observed = {
      facts: { ...facts, available: false, price: '$1.00', checkedAt: at.clock.at },
      nextAt: 0,
      changes: 'changed' as const,
      isPriceNews: true,
    }
    const [, notified] = await world.db.as(account, at.ctx.watch.notifying(other, claim, [observed]))
    expect(notified.rows).toEqual([])
    expect(await typesOf(other)).toEqual([])
  })
})
