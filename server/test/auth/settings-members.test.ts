/** Who is in an account, and how somebody gets in: roles, invitations, and what a link is good for. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Context, type ErrorCode, joinAsNewMember, openContext, openLog, type Role } from '../source.ts'
import { readConfig } from '../read-config.ts'
import { PASSWORD, type PeopleWorld, type Reply, type SignedIn } from '../people-world.ts'
import { startApp } from '../start-app.ts'

let at: PeopleWorld
let ctx: Context
beforeAll(async () => {
  at = await startApp({ people: true })
  ctx = await openContext(readConfig({ ...at.world.env }), openLog('silent'))
})
afterAll(async () => {
  await ctx[Symbol.asyncDispose]()
  await at[Symbol.asyncDispose]()
})

function expectRefusal(reply: Reply, status: number, code: ErrorCode): void {
  expect({ status: reply.status, code: reply.json?.error?.code }, reply.text).toEqual({ status, code })
  expect(reply.text, 'every placeholder is filled in').not.toMatch(/\{[a-z]+\}/)
}

/** A team with its owner, and the path of its settings. */
async function makeTeam(name = 'Team') {
  const owner = await at.signUp('Olga Owner')
  const reply = await owner.ask('/settings/accounts', { body: { name } })
  const id = String(reply.json.data.account.id)
  return { owner, id, path: `/settings/accounts/${id}` }
}
type Team = Awaited<ReturnType<typeof makeTeam>>

async function join({ owner, path }: Team, role: Role, name: string = role): Promise<SignedIn> {
  const person = await at.signUp(name)
  const token = await invite(owner, path, person.email, role)
  const reply = await person.ask('/settings/invitations/accept', { body: { token } })
  expect(reply.status, reply.text).toBe(200)
  return person
}

async function invite(admin: SignedIn, path: string, email: string, role: Role, n = 2): Promise<string> {
  const reply = await admin.ask(`${path}/invitations`, { body: { email, role } })
  expect(reply.status, reply.text).toBe(201)
  // The first email to somebody who signed up was to confirm the address.
  const { link } = await at.smtp.waitFor(email.toLowerCase(), n)
  return new URL(link).searchParams.get('token') ?? ''
}

const rolesIn = async ({ owner, path }: Team) => {
  const { members } = (await owner.ask(`${path}/members`)).json.data
  return Object.fromEntries(members.map(({ id, role }: { id: string; role: Role }) => [id, role]))
}

const notesIn = async (account: string, action: string) => {
  const text = 'SELECT actor, ip, detail FROM security_event WHERE account_id = $1 AND action = $2 ORDER BY id'
  return (await at.world.owner.query(text, [account, action])).rows
}

describe('members', () => {
  test('are seen by everybody in the account, with name and address', async () => {
    const team = await makeTeam()
    const viewer = await join(team, 'viewer', 'Vera')
    const { members } = (await viewer.ask(`${team.path}/members`)).json.data
    const joined_at = expect.any(String)
    expect(members).toEqual([
      { id: team.owner.userId, name: 'Olga Owner', email: team.owner.email, role: 'owner', joined_at },
      { id: viewer.userId, name: 'Vera', email: viewer.email, role: 'viewer', joined_at },
    ])
  })

  test('are given roles by an admin, but ownership only by an owner', async () => {
    const team = await makeTeam()
    const [admin, member] = [await join(team, 'admin'), await join(team, 'member')]
    const change = (by: SignedIn, whom: SignedIn, role: string) =>
      by.ask(`${team.path}/members/${whom.userId}`, { method: 'PATCH', body: { role } })
    expect((await change(admin, member, 'admin')).status).toBe(200)
    expectRefusal(await change(admin, member, 'owner'), 403, 'insufficient_role')
    expectRefusal(await change(admin, admin, 'owner'), 403, 'insufficient_role')
    expectRefusal(await change(admin, team.owner, 'viewer'), 403, 'insufficient_role')
    expectRefusal(await change(team.owner, member, 'king'), 400, 'invalid_request')
    expect((await change(team.owner, member, 'owner')).status).toBe(200)
    expect(await rolesIn(team)).toMatchObject({ [member.userId]: 'owner', [admin.userId]: 'admin' })
    expect(await notesIn(team.id, 'member_role_changed')).toEqual([
      { actor: admin.userId, ip: admin.address, detail: { user_id: member.userId, role: 'admin' } },
      { actor: team.owner.userId, ip: team.owner.address, detail: { user_id: member.userId, role: 'owner' } },
    ])
  })

  test('may go, but not the last owner', async () => {
    const team = await makeTeam()
    const viewer = await join(team, 'viewer')
    const remove = (by: SignedIn, whom: SignedIn) => by.ask(`${team.path}/members/${whom.userId}`, { method: 'DELETE' })
    expectRefusal(await remove(team.owner, team.owner), 409, 'last_owner')
    expect((await remove(viewer, viewer)).status).toBe(200)
    expectRefusal(await viewer.ask(team.path), 404, 'not_found')
    expectRefusal(await remove(team.owner, viewer), 404, 'not_found')
    expect(await notesIn(team.id, 'member_removed')).toEqual([
      { actor: viewer.userId, ip: viewer.address, detail: { user_id: viewer.userId } },
    ])
  })

  test('who are removed can do nothing from then on, and neither can what they let in', async () => {
    const team = await makeTeam()
    const member = await join(team, 'member')
    const client = randomUUID()
    await at.world.owner.query(`INSERT INTO people.oauth_client (id, client_id, redirect_uris) VALUES ($1, $1, '[]')`, [
      client,
    ])
    for (const account of [team.id, member.userId]) {
      await at.world.owner.query(
        `INSERT INTO people.oauth_access_token (id, token, client_id, user_id, reference_id, expires_at, created_at, scopes)
         VALUES ($1, $1, $2, $3, $4, now() + interval '1 hour', now(), '[]')`,
        [randomUUID(), client, member.userId, account],
      )
    }
    const path = `${team.path}/members/${member.userId}`
    expect((await team.owner.ask(path, { method: 'DELETE' })).status).toBe(200)
    expectRefusal(await member.ask(team.path), 404, 'not_found')
    expectRefusal(await member.ask(`${team.path}/members`), 404, 'not_found')
    const left = await at.world.owner.query('SELECT reference_id FROM people.oauth_access_token WHERE client_id = $1', [
      client,
    ])
    expect(left.rows, 'what they let in elsewhere goes on').toEqual([{ reference_id: member.userId }])
  })

  test('of one’s own account cannot be changed', async () => {
    const ada = await at.signUp()
    const path = `/settings/accounts/${ada.userId}`
    const self = `${path}/members/${ada.userId}`
    expectRefusal(await ada.ask(self, { method: 'DELETE' }), 409, 'own_account')
    expectRefusal(await ada.ask(self, { method: 'PATCH', body: { role: 'viewer' } }), 409, 'own_account')
    const body = { email: 'friend@people.example', role: 'viewer' }
    expectRefusal(await ada.ask(`${path}/invitations`, { body }), 409, 'own_account')
  })
})

describe('an invitation', () => {
  test('is a letter that names who invites and where, and its link works once', async () => {
    const team = await makeTeam('Die Namensgeber')
    const ben = await at.signUp('Ben')
    const reply = await team.owner.ask(`${team.path}/invitations`, { body: { email: ben.email, role: 'member' } })
    expect(reply.json.data.invitation).toEqual({
      id: expect.any(String),
      email: ben.email,
      role: 'member',
      expires_at: expect.any(String),
    })
    const message = await at.smtp.waitFor(ben.email, 2)
    expect(message.subject).toContain('Olga Owner')
    expect(message.text).toContain('Die Namensgeber')
    expect(message.link.startsWith(`${at.url}/join?token=`)).toBe(true)
    const token = new URL(message.link).searchParams.get('token')
    const accepted = await ben.ask('/settings/invitations/accept', { body: { token } })
    expect(accepted.json.data.account).toMatchObject({
      id: team.id,
      name: 'Die Namensgeber',
      role: 'member',
      own: false,
    })
    expectRefusal(await ben.ask('/settings/invitations/accept', { body: { token } }), 410, 'invalid_link')
    expect(await notesIn(team.id, 'member_invited')).toEqual([
      { actor: team.owner.userId, ip: team.owner.address, detail: { email: ben.email, role: 'member' } },
    ])
    expect(await notesIn(team.id, 'member_joined')).toEqual([
      { actor: ben.userId, ip: ben.address, detail: { user_id: ben.userId, role: 'member' } },
    ])
  })

  test('is of no use to somebody else who has the link', async () => {
    const team = await makeTeam()
    const [ben, eve] = [await at.signUp(), await at.signUp()]
    const token = await invite(team.owner, team.path, ben.email.toUpperCase(), 'admin')
    for (const body of [{ token }, { token: `${token.slice(0, -2)}AA` }, { token: 'x' }]) {
      expectRefusal(await eve.ask('/settings/invitations/accept', { body }), 410, 'invalid_link')
    }
    expect((await ben.ask('/settings/invitations/accept', { body: { token } })).status).toBe(200)
  })

  test('is listed until it is withdrawn, and then its link is void', async () => {
    const team = await makeTeam()
    const ben = await at.signUp()
    const token = await invite(team.owner, team.path, ben.email, 'viewer')
    const { invitations } = (await team.owner.ask(`${team.path}/invitations`)).json.data
    expect(invitations).toEqual([
      {
        id: expect.any(String),
        email: ben.email,
        role: 'viewer',
        created_at: expect.any(String),
        expires_at: expect.any(String),
        invited_by: { id: team.owner.userId, name: 'Olga Owner' },
      },
    ])
    const path = `${team.path}/invitations/${invitations[0].id}`
    expect((await team.owner.ask(path, { method: 'DELETE' })).status).toBe(200)
    expectRefusal(await team.owner.ask(path, { method: 'DELETE' }), 404, 'not_found')
    expectRefusal(await team.owner.ask(`${team.path}/invitations/x`, { method: 'DELETE' }), 404, 'not_found')
    expectRefusal(await ben.ask('/settings/invitations/accept', { body: { token } }), 410, 'invalid_link')
    expect(await notesIn(team.id, 'invitation_withdrawn')).toHaveLength(1)
  })

  test('is refused for somebody who is there already, for an owner, and for what is no address', async () => {
    const team = await makeTeam()
    const viewer = await join(team, 'viewer')
    const ask = (body: object) => team.owner.ask(`${team.path}/invitations`, { body })
    expectRefusal(await ask({ email: viewer.email.toUpperCase(), role: 'admin' }), 409, 'already_member')
    expectRefusal(await ask({ email: 'x@people.example', role: 'owner' }), 400, 'invalid_request')
    for (const email of ['x', 'x@', 'a b@people.example', '"a b"@people.example', 'x@[127.0.0.1]', 'x@y\r\nBcc: z@y']) {
      expectRefusal(await ask({ email, role: 'viewer' }), 400, 'invalid_request')
    }
  })

  test('can be sent ten times at once', async () => {
    const team = await makeTeam()
    const replies: Reply[] = []
    for (let i = 0; i < 11; i++) {
      const body = { email: `friend-${i}@people.example`, role: 'viewer' }
      replies.push(await team.owner.ask(`${team.path}/invitations`, { body }))
    }
    expect(replies.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(201))
    expectRefusal(replies[10] as Reply, 429, 'rate_limited')
  })
})

describe('somebody new', () => {
  const someone = { name: 'Nora New', password: PASSWORD }

  test('comes in by the link: their address is proved, they have an account of their own and are in the team', async () => {
    const team = await makeTeam()
    const email = `new-${randomUUID()}@people.example`
    const token = await invite(team.owner, team.path, email, 'member', 1)
    const joined = await joinAsNewMember(ctx, token, { ...someone, language: 'fr' })
    expect(joined).toEqual({ kind: 'joined', userId: expect.any(String), account: team.id, email })
    const nora = await at.signIn(email, PASSWORD)
    const { person, accounts } = (await nora.ask('/settings/me')).json.data
    expect(person).toMatchObject({ name: 'Nora New', language: 'fr' })
    expect(accounts).toEqual([
      { id: person.id, name: 'Nora New', role: 'owner', own: true },
      { id: team.id, name: 'Team', role: 'member', own: false },
    ])
    await expect(joinAsNewMember(ctx, token, someone)).rejects.toMatchObject({ code: 'invalid_link' })
  })

  test('with a password that is tried first may choose another', async () => {
    const team = await makeTeam()
    const token = await invite(team.owner, team.path, `new-${randomUUID()}@people.example`, 'member', 1)
    expect(await joinAsNewMember(ctx, token, { ...someone, password: 'password1234' })).toEqual({
      kind: 'weak_password',
    })
    expect(await joinAsNewMember(ctx, token, someone)).toMatchObject({ kind: 'joined' })
  })

  test('who is not new is asked to sign in, and the link is not used up by that', async () => {
    const team = await makeTeam()
    const ben = await at.signUp()
    const token = await invite(team.owner, team.path, ben.email, 'viewer')
    expect(await joinAsNewMember(ctx, token, someone)).toEqual({ kind: 'sign_in_first', email: ben.email })
    expect((await ben.ask('/settings/invitations/accept', { body: { token } })).status).toBe(200)
  })

  test('who sends the form twice is one person', async () => {
    const team = await makeTeam()
    const email = `new-${randomUUID()}@people.example`
    const token = await invite(team.owner, team.path, email, 'viewer', 1)
    // Neither goes on before both have read it.
    const read = Promise.withResolvers<void>()
    let readers = 0
    const findInvitation: typeof ctx.members.findInvitation = async (text) => {
      const invitation = await ctx.members.findInvitation(text)
      if (++readers === 2) read.resolve()
      await read.promise
      return invitation
    }
    const together = { ...ctx, members: { ...ctx.members, findInvitation } }
    const outcomes = await Promise.all([1, 2].map(() => joinAsNewMember(together, token, someone)))
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['joined', 'sign_in_first'])
    const { rows } = await at.world.owner.query('SELECT id FROM people."user" WHERE email = $1', [email])
    expect(rows).toHaveLength(1)
  })
})

test('where there is no mail server the answer has the link', async () => {
  const env = { NAMEWRIGHT_SIGN_UP: 'invited', NAMEWRIGHT_SMTP_URL: '', NAMEWRIGHT_MAIL_FROM: '' }
  await using alone = await startApp({ people: true, own: true, settings: env })
  const inside = await openContext(readConfig({ ...alone.world.env }), openLog('silent'))
  try {
    const email = 'first@people.example'
    const setup = (await inside.people.makeSetupToken()) ?? ''
    await inside.people.completeSetup(setup, { email, name: 'First', password: PASSWORD })
    const first = await alone.signIn(email, PASSWORD)
    const { id } = (await first.ask('/settings/accounts', { body: { name: 'Team' } })).json.data.account
    const body = { email: 'second@people.example', role: 'member' }
    const reply = await first.ask(`/settings/accounts/${id}/invitations`, { body })
    expect(reply.json.data.invitation.link).toMatch(new RegExp(`^${alone.url}/join\\?token=[\\w-]{64}$`))
    const token = new URL(reply.json.data.invitation.link).searchParams.get('token') ?? ''
    expect(await joinAsNewMember(inside, token, { name: 'Second', password: PASSWORD })).toMatchObject({
      kind: 'joined',
    })
  } finally {
    await inside[Symbol.asyncDispose]()
  }
})
