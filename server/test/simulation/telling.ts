/**
 * The outbox: events are written, a trigger makes deliveries and jobs of them, workers send what is due at a webhook,
 * and receivers answer as they like. The lease of a webhook, what is due and what becomes of it are the service's own
 * code; the queue takes, retries and loses jobs as pg-boss and `automation/jobs/` do.
 *
 * What must hold: events of one subject arrive in their order; a delivery ends once, and as delivered only when somebody
 * has taken it; and when everything has run to its end nothing is left lying.
 */
import { deliverWebhooks } from '../../src/flows/deliver-webhooks.ts'
import type { DeliverWebhooksContext } from '../../src/flows/deliver-webhooks.ts'
import { sql } from '../../src/platform/db/db.ts'
import type { Db, Statement } from '../../src/platform/db/db.ts'
import type { AccountId } from '../../src/model/caller.ts'
import { makeId } from '../../src/model/id.ts'
import type { OutboundAnswer } from '../../src/platform/outbound/outbound.ts'
import { openWebhooks } from '../../src/automation/webhooks/webhooks.ts'
import type { Row } from './memory-db.ts'
import type { SimulatedNode } from './schedule.ts'
import type { Scenario, ScenarioSpec, World } from './world.ts'

const ACCOUNT = '00000000-0000-7000-8000-0000000000aa' as AccountId
const WEBHOOKS = ['00000000-0000-7000-8000-0000000000b1', '00000000-0000-7000-8000-0000000000b2'] as const
const SECRET = 'a secret of the operator'
const NODES = 2
const JOB_LEASE_MS = 9_000
const RETRIES = 5
const MAX_EVENTS = 14

interface Working {
  readonly node: SimulatedNode
  readonly db: Db
  readonly ctx: DeliverWebhooksContext
  /** The jobs it has, and how to take one from it. */
  readonly running: Map<string, AbortController>
}

interface Arrival {
  readonly event: string
  readonly webhook: string
  readonly taken: boolean
}

export function deliverySpec(): ScenarioSpec {
  const working: Working[] = []
  return {
    startsAt: () => Date.UTC(2026, 10, 15, 9),
    longestWaitMs: 5_000,
    jumpsMs: [100, 1_000, 3_000, 6_000, 10_000, 61_000],
    nodes: () => working.map(({ node }) => node),
    open: (world) => openDelivery(world, working),
  }
}

async function openDelivery(world: World, working: Working[]): Promise<Scenario> {
  const { dice, schedule, postgres } = world
  const arrivals: Arrival[] = []
  /** The furthest place that has arrived, by webhook and subject. */
  const furthest = new Map<string, number>()
  let [events, isHealthy] = [0, false]
  const died: string[] = []

  const jobs = () => postgres.rows('job')

  async function start(): Promise<void> {
    const node = schedule.addNode(`n${working.length + 1}`)
    node.skewMs = world.isCalm ? 0 : dice.pick([0, 0, -4_000, 4_000])
    const { db } = world.open(node)
    const webhooks = openWebhooks({
      db,
      secrets: [SECRET],
      allowed: [],
      now: node.now,
      random: () => dice.below(100) / 100,
      send: ({ url, headers }) => receive(node, url, headers?.['webhook-id'] ?? ''),
    })
    const enqueuing = (queue: string, list: readonly { data: object; afterMs?: number }[]): Statement =>
      sql('jobs_enqueue', 'SELECT enqueue_jobs($1, $2::jsonb)', [
        queue,
        JSON.stringify(list.map(({ data, afterMs }) => ({ data, after_ms: afterMs ?? 0 }))),
      ])
    const ctx: Partial<DeliverWebhooksContext> = { db, now: node.now, jobs: { enqueuing }, webhooks }
    working.push({ node, db, ctx: ctx as DeliverWebhooksContext, running: new Map() })
    if (postgres.rows('webhook').length > 0) return
    for (const id of WEBHOOKS) {
      postgres.set('webhook', `${ACCOUNT}/${id}`, {
        account_id: ACCOUNT,
        id,
        url: `https://example.com/${id}`,
        events: ['favorite.taken'],
        enabled: true,
        failing_since: null,
        secret: webhooks.seal.close('whsec_c2VjcmV0', `${ACCOUNT} ${id}`),
        old_secret: null,
        old_secret_until: null,
        busy_by: null,
        busy_until: null,
        wake_at: null,
      })
    }
  }

  function receive(node: SimulatedNode, url: string, event: string): Promise<OutboundAnswer> {
    const webhook = url.slice(url.lastIndexOf('/') + 1)
    return schedule.ask<OutboundAnswer>({
      label: `POST ${event.slice(-4)} to ${webhook.slice(-2)}`,
      node,
      act() {
        const fate = isHealthy
          ? 'taken'
          : dice.pick(['taken', 'taken', 'taken', 'refused', 'never arrived', 'not heard of'])
        if (fate === 'never arrived') return { value: { kind: 'failed', reason: 'timeout' } as OutboundAnswer }
        arrive({ webhook, event, taken: fate !== 'refused' })
        if (fate === 'not heard of') return { value: { kind: 'failed', reason: 'timeout' } as OutboundAnswer }
        const status = fate === 'taken' ? 200 : 500
        return { value: { kind: 'answer', status, headers: {}, body: Buffer.alloc(0) } }
      },
    })
  }

  function arrive(arrival: Arrival): void {
    arrivals.push(arrival)
    const { webhook, event } = arrival
    const delivery = postgres.rows('delivery').find((row) => row['webhook_id'] === webhook && row['event_id'] === event)
    if (!delivery) {
      world.broken('an event arrived that nobody had committed')
      return
    }
    const { subject } = delivery
    if (typeof subject !== 'string') return
    const [sequence, place] = [`${webhook} ${subject}`, Number(delivery['place'])]
    world.hold(`an event of ${subject} arrived after one that came about later`, place >= (furthest.get(sequence) ?? 0))
    furthest.set(sequence, Math.max(place, furthest.get(sequence) ?? 0))
  }

  /** As pg-boss takes a job: what waits and is due, or has lost its worker. */
  function take(one: Working): Promise<Row | undefined> {
    return schedule.ask<Row | undefined>({
      label: 'takes a job',
      node: one.node,
      act() {
        const isDue = (row: Row) => row['state'] !== 'active' && Number(row['start_after']) <= schedule.now()
        const due = jobs().find(isDue)
        if (!due || !one.node.isAlive) return { value: undefined }
        const retry = due['state'] === 'retry' ? 1 : 0
        const row = {
          ...due,
          state: 'active',
          retry_count: Number(due['retry_count']) + retry,
          heartbeat_on: schedule.now(),
          by: one.node.name,
        }
        postgres.set('job', String(due['id']), row)
        return { value: row }
      },
    })
  }

  function failJob(row: Row): void {
    const id = String(row['id'])
    const current = jobs().find((one) => one['id'] === id)
    if (!current || current['state'] !== 'active' || current['retry_count'] !== row['retry_count']) return
    const attempts = Number(row['retry_count'])
    if (attempts >= RETRIES) died.push(id)
    const state = attempts >= RETRIES ? 'active' : 'retry'
    postgres.set('job', id, { ...current, state, by: undefined, start_after: schedule.now() + 2_000 * 2 ** attempts })
  }

  async function work(one: Working): Promise<void> {
    const row = await take(one)
    if (!row) return
    const [id, attempt] = [String(row['id']), Number(row['retry_count']) + 1]
    const abort = new AbortController()
    one.running.set(id, abort)
    const job = {
      signal: abort.signal,
      finishing: () => sql('job_finish', 'SELECT finish_job($1, $2, $3)', ['webhook', id, attempt]),
    }
    const { webhook } = row['data'] as { webhook: string }
    schedule.note(`      ${id} of ${webhook.slice(-2)}, attempt ${attempt}`)
    await deliverWebhooks(one.ctx, { account: ACCOUNT, webhook }, job).catch(() =>
      schedule.ask({ label: `${id} has failed`, node: one.node, act: () => ({ value: failJob(row) }) }),
    )
    one.running.delete(id)
  }

  /** What a dead worker had goes to another after its lease; so does, now and then, what a living one has. */
  function loseJobs(): void {
    for (const row of jobs()) {
      if (row['state'] !== 'active' || row['by'] === undefined) continue
      const one = working.find(({ node }) => node.name === row['by'])
      const isOver = !one?.node.isAlive && Number(row['heartbeat_on']) + JOB_LEASE_MS < schedule.now()
      const isTaken = !isHealthy && !world.isCalm && dice.oneIn(200)
      if (!isOver && !isTaken) continue
      schedule.note(`      ${String(row['id'])} is lost by ${one?.node.name ?? 'nobody'}`)
      failJob(row)
      if (dice.oneIn(2)) one?.running.get(String(row['id']))?.abort(new Error('the lease of the job was lost'))
    }
  }

  async function emitEvent(one: Working): Promise<void> {
    const subject = dice.pick([null, 'first', 'first', 'second'])
    const at = one.node.now()
    const event = sql(
      'simulated_event',
      `INSERT INTO event (account_id, id, created_at, type, once, data, subject) VALUES ($1, $2, $3, $4, $5, '{}', $6)`,
      [ACCOUNT, makeId(at), new Date(at), 'favorite.taken', `event ${events++}`, subject],
    )
    await one.db.as(ACCOUNT, [event]).catch(() => {})
  }

  async function pick(): Promise<Working | undefined> {
    const [first, ...others] = working.filter(({ node }) => node.isAlive)
    return first && dice.pick([first, ...others])
  }

  for (let i = 0; i < NODES; i++) await start()

  return {
    async act() {
      const one = await pick()
      if (!one) return
      const isEmitting = events < MAX_EVENTS && dice.oneIn(3)
      await schedule.inside(one.node, () => void (isEmitting ? emitEvent(one) : work(one)))
    },
    check() {
      loseJobs()
      for (const row of postgres.rows('delivery')) world.hold('a delivery ended twice', Number(row['ended'] ?? 0) <= 1)
    },
    async restart() {
      if (working.filter(({ node }) => node.isAlive).length < NODES) await start()
    },
    async settle() {
      isHealthy = true
      for (const one of working) one.node.skewMs = 0
      await start()
      const one = working.at(-1)
      if (!one) return
      const isPending = () => postgres.rows('delivery').some((row) => row['state'] === 'pending')
      const isQueued = () => jobs().some((row) => row['state'] !== 'active' || row['by'] !== undefined)
      for (let round = 0; round < 200; round++) {
        await world.finish()
        if (!isQueued()) break
        loseJobs()
        const next = Math.min(
          ...jobs()
            .filter((row) => row['state'] !== 'active')
            .map((row) => Number(row['start_after'])),
        )
        schedule.pass(next === Infinity ? JOB_LEASE_MS : Math.max(1, next - schedule.now()))
        await schedule.inside(one.node, () => void work(one))
      }
      world.hold('jobs go on for ever', !isQueued())
      if (died.length === 0) world.hold('a delivery is left lying, and no job will come for it', !isPending())
      // A job that has died takes its webhook with it, until the nightly upkeep.
      schedule.pass(2 * 3_600_000)
      for (let round = 0; round < 200 && isPending(); round++) {
        await schedule.inside(one.node, () => void one.db.as(ACCOUNT, [one.ctx.webhooks.wakingForgotten(ACCOUNT)]))
        await world.finish()
        schedule.pass(2 * 3_600_000)
        await schedule.inside(one.node, () => void work(one))
        await world.finish()
      }
      world.hold('not even the upkeep has found what is left lying', !isPending())
      for (const row of postgres.rows('delivery')) {
        const isTaken = arrivals.some(
          ({ event, webhook, taken }) => taken && event === row['event_id'] && webhook === row['webhook_id'],
        )
        world.hold('a delivery is called delivered that nobody has taken', row['state'] !== 'delivered' || isTaken)
        world.hold('a delivery ended twice', Number(row['ended'] ?? 0) === 1)
      }
    },
  }
}
