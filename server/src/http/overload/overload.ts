/**
 * What a node does when more is asked of it than it can do: it turns away the rest, quickly and in the right order.
 *
 *   route → its priority and its lanes → is there room? → [token → account] → is it within its share? → work → out
 *
 * Three lanes, each for one thing that can run short. `node` is for everything: the event loop and the database. `naming`
 * is for what needs the naming threads, too, so that a rush for names leaves reading alone. `watching` is for readers
 * who wait for something to happen: they cost a socket and a look now and then, and would only fill the others.
 *
 * The decision is made before the token is looked at and before the body is read. Whose a request is matters only when a
 * lane is busy, and is then known from the last time; a credential that was never seen here is judged after it was
 * verified. Who is turned away has begun nothing, has spent nothing and may keep the connection.
 *
 * Never shed: health, metrics, signing out.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { createCallers } from './callers.ts'
import { createLane } from './lane.ts'
import type { Lane, Place, Priority, Reason } from './lane.ts'
import { createFixedLimit, createLineLimit, createPressureLimit } from './limit.ts'
import type { Limit, LineReading, PressureReading } from './limit.ts'
import { openLoopTurn } from './loop-turn.ts'

declare module 'fastify' {
  interface FastifyRequest {
    places: readonly Place[] | null
  }
  interface FastifyContextConfig {
    /** What is shed first when there is too much to do: bulk, then normal, which is all that says nothing, then critical. */
    priority?: Priority | 'never'
    /** `naming`: it needs the naming threads, too. `watching`: it waits for something to happen. */
    lane?: 'naming' | 'watching'
  }
}

export const LANES = ['node', 'naming', 'watching'] as const
export type LaneName = (typeof LANES)[number]

export interface OverloadFigures {
  readonly lanes: Readonly<Record<LaneName, { readonly limit: number; readonly inFlight: number }>>
  readonly shed: readonly {
    readonly lane: LaneName
    readonly priority: Priority
    readonly reason: Reason
    readonly count: number
  }[]
}

export interface Overload {
  /** Before anybody is asked anything. Fails with overloaded. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Once the caller is known. Fails with overloaded. */
  recognize(request: FastifyRequest): Promise<void>
  figures(): OverloadFigures
}

const READ_MS = 100
// Somebody who looks at a page waits half a second without noticing; the rest is for availability and the commit.
const BEARABLE_NAMING_MS = 150
// A request takes about ten turns, and who is turned away takes one.
const BEARABLE_TURN_MS = 20
// Ten for each connection: a fifth of a second, where a commit takes twenty milliseconds.
const BEARABLE_STATEMENTS = 100
// Each looks into the database twice a second.
const MOST_WATCHING = 1_000

export function openOverload(
  app: FastifyInstance,
  ctx: Pick<Context, 'names' | 'db' | 'config'>,
  { now = () => performance.now(), random = Math.random } = {},
): Overload {
  const { overload: mode } = ctx.config
  const callers = createCallers()
  const nodeLimit: Limit<PressureReading> =
    typeof mode === 'number'
      ? createFixedLimit(mode)
      : mode === 'off'
        ? createFixedLimit(Infinity)
        : createPressureLimit()
  const namingLimit: Limit<LineReading> =
    mode === 'adaptive' ? createLineLimit({ bearableMs: BEARABLE_NAMING_MS }) : createFixedLimit(nodeLimit.value)
  const lanes: Readonly<Record<LaneName, Lane>> = {
    node: createLane({ limit: () => nodeLimit.value, now }),
    naming: createLane({ limit: () => namingLimit.value, now }),
    watching: createLane({ limit: () => MOST_WATCHING, now }),
  }
  const shed = new Map<string, { lane: LaneName; priority: Priority; reason: Reason; count: number }>()

  const turn = openLoopTurn()
  const reading = setInterval(() => {
    const pressure = Math.max(turn.readMs() / BEARABLE_TURN_MS, ctx.db.use().waiting / BEARABLE_STATEMENTS)
    nodeLimit.learn({ at: now(), inFlight: lanes.node.inFlight, pressure })
    namingLimit.learn({ ...ctx.names.line(), inFlight: lanes.naming.inFlight })
  }, READ_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(reading)
    turn[Symbol.dispose]()
  })
  app.decorateRequest('places', null)

  function refuse(lane: LaneName, priority: Priority, reason: Reason): never {
    const key = `${lane} ${priority} ${reason}`
    let entry = shed.get(key)
    if (!entry) shed.set(key, (entry = { lane, priority, reason, count: 0 }))
    entry.count++
    // Not all of them at the same moment.
    throw new ApiError('overloaded', { retryAfter: 1 + Math.floor(random() * 3) })
  }

  return {
    async admit(request, reply) {
      const { priority = 'normal', lane } = request.routeOptions.config
      if (priority === 'never') return
      const names = WAYS[lane ?? 'node']
      const isBusy = names.some((name) => lanes[name].isBusy(priority))
      const account = isBusy ? callers.find(request.headers.authorization) : undefined
      for (const name of names) {
        const reason = lanes[name].refusalOf(priority, account)
        if (reason) refuse(name, priority, reason)
      }
      const places = names.map((name) => lanes[name].enter(account))
      request.places = places
      // Comes once, also for a caller who hangs up.
      reply.raw.once('close', () => {
        for (const place of places) place.leave()
      })
    },

    async recognize(request) {
      const { session, places } = request
      const { authorization } = request.headers
      if (!session || !places || authorization === undefined) return
      const { accountId } = session.caller
      callers.keep(authorization, accountId)
      const { priority = 'normal', lane } = request.routeOptions.config
      for (const [at, name] of WAYS[lane ?? 'node'].entries()) {
        const place = places[at]
        if (!place || place.subject !== undefined || priority === 'never') continue
        if (lanes[name].refusalOf(priority, accountId) === 'share') refuse(name, priority, 'share')
        place.belongsTo(accountId)
      }
    },

    figures: () => ({
      lanes: {
        node: { limit: nodeLimit.value, inFlight: lanes.node.inFlight },
        naming: { limit: namingLimit.value, inFlight: lanes.naming.inFlight },
        watching: { limit: MOST_WATCHING, inFlight: lanes.watching.inFlight },
      },
      shed: [...shed.values()],
    }),
  }
}

const WAYS: Readonly<Record<LaneName, readonly LaneName[]>> = {
  node: ['node'],
  naming: ['node', 'naming'],
  watching: ['watching'],
}
