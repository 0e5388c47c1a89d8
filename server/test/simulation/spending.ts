/**
 * Callers who generate: some with an Idempotency-Key that they send again, on whichever node, when they have received
 * nothing. Everything from the claim to the commit is the service's own code; only names and verdicts are made up.
 *
 * What must hold: a block never spends more than it was granted, and Redis never hands out more than there is; the
 * periods are the sums of their blocks and stay within the limits, all keys together within the plan of their account; what is used is what is recorded; what was answered
 * is recorded, what was refused is not; one key has one effect and one answer; and in the end nothing stays hidden.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../src/context.ts'
import { NotWritten } from '../../src/platform/db/db.ts'
import { ApiError } from '../../src/errors.ts'
import { generate } from '../../src/flows/generate.ts'
import type { GenerateContext } from '../../src/flows/generate.ts'
import { openHistory } from '../../src/library/history/history.ts'
import { doOnce } from '../../src/http/once.ts'
import type { IdempotentWork } from '../../src/http/once.ts'
import { openIdempotency } from '../../src/platform/idempotency/idempotency.ts'
import type { Idempotency } from '../../src/platform/idempotency/idempotency.ts'
import type { GenerateRequest } from '../../src/model/generate-request.ts'
import type { AccountId, Caller, KeyId } from '../../src/model/caller.ts'
import type { Domain } from '../../src/model/domain.ts'
import type { Candidate } from '../../src/model/name.ts'
import type { Offer } from '../../src/model/offer.ts'
import type { Prices } from '../../src/prices/prices.ts'
import { periodsOf } from '../../src/tenancy/quota/period.ts'
import { openQuota } from '../../src/tenancy/quota/quota.ts'
import type { Quota } from '../../src/tenancy/quota/quota.ts'
import { blockName } from '../../src/tenancy/quota/redis-names.ts'
import type { Row } from './memory-db.ts'
import type { SimulatedNode } from './schedule.ts'
import { quotaStatements } from './statements/quota.ts'
import type { Scenario, ScenarioSpec, World } from './world.ts'
import { nothingUnderstood } from '../nothing-understood.ts'

const ACCOUNT = '00000000-0000-7000-8000-0000000000aa' as AccountId
const LEASE_MS = 600_000
const SETTLE_MS = 60_000
const NODES = 3
const MAX_AT_ONCE = 8

interface Wish {
  readonly caller: Caller
  readonly count: number
  /** How many names will be found. */
  readonly found: number
  readonly key: string | undefined
}

interface Attempt extends Wish {
  readonly id: number
  readonly node: SimulatedNode
  outcome: 'running' | 'lost' | 'answered' | 'replayed' | 'refused' | 'unsure'
  body?: string
}

interface Serving {
  readonly node: SimulatedNode
  readonly quota: Quota
  readonly idempotency: Idempotency
  readonly ctx: GenerateContext
}

const MONEY = { minor: 1000, currency: 'USD' }
const YEAR = { registration: MONEY, renewal: MONEY, termYears: 1, due: MONEY, renewalYears: 1, renewsAt: MONEY }
const OFFER = { ...YEAR, transfer: MONEY, source: '', asOf: '', isQuote: false }

const MORNING = Date.UTC(2026, 10, 15, 9)
const LAST_MINUTES = [Date.UTC(2026, 10, 15, 23, 58), Date.UTC(2026, 10, 30, 23, 58)] as const

export const spendingSpec = (): ScenarioSpec => specFrom([MORNING])

/** Shortly before a day or a month ends. */
export const midnightSpec = (): ScenarioSpec => specFrom([LAST_MINUTES[0], LAST_MINUTES[1]])

function specFrom(startsAt: readonly [number, ...number[]]): ScenarioSpec {
  const serving: Serving[] = []
  return {
    startsAt: (dice) => dice.pick(startsAt),
    longestWaitMs: 30_000,
    jumpsMs: [20, 300, 1_000, 5_000, 30_000, 61_000, 300_000],
    nodes: () => serving.map(({ node }) => node),
    statements: (world) => ({
      quota_block_spend(hands, values) {
        const spend = quotaStatements['quota_block_spend']
        if (!spend) throw new Error('there is no spend')
        try {
          return spend(hands, values)
        } catch (error) {
          const block = hands.rows('quota_block').find((row) => row['id'] === values[2])
          const isRefused = error instanceof Error && 'constraint' in error && error.constraint !== undefined
          if (isRefused && block?.['closed_at'] === null) world.broken('Redis handed out more than its block holds')
          throw error
        }
      },
    }),
    open: (world) => openSpending(world, serving),
  }
}

async function openSpending(world: World, serving: Serving[]): Promise<Scenario> {
  const { dice, schedule, postgres, redis } = world
  const callers = [callerOf(1), callerOf(2)] as const
  const attempts: Attempt[] = []
  const wishes: Wish[] = []
  let seen = -1
  const plan = { names_per_day: dice.pick([null, 40, 70, 300]), names_per_month: dice.pick([null, null, 60, 400]) }
  postgres.set('account_plan', ACCOUNT, { account_id: ACCOUNT, ...plan })

  function callerOf(number: number): Caller {
    const keyId = `00000000-0000-7000-8000-00000000000${number}` as KeyId
    const perDay = dice.pick([null, 25, 60, 400])
    const perMonth = dice.pick([null, 45, 500])
    return {
      accountId: ACCOUNT,
      keyId,
      scopes: ['generate'],
      quota: { perMinute: 600, burst: 50, perDay, perMonth },
      historyDays: null,
    }
  }

  async function start(): Promise<void> {
    const node = schedule.addNode(`n${serving.length + 1}`)
    node.skewMs = world.isCalm ? 0 : dice.pick([0, 0, 0, -90_000, 2_000, 90_000])
    await schedule.inside(node, () => serving.push(openServing(world, node)))
  }

  async function run(one: Serving, attempt: Attempt): Promise<void> {
    const { caller, count, found, key, id } = attempt
    const ask = requestOf(count, found)
    try {
      if (id % 4 === 0) await one.quota.admit(caller)
      const work: IdempotentWork = async (storing) => {
        await using generation = await generate(one.ctx, caller, ask, { signal: new AbortController().signal })
        const body = JSON.stringify({ attempt: id, names: generation.result.suggestions.length })
        const { where } = await generation.commit(body, storing({ status: 200, headers: {}, body }))
        return { status: 200, headers: {}, body, ...(where === 'deferred' ? { isDeferred: true } : {}) }
      }
      const session = { caller, pass: { allowed: true, remaining: 1, resetMs: 0, retryMs: 0 }, spent: 0 }
      const headers = key === undefined ? {} : { 'idempotency-key': key }
      const sent = {
        headers,
        method: 'POST',
        url: '/v1/generate',
        body: { count, found },
        session,
      } as FastifyRequest
      await doOnce(
        { idempotency: one.idempotency } as Context,
        sent,
        { maxDurationMs: 30_000 },
        work,
        ({ body }, isReplay) => {
          attempt.outcome = isReplay ? 'replayed' : 'answered'
          attempt.body = body
        },
      )
    } catch (error) {
      if (!(error instanceof ApiError)) {
        world.broken(`a bug of ours: ${error instanceof Error ? error.stack : String(error)}`)
        return
      }
      const isUnsure = error.code === 'unavailable' && !(error instanceof NotWritten)
      attempt.outcome = isUnsure ? 'unsure' : 'refused'
      schedule.note(`      #${id} ends with ${error.code}`)
    }
  }

  schedule.onCrash((node) => {
    for (const attempt of attempts) if (attempt.node === node && attempt.outcome === 'running') attempt.outcome = 'lost'
  })

  async function request(wish: Wish, one: Serving): Promise<Attempt> {
    const attempt: Attempt = { ...wish, id: attempts.length, node: one.node, outcome: 'running' }
    attempts.push(attempt)
    schedule.note(
      `${one.node.name}  request #${attempt.id}: ${wish.count} of ${wish.caller.keyId.at(-1)}, key ${wish.key ?? '-'}`,
    )
    await schedule.inside(one.node, () => void run(one, attempt))
    return attempt
  }

  /** The ledger, whenever it has changed. */
  function checkLedger(): void {
    if (postgres.commits() === seen) return
    seen = postgres.commits()
    const blocks = postgres.rows('quota_block')
    for (const block of blocks)
      world.hold('a block spent more than it was granted', Number(block['used']) <= Number(block['granted']))
    for (const period of postgres.rows('quota_period')) {
      const caller = callers.find(({ keyId }) => keyId === period['key_id'])
      const isDay = period['kind'] === 'day'
      const limit = (isDay ? caller?.quota.perDay : caller?.quota.perMonth) ?? Infinity
      const isWithin = (day: unknown) =>
        isDay ? day === period['starts_on'] : String(day).slice(0, 7) === String(period['starts_on']).slice(0, 7)
      const granted = sumOf(
        blocks.filter((block) => block['key_id'] === period['key_id'] && isWithin(block['day'])),
        'granted',
      )
      world.hold(
        `a period leased ${String(period['leased'])}, its blocks were granted ${granted}`,
        granted === period['leased'],
      )
      world.hold(`a period leased ${String(period['leased'])} of ${limit}`, Number(period['leased']) <= limit)
    }
    const periods = Map.groupBy(
      postgres.rows('quota_period'),
      (row) => `${String(row['kind'])} ${String(row['starts_on'])}`,
    )
    for (const [name, ofAll] of periods) {
      const limit = (name.startsWith('day') ? plan.names_per_day : plan.names_per_month) ?? Infinity
      world.hold(`the account leased ${sumOf(ofAll, 'leased')} of ${limit}`, sumOf(ofAll, 'leased') <= limit)
    }
  }

  /** The responses of the callers, held against what is written. */
  function checkBooks(): void {
    const records = postgres
      .rows('history')
      .map((row) => JSON.parse(String(row['suggestions'])) as { attempt: number; names: number })
    const recorded = new Set(records.map(({ attempt }) => attempt))
    world.hold('one attempt was recorded twice', recorded.size === records.length)
    for (const { id, outcome } of attempts) {
      if (outcome === 'answered') world.hold(`#${id} was answered and is not recorded`, recorded.has(id))
      if (outcome === 'refused' || outcome === 'replayed')
        world.hold(`#${id} was ${outcome} and is recorded`, !recorded.has(id))
    }
    for (const { keyId } of callers) {
      const used = sumOf(
        postgres.rows('quota_block').filter((row) => row['key_id'] === keyId),
        'used',
      )
      const named = records.filter(({ attempt }) => attempts[attempt]?.caller.keyId === keyId)
      const spent = named.reduce((sum, { names }) => sum + names, 0)
      world.hold(`${used} were paid for and ${spent} are recorded`, used === spent)
    }
    const stored = new Map(postgres.rows('idempotent_answer').map((row) => [row['key'], row['body']]))
    for (const [key, ofKey] of Map.groupBy(attempts, (attempt) => attempt.key)) {
      if (key === undefined) continue
      world.hold(`${key} has two effects`, ofKey.filter(({ id }) => recorded.has(id)).length <= 1)
      for (const { id, body } of ofKey)
        if (body !== undefined) world.hold(`#${id} got another answer than ${key} has`, stored.get(key) === body)
    }
  }

  /** With nothing lost and nothing under way, Redis has what the ledger says is left. */
  function checkNothingHidden(): void {
    const days = [...new Set(postgres.rows('quota_period').map((row) => String(row['starts_on'])))]
    for (const block of postgres.rows('quota_block')) {
      if (Number(block['lease_until']) <= schedule.now() || block['alone'] === true) continue
      // A request that began before midnight fills what it leases after it into the hash of the day before.
      const hashes = days.map((day) =>
        redis.hash(blockName({ accountId: ACCOUNT, keyId: block['key_id'] as KeyId }, day)),
      )
      const mine = hashes.filter((hash) => hash?.get('block') === block['id'])
      if (mine.length === 0) continue
      const [left, has] = [
        Number(block['granted']) - Number(block['used']),
        mine.map((hash) => Number(hash?.get('left'))),
      ]
      world.hold(
        `Redis has ${has.join(' + ')} of the ${left} that are left`,
        has.reduce((sum, one) => sum + one) === left,
      )
    }
  }

  for (let i = 0; i < NODES; i++) await start()

  return {
    async act() {
      const living = serving.filter(({ node }) => node.isAlive)
      const [first, ...others] = living
      if (!first || attempts.filter(({ outcome }) => outcome === 'running').length >= MAX_AT_ONCE) return
      const [again, ...more] = wishes
      const isRepeat = again !== undefined && dice.oneIn(2)
      const count = 1 + dice.below(10)
      const wish: Wish = isRepeat
        ? dice.pick([again, ...more])
        : {
            caller: dice.pick([callers[0], callers[1]]),
            count,
            found: dice.oneIn(3) ? dice.below(count + 1) : count,
            key: dice.oneIn(3) ? undefined : `k${wishes.length}`,
          }
      if (wish.key !== undefined && !isRepeat) wishes.push(wish)
      await request(wish, dice.pick([first, ...others]))
    },
    check: checkLedger,
    async restart() {
      if (serving.filter(({ node }) => node.isAlive).length < NODES) await start()
    },
    async settle() {
      await world.finish()
      checkLedger()
      checkBooks()
      if (world.isCalm) checkNothingHidden()
      // By now every lease is over, and whoever still had something to settle is too late.
      schedule.pass(LEASE_MS + SETTLE_MS + 1)
      await start()
      const last = serving.at(-1)
      if (!last) return
      last.node.skewMs = 0
      redis.flush()
      for (const caller of callers) await takeAll(caller, last)
      checkLedger()
      checkBooks()
    },
  }

  /** Exactly what was never used is there. */
  async function takeAll(caller: Caller, one: Serving): Promise<void> {
    const { day, month } = periodsOf(one.node.now())
    const leftOf = (blocks: readonly Row[], perDay: number | null, perMonth: number | null) => {
      const ofDay = blocks.filter((row) => row['day'] === day)
      const ofMonth = blocks.filter((row) => String(row['day']).slice(0, 7) === month.slice(0, 7))
      return Math.min((perDay ?? Infinity) - sumOf(ofDay, 'used'), (perMonth ?? Infinity) - sumOf(ofMonth, 'used'))
    }
    const blocks = postgres.rows('quota_block')
    const ofKey = blocks.filter((row) => row['key_id'] === caller.keyId)
    const { perDay, perMonth } = caller.quota
    const left = Math.min(leftOf(ofKey, perDay, perMonth), leftOf(blocks, plan.names_per_day, plan.names_per_month))
    if (left === Infinity) return
    if (left > 0) {
      const whole = await request({ caller, count: left, found: left, key: undefined }, one)
      await world.finish()
      world.hold(`of the ${left} that were never used not all came back`, whole.outcome === 'answered')
    }
    const more = await request({ caller, count: 1, found: 1, key: undefined }, one)
    await world.finish()
    world.hold('more than the limit was handed out', more.outcome === 'refused')
  }
}

function openServing(world: World, node: SimulatedNode): Serving {
  const { schedule } = world
  const { db, cache } = world.open(node)
  const now = node.now
  const quota = openQuota({ db, cache, now, nodes: NODES, times: { leaseMs: LEASE_MS, settleMs: SETTLE_MS } })
  const verdictOf = (domain: Domain) => ({
    domain,
    status: domain.startsWith('free') ? ('available' as const) : ('taken' as const),
    confidence: 'definitive' as const,
    sources: [],
    checkedAt: 0,
    expiresAt: 0,
  })
  const check = (domains: readonly Domain[]) =>
    schedule.ask({
      label: 'verdicts',
      node,
      act: () => ({ value: new Map(domains.map((domain) => [domain, verdictOf(domain)])) }),
    })
  const ctx: GenerateContext = {
    db,
    quota,
    namingTime: { require: async () => {}, charge: () => {} },
    now,
    history: openHistory({ db, now }),
    audit: { note: () => {} },
    names: { propose: async ({ seed }) => candidatesOf(seed), summarise: nothingUnderstood },
    availability: { check },
    namespaces: { check: async () => [] },
    sourceHealth: { troubles: () => [] },
    availabilityMode: 'balanced',
    prices: {
      findDomainOffer: () => OFFER as Offer,
      listOfferOf: () => OFFER as Offer,
      eligibilityOf: () => undefined,
    } as Partial<Prices> as Prices,
    variants: [],
  }
  return { node, quota, idempotency: openIdempotency({ db, cache, now }), ctx }
}

/** So many that are free, and one that is not. */
function candidatesOf(free: number): Candidate[] {
  const labels = [...Array.from({ length: free }, (_, i) => `free${i}`), 'taken']
  return labels.map((label) => ({ label, name: label }) as Candidate)
}

function requestOf(count: number, found: number): GenerateRequest {
  const request: Partial<GenerateRequest> = {
    names: { description: 'a shop', seed: found } as GenerateRequest['names'],
    count,
    suffixes: ['com' as GenerateRequest['suffixes'][number]],
    onlyAvailable: true,
    variants: false,
    premium: false,
    currency: 'USD',
    priceLimits: { due: undefined, fiveYears: undefined },
    verify: 'fast',
    deadlineMs: 1e9,
    include: [],
    language: 'en',
    options: '{}',
  }
  return request as GenerateRequest
}

function sumOf(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Number(row[column]), 0)
}
