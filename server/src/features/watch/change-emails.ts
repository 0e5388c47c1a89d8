/**
 * Which members get an email about which changes of watched domains, and when: at once for a free domain, once a day
 * otherwise.
 *
 * `watch.ts` writes a row with the change itself. `claim` postpones the rows that it returns: if the worker dies, or
 * the mail server refuses for now, they are due again. So an email may come twice, but none is lost.
 */
import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { accountOf, sql, type Acting, type Db, type Statement } from '../../platform/db/db.ts'
import { BEFORE_ALL, walk, type Exported } from '../../platform/db/walk.ts'
import type { AccountId } from '../../model/caller.ts'
import type { Member, UserId } from '../../model/member.ts'
import type { Person } from '../../model/person.ts'

export interface EmailedChange {
  readonly change_id: string
  readonly domain: string
  readonly kind: 'available' | 'taken' | 'price_changed'
  readonly price: string
}

export interface ChangeEmails {
  isOn(member: Member): Promise<boolean>
  /** Switching off also forgets what has not been sent. */
  switching(member: Member, isOn: boolean): readonly Statement[]
  /** Members with due changes, the longest due first. */
  listDue(): Promise<readonly Member[]>
  claim(member: Member): Promise<readonly EmailedChange[]>
  settle(member: Member, changes: readonly EmailedChange[]): Promise<void>
  exporting(acting: Acting): Exported
  /** Deletes up to `limit` that no mail server has accepted for days. */
  expiring(account: AccountId, limit: number): Statement
}

const KEPT_MS = 3 * 86_400_000
const RETRY_MS = 10 * 60_000
const MEMBERS_AT_ONCE = 100
const CHANGES_PER_EMAIL = 100

/** In a statement with `changed` and the account as $1 and the time as $4: the members to tell, and when. */
export const INSERT_CHANGE_EMAILS = `INSERT INTO change_email (account_id, user_id, favorite_id, change_id, due_at)
    SELECT $1, m.user_id, c.id, c.change_id, CASE WHEN c.kind = 'available' THEN $4::timestamptz
      ELSE date_trunc('day', $4::timestamptz, 'UTC') + interval '1 day 7 hours' END
    FROM changed c JOIN member m ON m.account_id = $1 AND m.change_emails`

export function openChangeEmails({ db, now }: { db: Db; now: () => number }): ChangeEmails {
  return {
    async isOn({ accountId, userId }) {
      const text = 'SELECT change_emails AS is_on FROM member WHERE account_id = $1 AND user_id = $2'
      const [found] = await db.asPerson(userId, [sql<{ is_on: boolean }>('change_emails', text, [accountId, userId])])
      return found.rows[0]?.is_on ?? false
    },

    switching: (member, isOn) => {
      const values = [accountOf(member), member.userId]
      const change = 'UPDATE member SET change_emails = $3 WHERE account_id = $1 AND user_id = $2'
      const forget = 'DELETE FROM change_email WHERE account_id = $1 AND user_id = $2'
      return [
        sql('change_emails_switch', change, [...values, isOn]),
        ...(isOn ? [] : [sql('change_emails_forget', forget, values)]),
      ]
    },

    async listDue() {
      const text = `SELECT account_id AS "accountId", user_id AS "userId" FROM change_email WHERE due_at <= $1
        GROUP BY account_id, user_id ORDER BY min(due_at) LIMIT ${MEMBERS_AT_ONCE}`
      return (await db.lookup(sql<Member>('change_emails_due', text, [new Date(now())]))).rows
    },

    async claim({ accountId, userId }) {
      const text = `WITH due AS (
          SELECT change_id FROM change_email WHERE account_id = $1 AND user_id = $2 AND due_at <= $3
          ORDER BY change_id LIMIT ${CHANGES_PER_EMAIL} FOR UPDATE SKIP LOCKED
        ), claimed AS (
          UPDATE change_email e SET due_at = $4 FROM due
          WHERE e.account_id = $1 AND e.user_id = $2 AND e.change_id = due.change_id
          RETURNING e.change_id, e.favorite_id
        )
        SELECT change_id, f.domain, c.kind, c.after ->> 'price' AS price FROM claimed
        JOIN favorite_change c ON c.account_id = $1 AND c.favorite_id = claimed.favorite_id AND c.id = change_id
        JOIN favorite f ON f.account_id = $1 AND f.id = claimed.favorite_id ORDER BY change_id`
      const values = [accountId, userId, new Date(now()), new Date(now() + RETRY_MS)]
      const [found] = await db.as(accountId, [sql<EmailedChange>('change_emails_claim', text, values)])
      return found.rows
    },

    async settle({ accountId, userId }, changes) {
      const text = 'DELETE FROM change_email WHERE account_id = $1 AND user_id = $2 AND change_id = ANY ($3)'
      const values = [accountId, userId, changes.map(({ change_id: id }) => id)]
      await db.as(accountId, [sql('change_emails_settle', text, values)])
    },

    exporting: (acting) => ({ change_emails: everyEmail(db, acting) }),

    expiring(account, limit) {
      const text = `DELETE FROM change_email WHERE account_id = $1 AND change_id IN (
        SELECT id FROM favorite_change WHERE account_id = $1 AND created_at < $2
          AND EXISTS (SELECT FROM change_email e WHERE e.account_id = $1 AND e.favorite_id = favorite_change.favorite_id
            AND e.change_id = favorite_change.id) LIMIT $3)`
      return sql('change_emails_expire', text, [account, new Date(now() - KEPT_MS), limit])
    },
  }
}

interface WaitingRow {
  readonly user_id: string
  readonly favorite_id: string
  readonly change_id: string
  readonly due_at: Date
}

function everyEmail(db: Db, acting: Acting): AsyncIterable<object> {
  const text = `SELECT user_id, favorite_id, change_id, due_at FROM change_email
    WHERE account_id = $1 AND (user_id, change_id) > ($2, $3) ORDER BY user_id, change_id LIMIT $4`
  return walk<WaitingRow>(db, acting, (last, limit) =>
    sql('change_email_export', text, [accountOf(acting), last?.user_id ?? '', last?.change_id ?? BEFORE_ALL, limit]),
  )
}

export interface ChangeEmailContext {
  readonly changeEmails: ChangeEmails
  readonly accounts: Pick<Context['accounts'], 'find'>
  readonly people: {
    find(userId: UserId): Promise<Pick<Person, 'name' | 'email' | 'language'> | undefined>
  }
  readonly mail: Pick<Context['mail'], 'deliver' | 'isOn'>
  readonly publicUrl: string
}

const AT_ONCE = 4

export async function sendChangeEmails(ctx: ChangeEmailContext, signal: AbortSignal): Promise<void> {
  if (!ctx.mail.isOn) return
  for (
    let due = [...(await ctx.changeEmails.listDue())];
    due.length > 0;
    due = [...(await ctx.changeEmails.listDue())]
  ) {
    const work = async () => {
      for (let member = due.shift(); member && !signal.aborted; member = due.shift()) await sendOne(ctx, member)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    if (signal.aborted) return
  }
}

async function sendOne(ctx: ChangeEmailContext, member: Member): Promise<void> {
  const claimed = await ctx.changeEmails.claim(member)
  // Only the last change of each domain still holds.
  const changes = [...new Map(claimed.map((change) => [change.domain, change])).values()]
  const [first] = changes
  const [person, account] = await Promise.all([ctx.people.find(member.userId), ctx.accounts.find(member)])
  if (!first || !person || !account) return ctx.changeEmails.settle(member, claimed)
  const free = changes.find(({ kind }) => kind === 'available')
  const outcome = await ctx.mail.deliver({
    id: idOf(member, claimed),
    kind: free ? 'watched_available' : 'watched_changed',
    to: person.email,
    language: person.language,
    url: `${ctx.publicUrl}/favorites`,
    params: { name: person.name, account: account.name, domain: (free ?? first).domain },
    changes,
  })
  // A refusal for now leaves the claim, so they are due again in ten minutes.
  if (outcome !== 'refused_for_now') await ctx.changeEmails.settle(member, claimed)
}

/** The same for a second try, so that a mail server can detect the duplicate. */
function idOf({ accountId, userId }: Member, changes: readonly EmailedChange[]): string {
  const ids = changes.map(({ change_id: id }) => id)
  return createHash('sha256')
    .update([accountId, userId, ...ids].join(' '))
    .digest('hex')
    .slice(0, 32)
}
