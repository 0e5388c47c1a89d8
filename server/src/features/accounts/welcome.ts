/**
 * Reacts to events of a person, by combining accounts, members, the audit log and email.
 *
 * Every person has their own account, with the same id. It is created at their first sign-in; if the service dies at
 * that moment, the next sign-in creates it.
 */
import type { Accounts } from './accounts.ts'
import type { Db } from '../../platform/db/db.ts'
import { sqlStateOf } from '../../platform/db/db.ts'
import type { Logger } from '../../platform/log.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Members } from './members.ts'
import type { AccountId } from '../../model/caller.ts'
import type { SecurityAction } from '../../model/security-action.ts'
import type { UserId } from '../../model/member.ts'
import type { Plan } from '../../model/plan.ts'
import type { NewUser, PersonEvent, Watcher } from '../sign-in/people.ts'
import type { AuditLog } from '../../platform/audit-log/audit-log.ts'

interface WelcomeContext {
  readonly db: Db
  readonly accounts: Accounts
  readonly members: Members
  readonly auditLog: AuditLog
  readonly mail: Mail
  readonly log: Logger
  readonly publicUrl: string
  /** The plan of a new account. */
  readonly plan: Plan
  readonly personOf: (userId: UserId) => Promise<{ email: string; name: string; language: string | null } | undefined>
}

/** Changes that are reported to the person by email: somebody else may have made them. */
const NOTIFIED: Partial<Record<SecurityAction, string>> = {
  password_changed: 'password',
  password_reset: 'password',
  passkey_added: 'passkey_added',
  passkey_removed: 'passkey_removed',
  two_factor_on: 'two_factor_on',
  two_factor_off: 'two_factor_off',
}

const UNIQUE_VIOLATION = '23505'

export function createWelcome(ctx: WelcomeContext): Watcher {
  async function welcome({ userId, name, language }: NewUser): Promise<void> {
    const account = userId as string as AccountId
    if (await ctx.members.roleOf({ accountId: account, userId })) return
    const spec = { name, ...(language === null ? {} : { language }) }
    const made = ctx.db.as(account, [
      ctx.accounts.creating(spec, account),
      ctx.accounts.planning(account, ctx.plan),
      ctx.members.adding(account, userId, 'owner'),
    ])
    await made.catch((error: unknown) => {
      // Two first sign-ins at once: the other one created it.
      if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error
    })
  }

  async function note({ action, userId, ip, sessionId }: PersonEvent): Promise<void> {
    const own = userId as string as AccountId
    const credential = sessionId === undefined ? undefined : ({ kind: 'session', id: sessionId } as const)
    await ctx.auditLog.note(own, { action, actor: userId, credential, ip: ip ?? null, detail: {} })
    const what = NOTIFIED[action]
    const person = what && (await ctx.personOf(userId))
    if (!person) return
    const { email, name, language } = person
    ctx.mail.send({
      kind: 'changed',
      to: email,
      language,
      url: `${ctx.publicUrl}/reset-password`,
      params: { name, what },
    })
  }

  return {
    welcome,
    async replaced({ userId, name, language }) {
      await ctx.accounts.change({ accountId: userId as string as AccountId, userId }, { name, language }, [])
    },
    happened(event) {
      note(event).catch((error: unknown) =>
        ctx.log.warn({ err: error, action: event.action }, 'audit event could not be saved'),
      )
    },
    sendLink(kind, { email, name, language }, url) {
      ctx.mail.send({ kind, to: email, language, url, params: { name } })
    },
  }
}
