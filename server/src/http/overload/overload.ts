/**
 * Overload protection: when a node gets more requests than it can handle, it sheds the rest, quickly and by priority.
 *
 *   route → its priority and pools → overload check → [credential → account] → share check → body → work
 *
 * Three concurrency pools protect one resource each. `node` is for everything: the event loop and the database.
 * `naming` is also for what needs the naming threads, so that a rush for names does not slow down reads. `watching` is
 * for readers that wait for events: they cost a socket, and would only fill the other pools.
 *
 * A request whose body has not arrived does not count in these pools, because the sender decides how long that takes.
 * It counts in a fourth pool, `receiving`, by IP address, and in its own pools again when the body is there.
 *
 * The overload check runs before the credential is verified and before the body is read. The account matters only when
 * a pool is busy, and is then known from an earlier request with this credential. If the credential is new to this
 * node, the share check follows after it was verified. A shed request has started nothing, has used no quota and may
 * keep the connection.
 *
 * Never shed: health checks, signing out.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { addressSubject } from '../../tenancy/limits/limits.ts'
import { createConcurrencyCap } from '../concurrency-cap.ts'
import { namingSubjectOf } from '../visitors.ts'
import { createCallers } from './callers.ts'
import { createConcurrencyPool } from './concurrency-pool.ts'
import type { ConcurrencyPool, PoolPlace, Priority, Reason } from './concurrency-pool.ts'
import { createFixedLimit, createQueueLimit, createPressureLimit, MAX_LIMIT } from './limit.ts'
import type { ConcurrencyLimit, QueueReading, PressureReading } from './limit.ts'
import { openLoopTurn } from './loop-turn.ts'

declare module 'fastify' {
  interface FastifyRequest {
    places: readonly PoolPlace[] | null
    /** Removes the request from `receiving`. Null unless its body has yet to arrive. */
    bodyArrived: (() => void) | null
  }
  interface FastifyContextConfig {
    /** Shed in this order: bulk, then normal (the default), then critical. */
    priority?: Priority | 'never'
    /** `naming`: also needs the naming threads. `watching`: waits for events. */
    pool?: 'naming' | 'watching'
  }
}

export const POOLS = ['node', 'naming', 'watching', 'receiving'] as const
export type PoolName = (typeof POOLS)[number]

export interface OverloadFigures {
  readonly pools: Readonly<Record<PoolName, { readonly limit: number; readonly inFlight: number }>>
  readonly shed: readonly {
    readonly pool: PoolName
    readonly priority: Priority
    readonly reason: Reason
    readonly count: number
  }[]
}

export interface Overload {
  /** Call before any lookup. Fails with overloaded. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Call once the caller is known. Fails with overloaded. */
  admitCaller(request: FastifyRequest): Promise<void>
  /** Call before the body is read. Fails with concurrency_limited for an address that sends too many bodies at once. */
  awaitBody<Payload>(request: FastifyRequest, reply: FastifyReply, payload: Payload): Promise<Payload>
  /** Call once the body has arrived. Never fails: the request was admitted. */
  resume(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Call when a refused request only waits for the rest of its body: the sender decides how long that takes. */
  leave(request: FastifyRequest): void
  figures(): OverloadFigures
}

const READ_MS = 100
// The wait for a naming thread. A person hardly notices half a second; the rest is for availability and the commit.
const BEARABLE_NAMING_MS = 150
// One turn of the event loop. A request takes about ten turns, a shed one takes one.
const BEARABLE_TURN_MS = 20
// Statements that wait for a database connection. With ten connections that is ten each: a fifth of a second, if a
// commit takes twenty milliseconds.
const BEARABLE_STATEMENTS = 100
// Each costs a socket, a heartbeat and a place in the node's one poll.
const MAX_WATCHING = 5_000
// Short: the address may send again as soon as one of its bodies has arrived.
const BODY_RETRY_SECONDS = 1

export function openOverload(
  app: FastifyInstance,
  ctx: Pick<Context, 'names' | 'db' | 'config'>,
  { now = () => performance.now(), random = Math.random } = {},
): Overload {
  const { overload: mode } = ctx.config
  const callers = createCallers()
  const nodeLimit: ConcurrencyLimit<PressureReading> =
    typeof mode === 'number'
      ? createFixedLimit(mode)
      : mode === 'off'
        ? createFixedLimit(Infinity)
        : createPressureLimit()
  const namingLimit: ConcurrencyLimit<QueueReading> =
    mode === 'adaptive' ? createQueueLimit({ bearableMs: BEARABLE_NAMING_MS }) : createFixedLimit(nodeLimit.value)
  const pools: Readonly<Record<PoolName, ConcurrencyPool>> = {
    node: createConcurrencyPool({ limit: () => nodeLimit.value, now }),
    naming: createConcurrencyPool({ limit: () => namingLimit.value, now, isQueueFair: true }),
    watching: createConcurrencyPool({ limit: () => MAX_WATCHING, now }),
    receiving: createConcurrencyPool({ limit: () => MAX_LIMIT, now }),
  }
  const bodies = createConcurrencyCap(ctx.config.caps.bodiesPerAddress)
  const shed = new Map<string, { pool: PoolName; priority: Priority; reason: Reason; count: number }>()

  const turn = openLoopTurn()
  const reading = setInterval(() => {
    const pressure = Math.max(turn.readMs() / BEARABLE_TURN_MS, ctx.db.use().waiting / BEARABLE_STATEMENTS)
    nodeLimit.learn({ at: now(), inFlight: pools.node.inFlight, pressure })
    namingLimit.learn({ ...ctx.names.queue(), inFlight: pools.naming.inFlight })
  }, READ_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(reading)
    turn[Symbol.dispose]()
  })
  app.decorateRequest('places', null)
  app.decorateRequest('bodyArrived', null)

  function refuse(pool: PoolName, priority: Priority, reason: Reason): never {
    const key = `${pool} ${priority} ${reason}`
    let entry = shed.get(key)
    if (!entry) shed.set(key, (entry = { pool, priority, reason, count: 0 }))
    entry.count++
    // Random, so that callers do not all retry at the same moment.
    throw new ApiError('overloaded', { retryAfter: 1 + Math.floor(random() * 3) })
  }

  return {
    async admit(request, reply) {
      const { priority = 'normal', pool } = request.routeOptions.config
      if (priority === 'never') return
      const names = POOLS_BY_ROUTE[pool ?? 'node']
      const isBusy = names.some((name) => pools[name].isBusy(priority))
      const account = isBusy ? callers.find(credentialOf(request)) : undefined
      for (const name of names) {
        const reason = pools[name].refusalOf(priority, account)
        if (reason) refuse(name, priority, reason)
      }
      request.places = names.map((name) => pools[name].enter(account))
      // Fires once, also when the caller disconnects.
      reply.raw.once('close', () => leave(request))
    },

    async admitCaller(request) {
      const { session, places } = request
      const credential = credentialOf(request)
      if (!session || !places || credential === undefined) return
      const { kind, id } = namingSubjectOf(request, session.caller)
      const subject = `${kind} ${id}`
      callers.keep(credential, subject)
      const { priority = 'normal', pool } = request.routeOptions.config
      for (const [at, name] of POOLS_BY_ROUTE[pool ?? 'node'].entries()) {
        const place = places[at]
        if (!place || place.subject !== undefined || priority === 'never') continue
        if (pools[name].refusalOf(priority, subject) === 'share') refuse(name, priority, 'share')
        place.belongsTo(subject)
      }
    },

    async awaitBody(request, reply, payload) {
      if (request.raw.complete || !announcesBody(request.headers)) return payload
      const address = addressSubject(request.ip)
      const reason = pools.receiving.refusalOf('critical', address)
      const release = reason ? undefined : bodies.take(address)
      if (!release) {
        // The rest of the body will not be read.
        reply.header('Connection', 'close')
        if (reason) refuse('receiving', 'critical', reason)
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
      const { pool } = request.routeOptions.config
      const before = request.places
      // The close event of a disconnected caller has already fired, so its places would never be released.
      if (!before || reply.raw.destroyed) return
      request.places = POOLS_BY_ROUTE[pool ?? 'node'].map((name, at) => pools[name].enter(before[at]?.subject))
    },

    leave,

    figures: () => ({
      pools: {
        node: { limit: nodeLimit.value, inFlight: pools.node.inFlight },
        naming: { limit: namingLimit.value, inFlight: pools.naming.inFlight },
        watching: { limit: MAX_WATCHING, inFlight: pools.watching.inFlight },
        receiving: { limit: MAX_LIMIT, inFlight: pools.receiving.inFlight },
      },
      shed: [...shed.values()],
    }),
  }
}

// The pools in which a request counts, by the `pool` of its route.
const POOLS_BY_ROUTE: Readonly<Record<'node' | 'naming' | 'watching', readonly PoolName[]>> = {
  node: ['node'],
  naming: ['node', 'naming'],
  watching: ['watching'],
}

/** With the address: visitors share the credential of a page. */
function credentialOf({ headers, ip }: FastifyRequest): string | undefined {
  return headers.authorization && `${headers.authorization} ${addressSubject(ip)}`
}

function leave({ places }: FastifyRequest): void {
  for (const place of places ?? []) place.leave()
}

function announcesBody(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
