/** Members and invitations on a real database: who is in, who gets in, and that somebody always owns the account. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountId,
  type Invitation,
  isUsedUp,
  makeId,
  type Members,
  openMembers,
  type Role,
  sql,
  type UserId,
} from '../../../test/source.ts'
import { startApp } from '../../../test/start-app.ts'
import type { World } from '../../../test/world.ts'

const DAY_MS = 86_400_000

let world: World
let members: Members
// No two moments are the same, so that the order of members is known.
let ticks = 0
const now = () => Date.now() + ticks++
beforeAll(async () => {
  world = await startApp({ own: true })
  members = openMembers({ db: world.db, now })
})
afterAll(() => world[Symbol.asyncDispose]())

const makeUserId = () => makeId(Date.now()) as UserId
const code = (name: unknown) => expect.objectContaining({ code: name })

/** An account with one person for each role given, in that order. */
async function makeTeam<const R extends readonly Role[]>(...roles: R) {
  const account = await world.makeAccount()
  const people = roles.map(() => makeUserId()) as { [I in keyof R]: UserId }
  await world.db.as(
    account,
    people.map((userId, i) => members.adding(account, userId, roles[i] ?? 'viewer')),
  )
  return { account, people, as: (userId: UserId) => ({ accountId: account, userId }) }
}

const rolesIn = async (account: AccountId) =>
  Object.fromEntries((await members.list(account)).map(({ user_id, role }) => [user_id, role]))

describe('a membership', () => {
  test('is found from the person and from the account', async () => {
    const one = await makeTeam('owner', 'viewer')
    const two = await makeTeam('admin')
    const [, person] = one.people
    await world.db.as(two.account, [members.adding(two.account, person, 'member')])
    expect(await members.listAccounts(person)).toEqual([
      { account_id: one.account, role: 'viewer' },
      { account_id: two.account, role: 'member' },
    ])
    expect(await members.roleOf(two.as(person))).toBe('member')
    expect(await members.roleOf(two.as(one.people[0]))).toBeUndefined()
    expect(await members.list(one.as(person))).toEqual([
      { user_id: one.people[0], role: 'owner', created_at: expect.any(Date) },
      { user_id: person, role: 'viewer', created_at: expect.any(Date) },
    ])
  })

  test('that is there already keeps its role', async () => {
    const { account, people, as } = await makeTeam('owner')
    await world.db.as(account, [members.adding(account, people[0], 'viewer')])
    expect(await members.roleOf(as(people[0]))).toBe('owner')
  })

  test('that is changed or ended commits what was given along, or neither', async () => {
    const { account, people, as } = await makeTeam('owner', 'viewer')
    const third = makeUserId()
    const along = [members.adding(account, third, 'viewer')]
    await members.changeRole(as(people[0]), people[1], 'member', along)
    expect(await members.roleOf(as(third))).toBe('viewer')
    const broken = [sql('test_broken', 'SELECT 1 / 0', [])]
    await expect(members.remove(as(people[0]), third, broken)).rejects.toThrow('division by zero')
    expect(await rolesIn(account)).toEqual({ [people[0]]: 'owner', [people[1]]: 'member', [third]: 'viewer' })
  })
})

describe('the last owner', () => {
  test('is left when two owners remove or demote each other at the same time', async () => {
    for (let round = 0; round < 15; round++) {
      const { account, people, as } = await makeTeam('owner', 'owner')
      const [one, other] = people
      const answers = await Promise.allSettled([
        members.remove(as(one), other),
        round % 2 === 0 ? members.remove(as(other), one) : members.changeRole(as(other), one, 'viewer'),
      ])
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const [refusal] = answers.filter((answer) => answer.status === 'rejected')
      // Whoever comes second is no member any more, or a viewer.
      expect(refusal?.reason).toEqual(code(expect.stringMatching(/^(?:not_found|insufficient_role)$/)))
      expect(Object.values(await rolesIn(account)).filter((role) => role === 'owner')).toHaveLength(1)
    }
  })

  test('is left when all five owners go at the same time', async () => {
    const { account, people, as } = await makeTeam('owner', 'owner', 'owner', 'owner', 'owner')
    const answers = await Promise.allSettled(people.map((userId) => members.remove(as(userId), userId)))
    const refusals = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason as unknown)
    expect(refusals).toEqual([code('last_owner')])
    expect(Object.values(await rolesIn(account))).toEqual(['owner'])
  })
})

describe('an invitation', () => {
  const draft = (invitedBy: UserId, email = 'new@example.com') => ({ email, role: 'member' as const, invitedBy })

  const accept = (invitation: Invitation, userId: UserId) =>
    world.db.as(invitation.account, members.accepting(invitation, userId))

  async function findInvitation(token: string): Promise<Invitation> {
    const found = await members.findInvitation(token)
    if (!found) throw new Error('There is no such invitation.')
    return found
  }

  test('is found by its token alone, and lets somebody in once', async () => {
    const { account, people, as } = await makeTeam('owner')
    const { id, token, expiresAt } = await members.invite(as(people[0]), draft(people[0], 'New@Example.com'))
    expect(expiresAt.getTime() - Date.now()).toBeCloseTo(7 * DAY_MS, -5)
    const invitation = await findInvitation(token)
    expect(invitation).toEqual({ account, id, email: 'new@example.com', role: 'member', invitedBy: people[0] })
    await accept(invitation, makeUserId())
    expect(await members.findInvitation(token)).toBeUndefined()
    expect(await members.list(account)).toHaveLength(2)
  })

  test('used by ten people at the same time lets one of them in', async () => {
    const { account, people, as } = await makeTeam('owner')
    const { token } = await members.invite(as(people[0]), draft(people[0]))
    const invitation = await findInvitation(token)
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => accept(invitation, makeUserId())))
    const refusals = answers.filter((answer) => answer.status === 'rejected')
    expect(refusals).toHaveLength(9)
    expect(refusals.every(({ reason }) => isUsedUp(reason))).toBe(true)
    expect(await members.list(account)).toHaveLength(2)
  })

  test('is not in the store, only the hash of its random half', async () => {
    const { people, as } = await makeTeam('owner')
    const { token } = await members.invite(as(people[0]), draft(people[0]))
    const random = Buffer.from(token, 'base64url').subarray(16)
    expect(random).toHaveLength(32)
    const { rows } = await world.owner.query<{ row: string }>('SELECT i::text AS row FROM invitation i')
    const stored = rows.map(({ row }) => row).join('\n')
    expect(stored).toContain(createHash('sha256').update(random).digest('hex'))
    for (const form of [token, random.toString('hex')]) expect(stored).not.toContain(form)
  })

  test('is not found by another token, however near', async () => {
    const { people, as } = await makeTeam('owner')
    const { token } = await members.invite(as(people[0]), draft(people[0]))
    const other = await makeTeam('owner')
    const strange = Buffer.from(token, 'base64url')
    Buffer.from(other.account.replaceAll('-', ''), 'hex').copy(strange)
    const last = token.endsWith('A') ? 'B' : 'A'
    for (const text of [
      '',
      'x',
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      token.slice(0, -1),
      `${token.slice(0, -1)}${last}`,
      strange.toString('base64url'),
    ]) {
      expect(await members.findInvitation(text), text).toBeUndefined()
    }
  })

  test('is void after seven days, also for whoever has opened it before', async () => {
    const { people, as } = await makeTeam('owner')
    let at = Date.now()
    const later = openMembers({ db: world.db, now: () => at })
    const { token } = await later.invite(as(people[0]), draft(people[0]))
    const invitation = await findInvitation(token)
    at += 7 * DAY_MS - 1
    expect(await later.findInvitation(token)).toBeDefined()
    at += 1
    expect(await later.findInvitation(token)).toBeUndefined()
    expect(await later.listInvitations(as(people[0]))).toEqual([])
    const refused = await world.db
      .as(invitation.account, later.accepting(invitation, makeUserId()))
      .catch((error: unknown) => error)
    expect(isUsedUp(refused)).toBe(true)
  })

  test('takes the place of an earlier one for the same address, also of one made at the same time', async () => {
    const { people, as } = await makeTeam('owner')
    const first = await members.invite(as(people[0]), draft(people[0]))
    const second = await members.invite(as(people[0]), draft(people[0], 'NEW@example.com'))
    expect(await members.findInvitation(first.token)).toBeUndefined()
    expect(await members.findInvitation(second.token)).toBeDefined()
    await members.invite(as(people[0]), draft(people[0], 'other@example.com'))
    await Promise.all(Array.from({ length: 8 }, () => members.invite(as(people[0]), draft(people[0]))))
    const open = await members.listInvitations(as(people[0]))
    expect(open.map(({ email }) => email).toSorted()).toEqual(['new@example.com', 'other@example.com'])
  })

  test('to somebody who is there already leaves their role as it is', async () => {
    const { people, as } = await makeTeam('owner', 'admin')
    const { token } = await members.invite(as(people[0]), { ...draft(people[0]), role: 'viewer' })
    await accept(await findInvitation(token), people[1])
    expect(await members.roleOf(as(people[1]))).toBe('admin')
  })
})
