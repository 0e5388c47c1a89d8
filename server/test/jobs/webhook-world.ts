/**
 * Webhooks with a clock of the test's own: three days pass in the time it takes to send what is due in them. The flow,
 * the database and the receiver are the real ones; jobs are done here instead of by a worker.
 */
import { pino } from 'pino'
import {
  type AccountId,
  AUDIT_EVENT,
  changeWebhook,
  createSeal,
  createWebhook,
  deliverWebhooks,
  type DeliverWebhooksContext,
  type DeliveryRow,
  EVENT_TYPES,
  makeId,
  openAccounts,
  openAuditLog,
  openJobs,
  openMail,
  openMembers,
  openOutbound,
  openWebhooks,
  replayDelivery,
  rotateWebhook,
  Secret,
  sql,
  type WebhookChange,
} from '../source.ts'
import { openSmtp } from '../smtp-world.ts'
import { startApp } from '../start-app.ts'

export type WebhookWorld = Awaited<ReturnType<typeof openWebhookWorld>>

export const SECOND = 1_000
export const HOUR = 3_600_000
export const DAY = 24 * HOUR
const NEVER = new AbortController().signal
// All but the entries of the log, which the making of a webhook is one of.
const EVENTS = EVENT_TYPES.filter((type) => type !== AUDIT_EVENT)

export async function openWebhookWorld({ allowed }: { allowed: readonly string[] }) {
  const world = await startApp({ own: true })
  const smtp = await openSmtp()
  const clock = { now: Date.now() }
  const now = () => clock.now
  const log = pino({ level: 'silent' })
  const { db } = world
  const outbound = openOutbound({ now, allowed: new Set(allowed) })
  const jobs = openJobs({ url: world.databaseUrl, log })
  const mail = await openMail({ url: new Secret(smtp.url), from: 'Namewright <no-reply@names.example>', log })
  const webhooks = openWebhooks({
    db,
    now,
    seal: createSeal(['s'.repeat(32)]),
    allowed,
    send: (one) => outbound.send(one),
  })
  const ctx: DeliverWebhooksContext = {
    db,
    now,
    jobs,
    webhooks,
    accounts: openAccounts({ db, now }),
    members: openMembers({ db, now }),
    auditLog: openAuditLog({ db, now }),
    mail,
    publicUrl: 'https://names.example',
    people: {
      async find(userId) {
        const text = 'SELECT name, email, language FROM people."user" WHERE id = $1'
        return (await world.owner.query<{ name: string; email: string; language: string | null }>(text, [userId]))
          .rows[0]
      },
    },
  }
  const by = (account: AccountId) => ({
    account,
    actor: null,
    ip: '127.0.0.1',
    credential: { kind: 'key', id: 'test' } as const,
  })
  const pending = async (account: AccountId, webhook: string) => {
    const text = `SELECT min(next_at) AS at FROM delivery d WHERE account_id = $1 AND webhook_id = $2 AND state = 'pending'
      AND NOT EXISTS (SELECT FROM delivery b WHERE b.webhook_id = d.webhook_id AND b.state = 'pending'
        AND b.subject = d.subject AND b.place < d.place)`
    const { rows } = await world.owner.query<{ at: Date | null }>(text, [account, webhook])
    return rows[0]?.at?.getTime()
  }

  return {
    world,
    smtp,
    clock,
    ctx,
    webhooks,
    create: (account: AccountId, url: string) =>
      db.transaction(account, (tx) => createWebhook(ctx, tx, by(account), { url, events: EVENTS, description: null })),
    change: (account: AccountId, id: string, change: WebhookChange) =>
      db.transaction(account, (tx) => changeWebhook(ctx, tx, by(account), id, change)),
    rotate: (account: AccountId, id: string, graceHours: number) =>
      db.transaction(account, (tx) => rotateWebhook(ctx, tx, by(account), { id, graceHours })),
    replay: (account: AccountId, id: string, delivery: string) =>
      db.transaction(account, (tx) => replayDelivery(ctx, tx, account, { id, delivery })),

    /** Writes an event as the service does. */
    async emitEvent(
      account: AccountId,
      { subject = null, data = {} }: { subject?: string | null; data?: object } = {},
    ) {
      const id = makeId(clock.now)
      await db.as(account, [
        sql(
          'test_tell',
          `INSERT INTO event (account_id, id, created_at, type, once, subject, data)
           VALUES ($1, $2, $3, 'favorite.available', $4, $5, $6)`,
          [account, id, new Date(clock.now), id, subject, JSON.stringify(data)],
        ),
      ])
      return id
    },

    /** What a worker does with a job. */
    deliver: (account: AccountId, webhook: string, signal = NEVER) =>
      deliverWebhooks(ctx, { account, webhook }, { signal, finishing: () => sql('test_finish', 'SELECT 1', []) }),

    /** Whatever comes due until then, each when it does. */
    async passTime(account: AccountId, webhook: string, ms: number): Promise<void> {
      const until = clock.now + ms
      for (;;) {
        const at = await pending(account, webhook)
        if (at === undefined || at > until) break
        clock.now = Math.max(clock.now, at)
        const before = clock.now
        await this.deliver(account, webhook)
        const row = await webhooks.find(account, webhook)
        if (row?.enabled !== true) break
        clock.now = Math.max(clock.now, before)
      }
      clock.now = Math.max(clock.now, until)
    },

    async deliveries(account: AccountId, webhook: string): Promise<readonly DeliveryRow[]> {
      return webhooks.listDeliveries(account, webhook, { limit: 100 })
    },

    async [Symbol.asyncDispose]() {
      await mail.close()
      await outbound.close()
      await jobs.close()
      await world[Symbol.asyncDispose]()
      await smtp.close()
    },
  }
}
