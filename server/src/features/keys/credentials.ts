/**
 * Keys and applications for the settings: permissions, usage and creator of each. Must never contain the secret, which
 * is not stored, nor its hash.
 */
import type { Context } from '../../context.ts'
import type { Member } from '../../model/member.ts'

/** Oldest first, including revoked ones. `wire`: the fields that keys and applications have in common. */
export async function listCredentials(ctx: Context, member: Member) {
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
        created_by: maker && row.created_by !== null ? { id: row.created_by, name: maker.name } : null,
        last_used_at: row.last_used_at,
        revoked_at: row.revoked_at,
        used: { today, this_month: thisMonth },
      },
    }
  })
}
