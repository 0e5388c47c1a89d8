/** A POST with an Idempotency-Key: replays the stored response, or does the work once and stores its response. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Statement } from '../platform/db/db.ts'
import type { StoredAnswer } from '../platform/idempotency/idempotency.ts'
import { sessionOf } from './auth.ts'
import { beginAttempt, identityOf } from './commit.ts'

/** Does the work. The statements that `storing` returns must be committed with its effect. */
export type IdempotentWork = (storing: (answer: StoredAnswer) => readonly Statement[]) => Promise<StoredAnswer>

interface Attempted {
  readonly maxDurationMs: number
}

export function answerOnce(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  attempted: Attempted,
  work: IdempotentWork,
): Promise<FastifyReply> {
  return doOnce(ctx, request, attempted, work, ({ status, headers, body }, isReplay) => {
    if (isReplay) reply.header('Idempotent-Replayed', 'true')
    return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
  })
}

/** Calls `deliver` once, with the response of this work or of an earlier one with the same key. */
export async function doOnce<T>(
  ctx: Context,
  request: FastifyRequest,
  { maxDurationMs }: Attempted,
  work: IdempotentWork,
  deliver: (answer: StoredAnswer, isReplay: boolean) => T | Promise<T>,
): Promise<T> {
  // A route that people also call in the settings stores nothing for them.
  const key = request.session ? request.headers['idempotency-key'] : undefined
  if (request.routeOptions.config.idempotencyKey === 'ignored') return deliver(await work(() => []), false)
  if (key === undefined) {
    ctx.db.requirePrimary()
    return deliver(await work(() => []), false)
  }
  const { caller } = sessionOf(request)
  const operation = `${request.method} ${request.url.split('?')[0]}`
  const identity = identityOf({ caller, operation, body: request.body, key: String(key) })
  await using attempt = await beginAttempt(ctx, caller, identity, maxDurationMs)
  if (attempt.answered) return deliver(attempt.answered, true)
  ctx.db.requirePrimary()
  try {
    const answer = await work((stored) => attempt.storing(stored))
    return deliver(answer, false)
  } catch (error) {
    const first = await attempt.answerOfWinner(error)
    if (!first) throw error
    return deliver(first, true)
  }
}
