/** Sends the emails about changes of watched domains that are due: at once for a free domain, once a day otherwise. */
import { createHash } from 'node:crypto'
import type { Accounts } from '../accounts/index.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { People } from '../sign-in/index.ts'
import type { ChangeEmails, EmailedChange } from './change-emails.ts'
import type { Member } from '../../model/member.ts'

export interface ChangeEmailContext {
  readonly changeEmails: ChangeEmails
  readonly accounts: Pick<Accounts, 'find'>
  readonly people: Pick<People, 'find'>
  readonly mail: Pick<Mail, 'deliver' | 'isOn'>
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
