/**
 * Overload protection: when a node gets more requests than it can handle, it sheds the rest, quickly and by priority.
 *
 *   route → its priority and pools → overload check → [credential → account] → share check → body → work
 *
 * Two concurrency pools protect one resource each. `node` is for everything: the event loop and the database. `naming`
 * is also for what needs the naming thread, so that a rush for names does not slow down reads.
 *
 * A request whose body has not arrived does not count in these pools, because the sender decides how long that takes.
 * It counts in a third pool, `receiving`, by IP address, and in its own pools again when the body is there.
 *
 * Whoever has shown no verified credential counts by IP address in a pool of their own, `strangers`, in place of `node`:
 * strangers take no place of accounts. So does a visitor with a publishable key, which anybody can read in a page.
 *
 * The overload check runs before the credential is verified and before the body is read. An account or a person is known
 * from an earlier request with this credential. If the credential is new to this node, the request is that of a stranger
 * until it was verified. A shed request has started nothing, has used no quota and may keep the connection. A stranger
 * hears of it late.
 *
 * Never shed: health checks, signing out.
 */
import { hash } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { addressSubject } from '../../platform/limits/limits.ts'
import { createConcurrencyCap, type ConcurrencyCap } from '../concurrency-cap.ts'
import {
  createConcurrencyPool,
  createFixedLimit,
  createPressureLimit,
  createQueueLimit,
  MAX_LIMIT,
  MIN_LIMIT,
  type ConcurrencyLimit,
  type ConcurrencyPool,
  type PoolPlace,
  type PressureReading,
  type Priority,
  type QueueReading,
  type Reason,
} from './concurrency-pool.ts'

declare module 'fastify' {
  interface FastifyRequest {
    places: readonly PoolPlace[] | null
    /** Whose verified credential it has; null: a stranger's. */
    holder: Holder | null
    /** Removes the request from `receiving`. Null unless its body has yet to arrive. */
    bodyArrived: (() => void) | null
  }
}

/** Whose a verified credential is. */
interface Holder {
  /** The account or person; of a publishable key, the address of the visitor. */
  readonly subject: string
  readonly isVisitor: boolean
}

export const POOLS = ['node', 'naming', 'receiving', 'strangers'] as const
export type PoolName = (typeof POOLS)[number]

interface Refusal {
  readonly pool: PoolName
  readonly priority: Priority
  readonly reason: Reason
}

export interface OverloadFigures {
  readonly pools: Readonly<Record<PoolName, { readonly limit: number; readonly inFlight: number }>>
  readonly shed: readonly (Refusal & { readonly count: number })[]
}

const READ_MS = 100
// The sampling interval of the event loop. Shorter turns cannot be told apart.
const SAMPLED_MS = 10
const NS_PER_MS = 1e6
const MAX_HOLDERS = 10_000
// The wait for the naming thread. A person hardly notices half a second; the rest is for availability and the commit.
const BEARABLE_NAMING_MS = 150
// One turn of the event loop. A request takes about ten turns, a shed one takes one.
const BEARABLE_TURN_MS = 20
// Statements that wait for a database connection. With ten connections that is ten each: a fifth of a second, if a
// commit takes twenty milliseconds.
const BEARABLE_STATEMENTS = 100
// What an address may have in flight without a verified credential. A browser has six connections to a node, or as many
// as the files of a page through a proxy; an office behind one address has several browsers.
const MAX_OF_STRANGER = 50
// Refusals of strangers that wait to be sent: each has a socket and a request.
const MAX_WAITING = 5_000
// And up to twice as long. The connections of one address then cost less than its places.
const MIN_DELAY_MS = 1_000
// Short: the address may send again as soon as one of its bodies has arrived.
const BODY_RETRY_SECONDS = 1

export class Overload {
  readonly #ctx: Pick<Context, 'names' | 'db' | 'config'>
  readonly #now: () => number
  readonly #random: () => number
  readonly #limits: {
    readonly node: ConcurrencyLimit<PressureReading>
    readonly naming: ConcurrencyLimit<QueueReading>
    readonly strangers: ConcurrencyLimit<PressureReading>
  }
  readonly #pools: Readonly<Record<PoolName, ConcurrencyPool>>
  readonly #bodies: ConcurrencyCap
  readonly #bodiesOfStrangers: ConcurrencyCap
  /**
   * Tells accounts apart without a lookup, by the hashes of their credentials. It must never authorize anybody: identity
   * and permissions are always verified separately.
   */
  readonly #holders = new LRUCache<string, Holder>({ max: MAX_HOLDERS })
  readonly #shed = new Map<string, Refusal & { count: number }>()
  #waiting = 0

  constructor(
    ctx: Pick<Context, 'names' | 'db' | 'config'>,
    { now, random }: { readonly now: () => number; readonly random: () => number },
  ) {
    const { overload: mode, caps } = ctx.config
    const openLimit = (): ConcurrencyLimit<PressureReading> =>
      mode === 'adaptive' ? createPressureLimit() : createFixedLimit(mode === 'off' ? Infinity : mode)
    const node = openLimit()
    const naming: ConcurrencyLimit<QueueReading> =
      mode === 'adaptive' ? createQueueLimit({ bearableMs: BEARABLE_NAMING_MS }) : createFixedLimit(node.value)
    const strangers = openLimit()
    this.#ctx = ctx
    this.#now = now
    this.#random = random
    this.#limits = { node, naming, strangers }
    this.#pools = {
      node: createConcurrencyPool({ limit: () => node.value, now }),
      naming: createConcurrencyPool({ limit: () => naming.value, now, countsShares: true }),
      receiving: createConcurrencyPool({ limit: () => MAX_LIMIT, now }),
      // A stranger who never reads an answer keeps the place, so it must not be what the next address lacks.
      strangers: createConcurrencyPool({ limit: () => strangers.value, now, countsShares: true }),
    }
    this.#bodies = createConcurrencyCap(caps.bodiesPerAddress)
    this.#bodiesOfStrangers = createConcurrencyCap(Math.min(MAX_OF_STRANGER, caps.bodiesPerAddress))
  }

  /** `turnMs`: how long a turn of the event loop takes, which is how long new work waits before it starts. */
  learn(turnMs: number): void {
    const { names, db } = this.#ctx
    const { node, naming, strangers } = this.#limits
    const pressure = Math.max(turnMs / BEARABLE_TURN_MS, db.use().waiting / BEARABLE_STATEMENTS)
    const at = this.#now()
    // Strangers give way first.
    const canGiveWay = pressure > 1 && strangers.value > MIN_LIMIT
    strangers.learn({ at, inFlight: this.#pools.strangers.inFlight, pressure })
    if (!canGiveWay) node.learn({ at, inFlight: this.#pools.node.inFlight, pressure })
    naming.learn({ ...names.queue(), inFlight: this.#pools.naming.inFlight })
  }

  /** Call before any lookup. Fails with overloaded. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.routeOptions.config.priority === 'never') return
    const credential = credentialOf(request)
    request.holder = (credential === undefined ? undefined : this.#holders.get(credential)) ?? null
    // Fires once, also when the caller disconnects.
    reply.raw.once('close', () => leave(request))
    await this.#enterOrRefuse(request, reply)
  }

  /** Call once the credential was verified, if there is one. Fails with overloaded. */
  async admitCaller(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const holder = holderOf(request)
    const credential = holder && credentialOf(request)
    if (!holder || credential === undefined) return
    this.#holders.set(credential, holder)
    const { places, holder: before } = request
    // The close event of a disconnected caller has already fired, so its places would never be released.
    if (!places || before?.subject === holder.subject || reply.raw.destroyed) return
    leave(request)
    request.holder = holder
    await this.#enterOrRefuse(request, reply)
  }

  /** Call before the body is read. Fails with concurrency_limited for an address that sends too many bodies at once. */
  async awaitBody<Payload>(request: FastifyRequest, reply: FastifyReply, payload: Payload): Promise<Payload> {
    if (request.raw.complete || !announcesBody(request.headers)) return payload
    const address = addressSubject(request.ip)
    const isOfStranger = isStranger(request)
    const priority = isOfStranger ? 'normal' : 'critical'
    const { receiving } = this.#pools
    const reason = receiving.refusalOf(priority, address)
    const release = reason ? undefined : (isOfStranger ? this.#bodiesOfStrangers : this.#bodies).take(address)
    if (!release) {
      // The rest of the body will not be read.
      reply.header('Connection', 'close')
      if (reason) this.#refuse({ pool: 'receiving', priority, reason })
      throw new ApiError('concurrency_limited', { retryAfter: BODY_RETRY_SECONDS })
    }
    leave(request)
    const place = receiving.enter(address)
    request.bodyArrived = () => {
      release()
      place.leave()
    }
    reply.raw.once('close', request.bodyArrived)
    return payload
  }

  /** Call once the body has arrived. Fails with overloaded for a stranger; others were admitted. */
  async resume(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!request.bodyArrived) return
    request.bodyArrived()
    request.bodyArrived = null
    if (!request.places || reply.raw.destroyed) return
    await this.#enterOrRefuse(request, reply, true)
  }

  /** Call when a refused request only waits for the rest of its body: the sender decides how long that takes. */
  leave(request: FastifyRequest): void {
    leave(request)
  }

  figures(): OverloadFigures {
    const { node, naming, strangers } = this.#limits
    const limitOf = { node: node.value, naming: naming.value, receiving: MAX_LIMIT, strangers: strangers.value }
    const figureOf = (pool: PoolName) => ({ limit: limitOf[pool], inFlight: this.#pools[pool].inFlight })
    return {
      pools: {
        node: figureOf('node'),
        naming: figureOf('naming'),
        receiving: figureOf('receiving'),
        strangers: figureOf('strangers'),
      },
      shed: [...this.#shed.values()],
    }
  }

  /**
   * Fails with overloaded. A stranger on many connections would ask again at once, and refusals would be all that the
   * node does. So they are sent late; those beyond what may wait close the connection.
   */
  async #enterOrRefuse(request: FastifyRequest, reply: FastifyReply, isAdmitted = false): Promise<void> {
    const refusal = this.#enter(request, isAdmitted)
    if (!refusal) {
      // A page takes one turn of the event loop. Without a turn between, all that came in this one would be served in it,
      // and none of it would ever be in flight beside another.
      if (isStranger(request)) await nextTurn()
      return
    }
    if (refusal.pool === 'strangers') {
      if (this.#waiting >= MAX_WAITING) reply.header('Connection', 'close')
      else await this.#waitUnlessClosed(reply, MIN_DELAY_MS * (1 + this.#random()))
    }
    this.#refuse(refusal)
  }

  /** Undefined: it has its places. `isAdmitted`: it was let in before, and only strangers need free places again. */
  #enter(request: FastifyRequest, isAdmitted: boolean): Refusal | undefined {
    const { priority: own = 'normal', pool = 'node', access } = request.routeOptions.config
    const { holder } = request
    const pools = this.#pools
    const priority = own === 'never' ? 'critical' : own
    const address = addressSubject(request.ip)
    const names = POOLS_BY_ROUTE[pool]
    const entered: { readonly name: PoolName; readonly subject: string }[] = []
    if (isStranger(request)) entered.push({ name: 'strangers', subject: address })
    if (holder !== null)
      for (const name of names)
        if (!holder.isVisitor || name !== 'node') entered.push({ name, subject: holder.subject })
    // A credential that is not verified yet is soon an account's, whose programs may share an address.
    const isVerifying = holder === null && access?.by === 'token' && request.headers.authorization !== undefined
    if (isVerifying)
      for (const name of names) {
        const reason = pools[name].refusalOf(priority, undefined)
        if (reason) return { pool: name, priority, reason }
      }
    const isCapped = !isVerifying && this.#ctx.config.overload !== 'off'
    for (const { name, subject } of entered) {
      const isOfStranger = name === 'strangers'
      if (isAdmitted && !isOfStranger) continue
      const most = isOfStranger && isCapped ? MAX_OF_STRANGER : Infinity
      const isOverAll = isOfStranger && pools.strangers.inFlight >= MAX_LIMIT
      const reason = isOverAll ? 'full' : pools[name].refusalOf(priority, subject, most)
      if (reason) return { pool: name, priority, reason }
    }
    request.places = entered.map(({ name, subject }) => pools[name].enter(subject))
    return undefined
  }

  #refuse({ pool, priority, reason }: Refusal): never {
    const key = `${pool} ${priority} ${reason}`
    let entry = this.#shed.get(key)
    if (!entry) this.#shed.set(key, (entry = { pool, priority, reason, count: 0 }))
    entry.count++
    // Random, so that callers do not all retry at the same moment.
    throw new ApiError('overloaded', { retryAfter: 1 + Math.floor(this.#random() * 3) })
  }

  async #waitUnlessClosed({ raw }: FastifyReply, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    raw.once('close', resolve)
    this.#waiting++
    await promise
    this.#waiting--
    clearTimeout(timer)
  }
}

export function openOverload(
  app: FastifyInstance,
  ctx: Pick<Context, 'names' | 'db' | 'config'>,
  { now = () => performance.now(), random = Math.random } = {},
): Overload {
  const overload = new Overload(ctx, { now, random })
  const turns = monitorEventLoopDelay({ resolution: SAMPLED_MS })
  turns.enable()
  const reading = setInterval(() => {
    // The median: one pause of the garbage collector is no queue.
    overload.learn(turns.count === 0 ? SAMPLED_MS : turns.percentile(50) / NS_PER_MS)
    turns.reset()
  }, READ_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(reading)
    turns.disable()
  })
  app.decorateRequest('places', null)
  app.decorateRequest('holder', null)
  app.decorateRequest('bodyArrived', null)
  return overload
}

// The pools in which a request counts, by the `pool` of its route.
const POOLS_BY_ROUTE: Readonly<Record<'node' | 'naming', readonly PoolName[]>> = {
  node: ['node'],
  naming: ['node', 'naming'],
}

/** Hashed, with the address: visitors share the credential of a page. */
function credentialOf({ headers, ip }: FastifyRequest): string | undefined {
  const sent = headers.authorization ?? headers.cookie
  return sent && hash('sha256', `${sent} ${addressSubject(ip)}`, 'base64')
}

/** Undefined unless the credential of this request was verified. */
function holderOf(request: FastifyRequest): Holder | undefined {
  const { session, person } = request
  if (person) return { subject: `person ${person.userId}`, isVisitor: false }
  if (!session) return undefined
  const { accountId, isPublishable = false } = session.caller
  const subject = isPublishable ? `visitor ${addressSubject(request.ip)}` : `account ${accountId}`
  return { subject, isVisitor: isPublishable }
}

function isStranger({ holder }: FastifyRequest): boolean {
  return holder === null || holder.isVisitor
}

function leave({ places }: FastifyRequest): void {
  for (const place of places ?? []) place.leave()
}

function announcesBody(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
