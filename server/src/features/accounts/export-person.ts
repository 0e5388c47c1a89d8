/**
 * Exports all data about a person as one JSON text, streamed: an account may hold more than fits into memory, so rows
 * are read a page at a time and each is released once it is written.
 *
 * An account that only they own is exported completely. Of a shared account only the rows that name them are exported.
 * Hashes and secrets never are: the service only verifies with them, and they would be useful only to a thief.
 *
 * All reads run as the person. When they lose a membership midway, the export of that account stops.
 */
import type { Context } from '../../context.ts'
import type { Member, Role, UserId } from '../../model/member.ts'
import type { Exported } from '../../platform/db/walk.ts'

interface Asker {
  readonly userId: UserId
  readonly email: string
}

export async function* exportPerson(ctx: Context, asker: Asker): AsyncGenerator<string> {
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

async function* accountText(ctx: Context, member: Member, asker: Asker, role: Role): AsyncGenerator<string> {
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

function allLists(ctx: Context, member: Member): Exported {
  return {
    ...ctx.accounts.exporting(member),
    ...ctx.members.exporting(member),
    ...Object.assign({}, ...ctx.features.map(({ data }) => data?.export?.(member, ctx))),
    ...ctx.idempotency.exporting(member),
    ...ctx.auditLog.exporting(member),
  }
}

/** Only the lists that name people; the rest does not record which member acted, so it belongs to all of them. */
function namingLists(ctx: Context, member: Member, asker: Asker): Exported {
  const naming = [
    ...Object.entries(ctx.members.exporting(member)),
    ...ctx.features.flatMap(({ data }) => {
      if (data?.naming === undefined) return []
      const lists = Object.entries(data.export?.(member, ctx) ?? {})
      return lists.filter(([name]) => data.naming === true || data.naming?.includes(name))
    }),
    ...Object.entries(ctx.auditLog.exporting(member)),
  ]
  return Object.fromEntries(naming.map(([name, rows]) => [name, rowsNaming(rows, asker)]))
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
