/**
 * Exports all data about a person as one JSON text, streamed: an account may hold more than fits into memory, so rows
 * are read a page at a time and each is released once it is written.
 *
 * An account that only they own is exported completely. Of a shared account only the rows that name them are exported.
 * Hashes and secrets never are: the service only verifies with them, and they would be useful only to a thief.
 *
 * All reads run as the person. When they lose a membership midway, the export of that account stops.
 */
import type { Accounts } from './accounts.ts'
import type { Batches } from '../batches/batches.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Exported } from '../../platform/db/walk.ts'
import { favorites } from '../favorites/index.ts'
import type { History } from '../history/history.ts'
import type { Idempotency } from '../../platform/idempotency/idempotency.ts'
import { exporting as exportingKeys } from '../keys/exporting.ts'
import type { Members } from './members.ts'
import type { Member, Role, UserId } from '../../model/member.ts'
import type { People } from '../sign-in/people.ts'
import { exporting as exportingQuota } from '../quota/exporting.ts'
import type { AuditLog } from '../../platform/audit-log/audit-log.ts'
import type { Shares } from '../shares/shares.ts'
import type { Traffic } from '../quota/traffic.ts'
import type { ChangeEmails } from '../watch/change-emails.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

export interface ExportPersonContext {
  readonly db: Db
  readonly now: () => number
  readonly accounts: Accounts
  readonly members: Members
  readonly history: History
  readonly changeEmails: Pick<ChangeEmails, 'exporting'>
  readonly batches: Pick<Batches, 'exporting'>
  readonly idempotency: Idempotency
  readonly auditLog: AuditLog
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
    ...favorites.data.export(ctx.db, member),
    ...ctx.changeEmails.exporting(member),
    ...ctx.batches.exporting(member),
    ...ctx.idempotency.exporting(member),
    ...ctx.webhooks.exporting(member),
    ...ctx.shares.exporting(member),
    ...ctx.traffic.exporting(member),
    ...ctx.auditLog.exporting(member),
  }
}

/** Only the lists that name people; the rest does not record which member acted, so it belongs to all of them. */
function namingLists(ctx: ExportPersonContext, member: Member, asker: Asker): Exported {
  const lists = {
    ...ctx.members.exporting(member),
    ...exportingKeys(ctx.db, member),
    ...ctx.changeEmails.exporting(member),
    ...ctx.shares.exporting(member),
    ...ctx.auditLog.exporting(member),
  }
  const { webhooks } = ctx.webhooks.exporting(member)
  const naming = { ...lists, ...(webhooks ? { webhooks } : {}) }
  return Object.fromEntries(Object.entries(naming).map(([name, rows]) => [name, rowsNaming(rows, asker)]))
}

async function* rowsNaming(rows: AsyncIterable<object>, { userId, email }: Asker): AsyncGenerator<object> {
  for await (const row of rows) {
    const text = JSON.stringify(row)
    if (!text.includes(userId) && !text.toLowerCase().includes(email.toLowerCase())) continue
    // They may know what others did to them, but not who did it or from where.
    yield 'actor' in row && row.actor !== userId ? { ...row, actor: null, ip: null, credential_id: null } : row
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

/** The start of an object that is still being written. */
function openText(fields: object): string {
  return JSON.stringify(fields).slice(0, -1)
}
