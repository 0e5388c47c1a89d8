/**
 * Keys and applications as people see them in the settings: what each may do, what was used through it, who made it.
 * Never its text, which nobody has any more, and never its hash.
 */
import type { Context } from '../../context.ts'
import type { KeyRow } from '../../keys/keys.ts'
import type { Member } from '../../model/member.ts'

export interface Shown {
  readonly row: KeyRow
  /** The same of a key and of an application. */
  readonly wire: Readonly<Record<string, unknown>>
}

/** Oldest first, also those that are revoked. */
export async function listCredentials(ctx: Context, member: Member): Promise<readonly Shown[]> {
  const [rows, used] = await Promise.all([ctx.keys.list(member), ctx.quota.usageByKey(member, 1)])
  const makers = new Set(rows.flatMap(({ created_by }) => created_by ?? []))
  const names = await ctx.people.namesOf([...makers])
  return rows.map((row) => {
    const { today = 0, thisMonth = 0 } = used.get(row.id) ?? {}
    const maker = names.get(row.created_by ?? '')
    return {
      row,
      wire: {
        scopes: row.scopes,
        quota: { per_minute: row.per_minute, burst: row.burst, per_day: row.per_day, per_month: row.per_month },
        allowed_ips: row.allowed_ips,
        created_at: row.created_at,
        created_by: maker ? { id: row.created_by, name: maker.name } : null,
        last_used_at: row.last_used_at,
        revoked_at: row.revoked_at,
        used: { today, this_month: thisMonth },
      },
    }
  })
}
