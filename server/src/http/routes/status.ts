/** GET /v1/status: how right our own answers have been, and how old the index is. */
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { closed, Instant, success } from '../../wire/schemas.ts'
import { successOf } from '../../wire/texts.ts'

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
    },
    closed,
  ),
  'StatusAnswer',
)

export function statusRoute(app: FastifyInstance, ctx: Context): void {
  app.get(
    '/v1/status',
    {
      config: { scope: 'domains:check' },
      schema: { summary: 'How right our own answers have been', response: { 200: Status } },
    },
    (_request, reply) =>
      reply.send(successOf(JSON.stringify({ audit: auditOf(ctx), index: indexOf(ctx), redis: ctx.cache.isUp() }))),
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
