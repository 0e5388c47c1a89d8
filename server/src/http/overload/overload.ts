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
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { addressSubject } from '../../platform/limits/limits.ts'
import { createConcurrencyCap } from '../concurrency-cap.ts'
import { namingSubjectOf } from '../visitors.ts'
import { createCallers } from './callers.ts'
import type { Holder } from './callers.ts'
import { createConcurrencyPool } from './concurrency-pool.ts'
import type { ConcurrencyPool, PoolPlace, Priority, Reason } from './concurrency-pool.ts'
import { createFixedLimit, createQueueLimit, createPressureLimit, MAX_LIMIT, MIN_LIMIT } from './limit.ts'
import type { ConcurrencyLimit, QueueReading, PressureReading } from './limit.ts'
import { openLoopTurn } from './loop-turn.ts'

declare module 'fastify' {
  interface FastifyRequest {
    places: readonly PoolPlace[] | null
    /** Whose verified credential it has; null: a stranger's. */
    holder: Holder | null
    /** Removes the request from `receiving`. Null unless its body has yet to arrive. */
    bodyArrived: (() => void) | null
  }
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

export interface Overload {
  /** Call before any lookup. Fails with overloaded. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Call once the credential was verified, if there is one. Fails with overloaded. */
  admitCaller(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Call before the body is read. Fails with concurrency_limited for an address that sends too many bodies at once. */
  awaitBody<Payload>(request: FastifyRequest, reply: FastifyReply, payload: Payload): Promise<Payload>
  /** Call once the body has arrived. Fails with overloaded for a stranger; others were admitted. */
  resume(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Call when a refused request only waits for the rest of its body: the sender decides how long that takes. */
  leave(request: FastifyRequest): void
  figures(): OverloadFigures
}

const READ_MS = 100
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

export function openOverload(
  app: FastifyInstance,
  ctx: Pick<Context, 'names' | 'db' | 'config'>,
  { now = () => performance.now(), random = Math.random } = {},
): Overload {
  const { overload: mode } = ctx.config
  const callers = createCallers()
  const openLimit = (): ConcurrencyLimit<PressureReading> =>
    mode === 'adaptive' ? createPressureLimit() : createFixedLimit(mode === 'off' ? Infinity : mode)
  const [nodeLimit, strangersLimit] = [openLimit(), openLimit()]
  const namingLimit: ConcurrencyLimit<QueueReading> =
    mode === 'adaptive' ? createQueueLimit({ bearableMs: BEARABLE_NAMING_MS }) : createFixedLimit(nodeLimit.value)
  const pools: Readonly<Record<PoolName, ConcurrencyPool>> = {
    node: createConcurrencyPool({ limit: () => nodeLimit.value, now }),
    naming: createConcurrencyPool({ limit: () => namingLimit.value, now, countsShares: true }),
    receiving: createConcurrencyPool({ limit: () => MAX_LIMIT, now }),
    // A stranger who never reads an answer keeps the place, so it must not be what the next address lacks.
    strangers: createConcurrencyPool({ limit: () => strangersLimit.value, now, countsShares: true }),
  }
  const { bodiesPerAddress } = ctx.config.caps
  const bodies = createConcurrencyCap(bodiesPerAddress)
  const bodiesOfStrangers = createConcurrencyCap(Math.min(MAX_OF_STRANGER, bodiesPerAddress))
  let waiting = 0
  const shed = new Map<string, Refusal & { count: number }>()

  const turn = openLoopTurn()
  const reading = setInterval(() => {
    const pressure = Math.max(turn.readMs() / BEARABLE_TURN_MS, ctx.db.use().waiting / BEARABLE_STATEMENTS)
    const at = now()
    // Strangers give way first.
    const canGiveWay = pressure > 1 && strangersLimit.value > MIN_LIMIT
    strangersLimit.learn({ at, inFlight: pools.strangers.inFlight, pressure })
    if (!canGiveWay) nodeLimit.learn({ at, inFlight: pools.node.inFlight, pressure })
    namingLimit.learn({ ...ctx.names.queue(), inFlight: pools.naming.inFlight })
  }, READ_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(reading)
    turn[Symbol.dispose]()
  })
  app.decorateRequest('places', null)
  app.decorateRequest('holder', null)
  app.decorateRequest('bodyArrived', null)

  function refuse({ pool, priority, reason }: Refusal): never {
    const key = `${pool} ${priority} ${reason}`
    let entry = shed.get(key)
    if (!entry) shed.set(key, (entry = { pool, priority, reason, count: 0 }))
    entry.count++
    // Random, so that callers do not all retry at the same moment.
    throw new ApiError('overloaded', { retryAfter: 1 + Math.floor(random() * 3) })
  }

  /**
   * Fails with overloaded. A stranger on many connections would ask again at once, and refusals would be all that the
   * node does. So they are sent late; those beyond what may wait close the connection.
   */
  async function enterOrRefuse(request: FastifyRequest, reply: FastifyReply, isAdmitted = false): Promise<void> {
    const refusal = enter(request, isAdmitted)
    if (!refusal) {
      // A page takes one turn of the event loop. Without a turn between, all that came in this one would be served in it,
      // and none of it would ever be in flight beside another.
      if (isStranger(request)) await nextTurn()
      return
    }
    if (refusal.pool === 'strangers') {
      if (waiting >= MAX_WAITING) reply.header('Connection', 'close')
      else await waitUnlessClosed(reply, MIN_DELAY_MS * (1 + random()))
    }
    refuse(refusal)
  }

  async function waitUnlessClosed({ raw }: FastifyReply, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    raw.once('close', resolve)
    waiting++
    await promise
    waiting--
    clearTimeout(timer)
  }

  /** Undefined: it has its places. `isAdmitted`: it was let in before, and only strangers need free places again. */
  function enter(request: FastifyRequest, isAdmitted: boolean): Refusal | undefined {
    const { priority: own = 'normal', pool = 'node', access } = request.routeOptions.config
    const { holder } = request
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
    for (const { name, subject } of entered) {
      const isOfStranger = name === 'strangers'
      if (isAdmitted && !isOfStranger) continue
      const most = isOfStranger && !isVerifying && mode !== 'off' ? MAX_OF_STRANGER : Infinity
      const isOverAll = isOfStranger && pools.strangers.inFlight >= MAX_LIMIT
      const reason = isOverAll ? 'full' : pools[name].refusalOf(priority, subject, most)
      if (reason) return { pool: name, priority, reason }
    }
    request.places = entered.map(({ name, subject }) => pools[name].enter(subject))
    return undefined
  }

  return {
    async admit(request, reply) {
      if (request.routeOptions.config.priority === 'never') return
      request.holder = callers.find(credentialOf(request)) ?? null
      // Fires once, also when the caller disconnects.
      reply.raw.once('close', () => leave(request))
      await enterOrRefuse(request, reply)
    },

    async admitCaller(request, reply) {
      const holder = holderOf(request)
      const credential = credentialOf(request)
      if (!holder || credential === undefined) return
      callers.keep(credential, holder)
      const { places, holder: before } = request
      // The close event of a disconnected caller has already fired, so its places would never be released.
      if (!places || before?.subject === holder.subject || reply.raw.destroyed) return
      leave(request)
      request.holder = holder
      await enterOrRefuse(request, reply)
    },

    async awaitBody(request, reply, payload) {
      if (request.raw.complete || !announcesBody(request.headers)) return payload
      const address = addressSubject(request.ip)
      const isOfStranger = isStranger(request)
      const priority = isOfStranger ? 'normal' : 'critical'
      const reason = pools.receiving.refusalOf(priority, address)
      const release = reason ? undefined : (isOfStranger ? bodiesOfStrangers : bodies).take(address)
      if (!release) {
        // The rest of the body will not be read.
        reply.header('Connection', 'close')
        if (reason) refuse({ pool: 'receiving', priority, reason })
        throw new ApiError('concurrency_limited', { retryAfter: BODY_RETRY_SECONDS })
      }
      leave(request)
      const place = pools.receiving.enter(address)
      request.bodyArrived = () => {
        release()
        place.leave()
      }
      reply.raw.once('close', request.bodyArrived)
      return payload
    },

    async resume(request, reply) {
      if (!request.bodyArrived) return
      request.bodyArrived()
      request.bodyArrived = null
      if (!request.places || reply.raw.destroyed) return
      await enterOrRefuse(request, reply, true)
    },

    leave,

    figures: () => ({
      pools: {
        node: { limit: nodeLimit.value, inFlight: pools.node.inFlight },
        naming: { limit: namingLimit.value, inFlight: pools.naming.inFlight },
        receiving: { limit: MAX_LIMIT, inFlight: pools.receiving.inFlight },
        strangers: { limit: strangersLimit.value, inFlight: pools.strangers.inFlight },
      },
      shed: [...shed.values()],
    }),
  }
}

// The pools in which a request counts, by the `pool` of its route.
const POOLS_BY_ROUTE: Readonly<Record<'node' | 'naming', readonly PoolName[]>> = {
  node: ['node'],
  naming: ['node', 'naming'],
}

/** With the address: visitors share the credential of a page. */
function credentialOf({ headers, ip }: FastifyRequest): string | undefined {
  const sent = headers.authorization ?? headers.cookie
  return sent && `${sent} ${addressSubject(ip)}`
}

/** Undefined unless the credential of this request was verified. */
function holderOf(request: FastifyRequest): Holder | undefined {
  const { session, person } = request
  if (person) return { subject: `person ${person.userId}`, isVisitor: false }
  if (!session) return undefined
  const { kind, id } = namingSubjectOf({ ip: request.ip, caller: session.caller })
  return { subject: `${kind} ${id}`, isVisitor: kind === 'visitor' }
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
