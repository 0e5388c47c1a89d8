/** A POST with an Idempotency-Key: answered from what is stored, or done once and stored with its effect. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Statement } from '../db/db.ts'
import type { StoredAnswer } from '../idempotency/idempotency.ts'
import { sessionOf } from './auth.ts'

/** Does the work; whatever `storing` answers must be committed with its effect. */
type Work = (storing: (answer: StoredAnswer) => readonly Statement[]) => Promise<StoredAnswer>

// The claim outlives the longest request a little, and a dead node's claim not by much.
const CLAIM_SLACK_MS = 5_000

export async function answerOnce(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { lastsMs }: { lastsMs: number },
  work: Work,
): Promise<FastifyReply> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return send(reply, await work(() => []))
  await using attempt = await ctx.idempotency.begin(sessionOf(request).caller.accountId, {
    key: String(key),
    operation: `${request.method} ${request.routeOptions.url}`,
    body: JSON.stringify(request.body),
    lastsMs: lastsMs + CLAIM_SLACK_MS,
  })
  if (attempt.answered) return replay(reply, attempt.answered)
  try {
    return send(reply, await work((answer) => attempt.storing(answer)))
  } catch (error) {
    const first = await attempt.answerOfWinner(error)
    if (!first) throw error
    return replay(reply, first)
  }
}

function replay(reply: FastifyReply, answer: StoredAnswer): FastifyReply {
  return send(reply.header('Idempotent-Replayed', 'true'), answer)
}

function send(reply: FastifyReply, { status, headers, body }: StoredAnswer): FastifyReply {
  return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
}
