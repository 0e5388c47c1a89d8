/**
 * Reacts to events of a person, by combining accounts, members, the audit log and email.
 *
 * Every person has their own account, with the same id. It is created at their first sign-in; if the service dies at
 * that moment, the next sign-in creates it.
 */
import type { Accounts } from './accounts.ts'
import { type Db, sqlStateOf } from '../../platform/db/db.ts'
import type { Logger } from '../../platform/log.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Members } from './members.ts'
import type { AccountId } from '../../model/caller.ts'
import type { SecurityAction } from '../../model/security-action.ts'
import type { UserId } from '../../model/member.ts'
import { type Plan, rowOf, UNLIMITED } from '../../model/plan.ts'
import type { NewUser, PersonEvent, Watcher, NewPerson, People } from '../sign-in/index.ts'
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

export interface SetUpContext {
  readonly accounts: Pick<Accounts, 'listTotals' | 'makeFirstOperator' | 'setPlan'>
  readonly members: Pick<Members, 'claim'>
  readonly people: Pick<People, 'completeSetup'>
  readonly auditLog: Pick<AuditLog, 'note' | 'noting'>
}

export interface Unowned {
  readonly id: AccountId
  readonly name: string
}

// The one account and the visitors' account; a third means that there are several.
const MAX_READ = 3

/** Accounts that an operator created and that have no members: none, one, or `several`. */
export async function findUnowned(ctx: Pick<SetUpContext, 'accounts'>): Promise<Unowned | 'several' | undefined> {
  const rows = await ctx.accounts.listTotals({ limit: MAX_READ })
  const [first, ...more] = rows.filter(({ is_visitors, people }) => !is_visitors && people === 0)
  return more.length > 0 || rows.length > MAX_READ ? 'several' : first && { id: first.id, name: first.name }
}

/**
 * Creates the first person of a service from the setup link. They become the operator, and they own the account that
 * the operator already created by command, so that they can see and change its keys. This applies to a single account.
 * With several accounts it is unclear which is the operator's own: they stay without members until `admin invite` gives
 * each an owner.
 *
 * Fails with invalid_link.
 */
export async function setUpFirstPerson(
  ctx: SetUpContext,
  token: string,
  person: NewPerson,
  ip: string | null,
): Promise<UserId> {
  const userId = await ctx.people.completeSetup(token, person)
  const own = userId as string as AccountId
  const note = { action: 'setup_completed', actor: userId, ip, detail: {} } as const
  await ctx.accounts.makeFirstOperator(own)
  // The operator has no limits.
  await ctx.accounts.setPlan(own, rowOf(UNLIMITED))
  await ctx.auditLog.note(own, note)
  const unowned = await findUnowned(ctx)
  if (unowned !== undefined && unowned !== 'several') {
    await ctx.members.claim(unowned.id, userId, [
      ctx.auditLog.noting(unowned.id, {
        ...note,
        action: 'member_joined',
        detail: { user_id: userId, role: 'owner' },
      }),
    ])
  }
  return userId
}
