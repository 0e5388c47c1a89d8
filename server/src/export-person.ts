/**
 * Everything we hold of somebody, as one JSON text, handed over piece by piece: an account may hold more than fits
 * into memory, so rows are read a page at a time and each is let go when it is written.
 *
 * An account that is theirs alone comes whole. Of one they share with others come the rows that name them. Hashes and
 * secrets never do: they are ours to check with, and of use only to a thief.
 *
 * All of it is read as the person. Whoever stops being a member in the middle of it gets no more of that account.
 */
import type { Accounts } from './accounts/accounts.ts'
import type { Batches } from './batches/batches.ts'
import type { Db } from './db/db.ts'
import type { Exported } from './db/walk.ts'
import type { Favorites } from './favorites/favorites.ts'
import type { History } from './history/history.ts'
import type { Idempotency } from './idempotency/idempotency.ts'
import { exporting as exportingKeys } from './keys/exporting.ts'
import type { Members } from './members/members.ts'
import type { Member, Role, UserId } from './model/member.ts'
import type { People } from './people/people.ts'
import { exporting as exportingQuota } from './quota/exporting.ts'
import type { SecurityLog } from './security-log/security-log.ts'
import type { Shares } from './shares/shares.ts'
import type { Traffic } from './traffic/traffic.ts'
import type { Changes } from './watch/changes.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

export interface ExportPersonContext {
  readonly db: Db
  readonly now: () => number
  readonly accounts: Accounts
  readonly members: Members
  readonly history: History
  readonly favorites: Favorites
  readonly changes: Changes
  readonly batches: Pick<Batches, 'exporting'>
  readonly idempotency: Idempotency
  readonly securityLog: SecurityLog
  readonly webhooks: Pick<Webhooks, 'exporting'>
  readonly shares: Pick<Shares, 'exporting'>
  readonly traffic: Pick<Traffic, 'exporting'>
  readonly people: Pick<People, 'exportPerson' | 'exportApplications'>
}

interface Asker {
  readonly userId: UserId
  readonly email: string
}

export async function* exportPerson(ctx: ExportPersonContext, asker: Asker): AsyncGenerator<string> {
  const { userId } = asker
  const memberships = await ctx.members.listAccounts(userId)
  const person = await ctx.people.exportPerson(userId)
  yield `${openText({ exported_at: new Date(ctx.now()), ...person })},"accounts":[`
  let separator = ''
  for (const { account_id: accountId, role } of memberships) {
    yield separator
    yield* accountText(ctx, { accountId, userId }, asker, role)
    separator = ','
  }
  yield ']}'
}

async function* accountText(
  ctx: ExportPersonContext,
  member: Member,
  asker: Asker,
  role: Role,
): AsyncGenerator<string> {
  const { accountId } = member
  const [account, members] = await Promise.all([ctx.accounts.find(member), ctx.members.list(member)])
  const head = { account_id: accountId, name: account?.name ?? null, role, shared: members.length > 1 }
  if (head.shared) {
    yield openText(head)
    yield* listTexts(namingLists(ctx, member, asker))
  } else {
    yield openText({ ...head, ...(await ctx.people.exportApplications(accountId)) })
    yield* listTexts(allLists(ctx, member))
  }
  yield '}'
}

function allLists(ctx: ExportPersonContext, member: Member): Exported {
  return {
    ...ctx.accounts.exporting(member),
    ...ctx.members.exporting(member),
    ...exportingKeys(ctx.db, member),
    ...exportingQuota(ctx.db, member),
    ...ctx.history.exporting(member),
    ...ctx.favorites.exporting(member),
    ...ctx.changes.exporting(member),
    ...ctx.batches.exporting(member),
    ...ctx.idempotency.exporting(member),
    ...ctx.webhooks.exporting(member),
    ...ctx.shares.exporting(member),
    ...ctx.traffic.exporting(member),
    ...ctx.securityLog.exporting(member),
  }
}

/** Only the lists that name people; who used a key nobody knows, so the rest belongs to all of them. */
function namingLists(ctx: ExportPersonContext, member: Member, asker: Asker): Exported {
  const lists = {
    ...ctx.members.exporting(member),
    ...exportingKeys(ctx.db, member),
    ...ctx.shares.exporting(member),
    ...ctx.securityLog.exporting(member),
  }
  return Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, rowsNaming(rows, asker)]))
}

async function* rowsNaming(rows: AsyncIterable<object>, { userId, email }: Asker): AsyncGenerator<object> {
  for await (const row of rows) {
    const text = JSON.stringify(row)
    if (!text.includes(userId) && !text.toLowerCase().includes(email.toLowerCase())) continue
    // What somebody else did to them is theirs to know; who that was, and from where, is not.
    yield 'actor' in row && row.actor !== userId ? { ...row, actor: null, ip: null } : row
  }
}

async function* listTexts(lists: Exported): AsyncGenerator<string> {
  for (const [name, rows] of Object.entries(lists)) {
    yield `,${JSON.stringify(name)}:[`
    let separator = ''
    for await (const row of rows) {
      yield separator + JSON.stringify(row)
      separator = ','
    }
    yield ']'
  }
}

/** An object that more is written into. */
function openText(fields: object): string {
  return JSON.stringify(fields).slice(0, -1)
}
