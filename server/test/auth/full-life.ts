/**
 * Somebody who has used everything: two ways to sign in and a second factor, sessions, keys, names asked for and
 * kept, warnings, applications of their own and of others, a team of their own and one they share.
 *
 * Whatever the API can do is done through it; what needs a device or another service is put into the table.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type AccountId, SCOPES, type UserId } from '../source.ts'
import type { PeopleWorld, SignedIn } from '../people-world.ts'

export interface Life {
  readonly person: SignedIn
  /** Owner of the team that they share. */
  readonly friend: SignedIn
  readonly sharedTeam: AccountId
  /** A key of the shared team that the person made. */
  readonly sharedKey: string
  /** A key of the person's own account. */
  readonly ownKey: string
  /** Texts of which none may be found anywhere when the person is gone. */
  readonly marks: readonly string[]
  /** The same, where only counters of keys are kept. */
  readonly keyIds: readonly string[]
}

const QUOTA = { perMinute: 600, burst: 100, perDay: 40, perMonth: 1_000 }

export async function liveFully(at: PeopleWorld): Promise<Life> {
  const word = `zq${randomBytes(6).toString('hex')}`
  const { owner, keys } = at.world
  const person = await at.signUp(`Name ${word}`)
  await at.signIn(person.email, person.password)
  const { userId } = person
  const own = userId as AccountId

  const ask = async (path: string, body?: object, headers: Record<string, string> = {}, method?: string) => {
    const reply = await person.ask(path, { ...(body ? { body } : {}), headers, ...(method ? { method } : {}) })
    expect(reply.status, `${path} ${reply.text}`).toBeLessThan(300)
    return reply.json?.data
  }

  const aloneTeam = (await ask('/settings/accounts', { name: `Alone ${word}` })).account.id as AccountId
  await ask(`/settings/accounts/${aloneTeam}/invitations`, { email: `${word}-guest@people.example`, role: 'viewer' })
  await ask(`/settings/accounts/${own}`, { history_days: 400 }, {}, 'PATCH')

  const spec = { scopes: SCOPES, quota: QUOTA, allowedIps: [], createdBy: userId }
  const ownKey = await keys.create(own, { ...spec, name: `Key ${word}` })
  const aloneKey = await keys.create(aloneTeam, { ...spec, name: `Key ${word}` })
  for (const { secret } of [ownKey, aloneKey]) {
    const authorization = `Bearer ${secret}`
    const once = { authorization, 'idempotency-key': `once-${word}` }
    const webhook = { url: `https://hooks.example.com/${word}`, events: ['quota.warning'], description: word }
    await ask('/v1/webhooks', webhook, { authorization, 'idempotency-key': `hook-${word}` })
    // The word stands where no name is made of it.
    const options = { exclude_words: [word] }
    const wish = { description: 'a bakery for bread and cake', count: 20, deadline_ms: 30_000, ...options }
    await ask('/v1/generate', wish, once)
    const requests = [
      { description: 'a bakery', count: 1, ...options },
      { description: 'a', count: 1, tlds: [word] },
    ]
    await ask('/v1/batches', { requests }, { authorization, 'idempotency-key': `batch-${word}` })
    const favorite = { domain: 'freshloaf.com', note: `Note ${word}`, tags: [`tag-${word}`], watch: true }
    await ask('/v1/favorites', favorite, { authorization, 'idempotency-key': `fav-${word}` })
  }

  // As a check of a watched domain would.
  await owner.query(
    `INSERT INTO favorite_change SELECT account_id, id, gen_random_uuid(), now(), 'taken', saved, current FROM favorite
     WHERE account_id = ANY ($1)`,
    [[own, aloneTeam]],
  )

  // And the emails about it, which wait for the next morning.
  await owner.query(
    `INSERT INTO change_email SELECT account_id, $2, favorite_id, id, now() + interval '1 day' FROM favorite_change
     WHERE account_id = ANY ($1)`,
    [[own, aloneTeam], userId],
  )

  await shareFavorites(at, [own, aloneTeam], { userId, word })

  const marked = { person, own, word }
  const clients = await registerClients(at, marked)
  for (const client of clients) await keys.grant(own, { ...spec, clientId: client, name: `App ${word}` })
  await insertDevices(at, marked)
  const { friend, sharedTeam, sharedKey } = await shareTeam(at, marked, clients[0] ?? '')
  await person.ask('/auth/request-password-reset', { body: { email: person.email, redirectTo: '/reset-password' } })
  // Half of the budget is used, so the account gets a warning, a little later.
  await expect
    .poll(async () => (await owner.query('SELECT id FROM event WHERE account_id = $1', [own])).rowCount)
    .toBeGreaterThan(0)
  await at.smtp.waitFor(person.email, 3)

  return {
    person,
    friend,
    sharedTeam,
    sharedKey,
    ownKey: ownKey.secret,
    marks: [word, userId, person.email, person.address, aloneTeam, ...clients],
    keyIds: [ownKey.id, aloneKey.id],
  }
}

/** A share of each account's favorite, with what visitors of its page and old secrets leave behind. */
async function shareFavorites(
  { world: { owner } }: PeopleWorld,
  accounts: readonly AccountId[],
  { userId, word }: { userId: string; word: string },
): Promise<void> {
  const each = 'favorite WHERE account_id = ANY ($1)'
  await owner.query(`INSERT INTO share SELECT account_id, id, $2, now(), now(), $3, true FROM ${each}`, [
    accounts,
    word,
    userId,
  ])
  for (const text of [
    `INSERT INTO share_item SELECT account_id, id, id, 1, id, name, domain, $2, saved FROM ${each}`,
    `INSERT INTO share_vote SELECT account_id, id, id, '', true, $2, now() FROM ${each}`,
    `INSERT INTO share_link SELECT decode(md5(id::text), 'hex'), account_id, id FROM share WHERE account_id = ANY ($1) AND $2 <> ''`,
    `INSERT INTO stream_charge SELECT unnest($1::uuid[]), $2, now(), ARRAY[$2]`,
    `INSERT INTO application_rule SELECT unnest($1::uuid[]), $2, $2, 'blocked', now()`,
    `INSERT INTO key_traffic SELECT account_id, id, '2026-11-15', $2, 3, 1 FROM api_key WHERE account_id = ANY ($1)`,
    `INSERT INTO retiring_use SELECT account_id, id, prefix, '192.0.2.1', $2, 3, now() FROM api_key
     WHERE account_id = ANY ($1)`,
    `INSERT INTO key_review SELECT account_id, id, now() FROM api_key WHERE account_id = ANY ($1) AND $2 <> ''`,
  ]) {
    await owner.query(text, [accounts, word])
  }
}

interface Marked {
  readonly person: SignedIn
  readonly own: AccountId
  readonly word: string
}

/** One of the account's own, and one that registered itself while the person was signed in. Both have tokens. */
async function registerClients(at: PeopleWorld, { person, own, word }: Marked): Promise<readonly string[]> {
  const { owner } = at.world
  const mine = randomUUID()
  await owner.query(
    `INSERT INTO people.oauth_client (id, client_id, name, redirect_uris, client_secret, reference_id, created_at)
     VALUES ($1, $1, $2, '["https://app.example/callback"]', 'sealed', $3, now())`,
    [mine, `Client ${word}`, own],
  )
  const registration = {
    client_name: `Agent ${word}`,
    redirect_uris: ['https://agent.example/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  }
  const registered = await person.ask('/auth/oauth2/register', { body: registration })
  expect(registered.status, registered.text).toBeLessThan(300)
  const clients = [mine, String(registered.json.client_id)]
  for (const client of clients) await insertTokens(at, { client, userId: person.userId, account: own })
  // And one without a person: the application acting for itself.
  await owner.query(
    `INSERT INTO people.oauth_access_token (id, token, client_id, expires_at, created_at, scopes)
     VALUES ($1, $1, $2, now() + interval '1 hour', now(), '["generate"]')`,
    [randomUUID(), mine],
  )
  return clients
}

async function insertTokens(at: PeopleWorld, grant: { client: string; userId: string; account: string }) {
  const values = [grant.client, grant.userId, grant.account]
  const { owner } = at.world
  await owner.query(
    `INSERT INTO people.oauth_consent (id, client_id, user_id, reference_id, scopes, created_at, updated_at)
     VALUES (gen_random_uuid(), $1, $2, $3, '["generate"]', now(), now())`,
    values,
  )
  for (const table of ['oauth_access_token', 'oauth_refresh_token']) {
    await owner.query(
      `INSERT INTO people.${table} (id, token, client_id, user_id, reference_id, expires_at, created_at, scopes)
       VALUES (gen_random_uuid(), gen_random_uuid(), $1, $2, $3, now() + interval '1 hour', now(), '["generate"]')`,
      values,
    )
  }
}

async function insertDevices(at: PeopleWorld, { person, word }: Marked): Promise<void> {
  const { owner } = at.world
  await owner.query(
    `INSERT INTO people.passkey (id, name, public_key, user_id, credential_id, counter, device_type, backed_up, transports, created_at)
     VALUES ($1, $2, 'key', $3, $4, 7, 'singleDevice', false, 'internal', now())`,
    [randomUUID(), `Phone ${word}`, person.userId, `credential-${word}`],
  )
  await owner.query(
    `INSERT INTO people.two_factor (id, secret, backup_codes, user_id, verified) VALUES ($1, 'sealed', 'sealed', $2, true)`,
    [randomUUID(), person.userId],
  )
  await owner.query(
    `INSERT INTO people.login (id, account_id, provider_id, user_id, access_token, scope, updated_at)
     VALUES ($1, $2, 'github', $3, 'sealed', 'read:user', now())`,
    [randomUUID(), `github-${word}`, person.userId],
  )
}

/** A friend's team: the person joins as an admin, does this and that, and lets an application in. */
async function shareTeam(at: PeopleWorld, { person }: Marked, client: string) {
  const friend = await at.signUp('Frida Friend')
  const created = await friend.ask('/settings/accounts', { body: { name: 'Shared team' } })
  const sharedTeam = created.json.data.account.id as AccountId
  const path = `/settings/accounts/${sharedTeam}`
  await friend.ask(`${path}/invitations`, { body: { email: person.email, role: 'member' } })
  const { link } = await at.smtp.waitFor(person.email, 2)
  const token = new URL(link).searchParams.get('token')
  const joined = await person.ask('/settings/invitations/accept', { body: { token } })
  expect(joined.status, joined.text).toBe(200)
  await friend.ask(`${path}/members/${person.userId}`, { method: 'PATCH', body: { role: 'admin' } })
  await person.ask(path, { method: 'PATCH', body: { language: 'de' } })
  await person.ask(`${path}/invitations`, { body: { email: 'guest@people.example', role: 'viewer' } })
  const spec = { name: 'Team key', scopes: SCOPES, quota: QUOTA, allowedIps: [], createdBy: person.userId }
  const { secret } = await at.world.keys.create({ accountId: sharedTeam, userId: person.userId as UserId }, spec)
  const authorization = `Bearer ${secret}`
  const body = { description: 'a shop for garden tools', count: 2 }
  const asked = await friend.ask('/v1/generate', { body, headers: { authorization } })
  expect(asked.status, asked.text).toBe(200)
  await insertTokens(at, { client, userId: person.userId, account: sharedTeam })
  return { friend, sharedTeam, sharedKey: secret }
}
