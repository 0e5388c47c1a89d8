/**
 * What follows when something happens to a person, joined from what accounts, members, the log and the mail can do.
 *
 * Everybody has an account of their own, with their own id. It is made when they first come in; were the service to
 * die just then, the next sign-in makes it.
 */
import type { Accounts } from './accounts/accounts.ts'
import type { Db } from './db/db.ts'
import { sqlStateOf } from './db/db.ts'
import type { Logger } from './log.ts'
import type { Letter, Mail } from './mail/mail.ts'
import type { Members } from './members/members.ts'
import type { AccountId } from './model/caller.ts'
import type { SecurityAction } from './model/security-action.ts'
import type { UserId } from './model/member.ts'
import type { Newcomer, PersonEvent, Watcher } from './people/people.ts'
import type { SecurityLog } from './security-log/security-log.ts'

interface WelcomeContext {
  readonly db: Db
  readonly accounts: Accounts
  readonly members: Members
  readonly securityLog: SecurityLog
  readonly mail: Mail
  readonly log: Logger
  readonly publicUrl: string
  readonly personOf: (userId: UserId) => Promise<{ email: string; name: string; language: string | null } | undefined>
}

/** What a person is told by mail: whoever did it may not be them. */
const TOLD: Partial<Record<SecurityAction, string>> = {
  password_changed: 'password',
  password_reset: 'password',
  passkey_added: 'passkey_added',
  passkey_removed: 'passkey_removed',
  two_factor_on: 'two_factor_on',
  two_factor_off: 'two_factor_off',
}

const UNIQUE_VIOLATION = '23505'

export function createWelcome(ctx: WelcomeContext): Watcher {
  async function welcome({ userId, name, language }: Newcomer): Promise<void> {
    const account = userId as string as AccountId
    if (await ctx.members.roleOf({ accountId: account, userId })) return
    const spec = { name, ...(language === null ? {} : { language }) }
    const made = ctx.db.as(account, [
      ctx.accounts.creating(spec, account),
      ctx.members.adding(account, userId, 'owner'),
    ])
    await made.catch((error: unknown) => {
      // Two first sign-ins at once: the other one made it.
      if (sqlStateOf(error) !== UNIQUE_VIOLATION) throw error
    })
  }

  async function note({ action, userId, ip }: PersonEvent): Promise<void> {
    const own = userId as string as AccountId
    await ctx.securityLog.note(own, { action, actor: userId, ip: ip ?? null, detail: {} })
    const what = TOLD[action]
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
    happened(event) {
      note(event).catch((error: unknown) =>
        ctx.log.warn({ err: error, action: event.action }, 'an event was not noted'),
      )
    },
    sendLink(kind, { email, name, language }, url) {
      const letter: Letter = { kind, to: email, language, url, params: { name } }
      ctx.mail.send(letter)
    },
  }
}
