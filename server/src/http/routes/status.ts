/**
 * GET /v1/status: how the node is, how right its own answers have been, and how old the index is. All of it is known
 * in the process, so it is told also while everything else is away.
 */
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { closed, Instant, success } from '../../wire/schemas.ts'
import { successOf } from '../../wire/texts.ts'
import { createMinutes } from '../minutes.ts'
import { PART_STATES, partsOf, RUNGS, rungsOf } from './state-of-parts.ts'

const PartState = Type.String({ enum: [...PART_STATES] })

const Status = success(
  Type.Object(
    {
      audit: Type.Array(
        Type.Object(
          {
            suffix: Type.String(),
            source: Type.String(),
            confirmed: Type.Integer(),
            contradicted: Type.Integer(),
            unanswered: Type.Integer(),
            precision: Type.Union([Type.Number(), Type.Null()], { description: 'Confirmed of those answered.' }),
          },
          closed,
        ),
        { description: 'What callers were told is available, asked again later elsewhere. Of this node.' },
      ),
      index: Type.Array(Type.Object({ suffix: Type.String(), names: Type.Integer(), snapshot_at: Instant }, closed)),
      redis: Type.Boolean(),
      parts: Type.Object(
        { database: PartState, redis: PartState, registries: PartState, language_model: PartState },
        { ...closed, description: 'How what the node stands on is just now. More parts may be added.' },
      ),
      in_force: Type.Array(Type.String({ enum: [...RUNGS] }), {
        description: 'What the node does differently because a part is away; empty when all is well.',
      }),
      last_hour: Type.Object(
        { minutes: Type.Integer(), down: Type.Integer() },
        {
          ...closed,
          description:
            'Minutes of the last hour in which this node was called, and those in which more than 5 % of the answers failed.',
        },
      ),
    },
    closed,
  ),
  'StatusAnswer',
)

const OUR_FAULT = 500

export function statusRoute(app: FastifyInstance, ctx: Context): void {
  const minutes = createMinutes(ctx.now)
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.url?.startsWith('/v1/')) minutes.note(reply.statusCode >= OUR_FAULT)
    done()
  })

  app.get(
    '/v1/status',
    {
      config: { scope: 'domains:check' },
      schema: { summary: 'How the service is, and how right its answers have been', response: { 200: Status } },
    },
    (_request, reply) => {
      const { counted, down } = minutes.read()
      const status = {
        audit: auditOf(ctx),
        index: indexOf(ctx),
        redis: ctx.cache.isUp(),
        parts: partsOf(ctx),
        in_force: rungsOf(ctx),
        last_hour: { minutes: counted, down },
      }
      return reply.send(successOf(JSON.stringify(status)))
    },
  )
}

/** How right this node's answers have been. */
export function auditOf(ctx: Context) {
  return ctx.audit.tallies().map(({ confirmed, contradicted, ...rest }) => {
    const answered = confirmed + contradicted
    return { ...rest, confirmed, contradicted, precision: answered === 0 ? null : confirmed / answered }
  })
}

export function indexOf(ctx: Context) {
  return [...(ctx.index?.suffixes() ?? [])].map(([suffix, { names, snapshotAt }]) => ({
    suffix,
    names,
    snapshot_at: new Date(snapshotAt).toISOString(),
  }))
}
