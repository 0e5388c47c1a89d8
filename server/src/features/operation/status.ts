/**
 * GET /v1/status: the state of the node, the accuracy of its results, and the age of the index. All of it is in memory,
 * so it works even while everything else is unreachable.
 */
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { TRUST_STATES } from '../../engines/availability/trust.ts'
import type { Context } from '../../context.ts'
import { closed, Instant, success } from '../../http/wire/schemas.ts'
import { successOf } from '../../http/wire/texts.ts'
import { createMinutes } from '../../http/minutes.ts'
import { PART_STATES, partsOf, DEGRADATIONS, degradationsOf, trustsOf } from './state-of-parts.ts'

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
            precision: Type.Union([Type.Number(), Type.Null()], {
              description: 'Share of checked domains that were confirmed.',
            }),
          },
          closed,
        ),
        { description: 'Domains that this node reported as available, checked again later with another source.' },
      ),
      index: Type.Array(Type.Object({ suffix: Type.String(), names: Type.Integer(), snapshot_at: Instant }, closed)),
      redis: Type.Boolean(),
      parts: Type.Object(
        { database: PartState, redis: PartState, registries: PartState, language_model: PartState },
        { ...closed, description: 'Current state of the dependencies of this node. More may be added.' },
      ),
      sources: Type.Array(
        Type.Object(
          {
            source: Type.String({
              description: '`dns` for a resolver, `index`, the name of a registrar, or the host of a registry.',
            }),
            state: Type.String({ enum: [...TRUST_STATES] }),
            since: Instant,
            why: Type.Union([Type.String(), Type.Null()], {
              description: 'Why the source is not trusted, or what of it cannot be used, in English.',
            }),
          },
          closed,
        ),
        {
          description:
            'Whether this node trusts its sources. It tests each source with domains whose status is known. Results of an untrusted or unreachable source count as unknown.',
        },
      ),
      sandbox: Type.Boolean({
        description: 'True in sandbox mode: domains and prices are made up, and no real source is used.',
      }),
      in_force: Type.Array(Type.String({ enum: [...DEGRADATIONS] }), {
        description: 'Active fallbacks while a dependency is down. Empty when all dependencies are healthy.',
      }),
      last_hour: Type.Object(
        { minutes: Type.Integer(), down: Type.Integer() },
        {
          ...closed,
          description:
            'Minutes of the last hour with requests to this node, and minutes in which more than 5 % of the responses failed.',
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
      schema: { summary: 'Get the service status and its accuracy', response: { 200: Status } },
    },
    (_request, reply) => {
      const { counted, down } = minutes.read()
      const status = {
        audit: auditOf(ctx),
        index: indexOf(ctx),
        redis: ctx.cache.state() === 'up',
        parts: partsOf(ctx),
        sources: trustsOf(ctx),
        sandbox: ctx.config.sandbox,
        in_force: degradationsOf(ctx),
        last_hour: { minutes: counted, down },
      }
      return reply.send(successOf(JSON.stringify(status)))
    },
  )
}

/** The accuracy of this node's results. */
function auditOf(ctx: Context) {
  return ctx.audit.tallies().map(({ confirmed, contradicted, ...rest }) => {
    const answered = confirmed + contradicted
    return { ...rest, confirmed, contradicted, precision: answered === 0 ? null : confirmed / answered }
  })
}

function indexOf(ctx: Context) {
  return [...(ctx.index?.suffixes() ?? [])].map(([suffix, { names, snapshotAt }]) => ({
    suffix,
    names,
    snapshot_at: new Date(snapshotAt).toISOString(),
  }))
}
