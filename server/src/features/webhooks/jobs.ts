/**
 * Delivers events to an account's servers: everything that is due at one webhook, as a job; and a single test event.
 *
 * Events of one subject are sent in order, because a receiver that gets "taken" before "available" keeps the wrong
 * state forever. Different subjects are sent in parallel, so that a slow one delays no other. A failed attempt is
 * retried for three days (`features/webhooks/lease.ts`). A webhook without a success for that long, or that
 * responds with 410 Gone, is disabled, and the owners of the account get an email.
 *
 * An event may arrive twice, when this process dies between sending and recording it; it then has the same
 * `webhook-id`. `features/webhooks/lease.ts` explains why no delivery is lost.
 */
import type { Context } from '../../context.ts'
import { accountOf, isViolationOf, type Acting, type Db, type Transaction } from '../../platform/db/db.ts'
import { ApiError } from '../../model/errors.ts'
import type { Handler, Job } from '../../platform/jobs/jobs.ts'
import type { AccountId } from '../../model/caller.ts'
import { TEST_EVENT } from '../../model/event.ts'
import { makeId } from '../../model/id.ts'
import type { UserId } from '../../model/member.ts'
import type { Person } from '../../model/person.ts'
import type { DeliveryRow, Due, Lease, Webhooks } from './webhooks.ts'

export interface DeliverWebhooksContext {
  readonly db: Db
  readonly now: () => number
  readonly jobs: Pick<Context['jobs'], 'enqueuing'>
  readonly webhooks: Webhooks
  readonly accounts: Pick<Context['accounts'], 'find'>
  readonly members: Pick<Context['members'], 'list'>
  readonly people: {
    find(userId: UserId): Promise<Pick<Person, 'name' | 'email' | 'language'> | undefined>
  }
  readonly mail: Pick<Context['mail'], 'send'>
  readonly auditLog: Pick<Context['auditLog'], 'noting'>
  readonly publicUrl: string
}

// Per webhook. More at once would overload a small receiver.
const AT_ONCE = 10
// Then another job continues, so that no webhook occupies a worker.
const MAX_MS = 30_000

export function sendWebhooks(ctx: Context): Handler {
  return async (job) => {
    const { webhook: id } = job.data as { webhook: string }
    if (job.account) await deliverWebhooks(ctx, { account: job.account, webhook: id }, job)
  }
}

export async function deliverWebhooks(
  ctx: DeliverWebhooksContext,
  { account, webhook }: { account: AccountId; webhook: string },
  job: Pick<Job, 'signal' | 'finishing'>,
): Promise<void> {
  const waking = (afterMs: number) => ctx.jobs.enqueuing('webhook', [{ data: { webhook }, afterMs }])
  const lease = await ctx.db.transaction(account, async (tx) => {
    const claim = await ctx.webhooks.claim(tx, account, webhook)
    if (claim.lease) return claim.lease
    if (claim.wakeInMs !== undefined) await tx.run(waking(claim.wakeInMs))
    await tx.run(job.finishing())
    return undefined
  })
  if (!lease) return
  await sendWhatIsDue(ctx, lease, job.signal)
  await ctx.db.transaction(account, async (tx) => {
    const wakeInMs = await ctx.webhooks.release(tx, lease)
    if (wakeInMs !== undefined) await tx.run(waking(wakeInMs))
    await tx.run(job.finishing())
  })
}

/**
 * Fails with not_found. Never retried, and also sent by a disabled webhook. Returns what writes the delivery, in a
 * transaction of the caller.
 */
export async function sendTest(
  ctx: Pick<DeliverWebhooksContext, 'db' | 'now' | 'webhooks'>,
  acting: Acting,
  id: string,
  signal: AbortSignal,
): Promise<(tx: Transaction) => Promise<DeliveryRow>> {
  const account = accountOf(acting)
  const receiver = await ctx.db.transaction(acting, (tx) => ctx.webhooks.findReceiver(tx, account, id))
  if (!receiver) throw new ApiError('not_found')
  const at = ctx.now()
  const data = JSON.stringify({ webhook_id: id })
  const event = { id: makeId(at), type: TEST_EVENT, created_at: new Date(at), data }
  const outcome = await ctx.webhooks.tell(receiver, event, signal)
  if (!outcome) throw signal.reason
  return (tx) =>
    ctx.webhooks.addTest(tx, account, id, event, outcome).catch((error: unknown) => {
      // The webhook was deleted while its server was responding: there is nothing to attach the delivery to.
      throw isViolationOf(error, 'delivery_webhook') ? new ApiError('not_found') : error
    })
}

/** When one delivery ends, the next due one takes its slot. */
async function sendWhatIsDue(ctx: DeliverWebhooksContext, lease: Lease, signal: AbortSignal): Promise<void> {
  const until = ctx.now() + MAX_MS
  const underWay = new Map<string, Promise<void>>()
  let fault: { readonly error: unknown } | undefined
  let ended = 0
  for (;;) {
    const endedBefore = ended
    if (!fault && !signal.aborted && ctx.now() < until) {
      const due = await ctx.webhooks
        .due(lease, { except: [...underWay.keys()], limit: AT_ONCE - underWay.size })
        .catch((error: unknown) => {
          fault = { error }
          return []
        })
      for (const one of due) {
        const attempt = tryOne(ctx, lease, one, signal)
          .catch((error: unknown) => {
            fault = { error }
          })
          .finally(() => {
            underWay.delete(one.sequence)
            ended++
          })
        underWay.set(one.sequence, attempt)
      }
    }
    // A delivery that ended during the query may have made the next of its subject due, which the query did not see.
    if (ended !== endedBefore) continue
    if (underWay.size === 0) break
    await Promise.race(underWay.values())
  }
  // The job is retried, and finds the webhook free when the lease ends.
  if (fault) throw fault.error
}

const GONE = 410

async function tryOne(ctx: DeliverWebhooksContext, lease: Lease, due: Due, signal: AbortSignal): Promise<void> {
  const outcome = await ctx.webhooks.tell(due.receiver, due, signal)
  if (!outcome) return
  const failingSince = await ctx.webhooks.record(lease, due, outcome)
  if (outcome.status === GONE) await switchOff(ctx, lease, 'gone')
  else if (failingSince && ctx.webhooks.isHopeless(failingSince)) await switchOff(ctx, lease, 'failing')
}

async function switchOff(
  ctx: DeliverWebhooksContext,
  { account, webhook }: Lease,
  reason: 'failing' | 'gone',
): Promise<void> {
  const host = await ctx.db.transaction(account, async (tx) => {
    const off = await ctx.webhooks.switchOff(tx, account, webhook, reason)
    if (!off) return undefined
    const detail = { webhook_id: webhook, host: new URL(off.url).host, reason }
    await tx.run(ctx.auditLog.noting(account, { action: 'webhook_switched_off', actor: null, ip: null, detail }))
    return detail.host
  })
  if (host !== undefined) await writeToOwners(ctx, account, { host, what: `webhook_${reason}` })
}

async function writeToOwners(
  ctx: DeliverWebhooksContext,
  account: AccountId,
  params: { host: string; what: string },
): Promise<void> {
  const [found, members] = await Promise.all([ctx.accounts.find(account), ctx.members.list(account)])
  for (const { user_id: userId } of members.filter(({ role }) => role === 'owner')) {
    const person = await ctx.people.find(userId)
    if (!person) continue
    const { email, name, language } = person
    ctx.mail.send({
      kind: 'webhook_off',
      to: email,
      language,
      url: `${ctx.publicUrl}/docs/webhooks`,
      params: { ...params, name, account: found?.name ?? '' },
    })
  }
}
