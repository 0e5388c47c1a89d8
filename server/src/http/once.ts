/** A POST with an Idempotency-Key: answered from what is stored, or done once and stored with its effect. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Statement } from '../db/db.ts'
import type { StoredAnswer } from '../idempotency/idempotency.ts'
import { sessionOf } from './auth.ts'

/** `isPutOff`: its commit waits for the database. */
export type Done = StoredAnswer & { readonly isPutOff?: true }

/**
 * Does the work; whatever `storing` answers must be committed with its effect. `hear` is there when somebody listens
 * meanwhile.
 */
export type Work<News extends readonly unknown[] = []> = (
  storing: (answer: StoredAnswer) => readonly Statement[],
  hear?: (...news: News) => void,
) => Promise<Done>

interface Attempted {
  readonly lastsMs: number
  /** Stands for a body that is too large to be written again. */
  readonly fingerprint?: string
}

// The claim outlives the longest request a little, and a dead node's claim not by much.
const CLAIM_SLACK_MS = 5_000

export function answerOnce(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  attempted: Attempted,
  work: Work,
): Promise<FastifyReply> {
  return doOnce(ctx, request, attempted, work, ({ status, headers, body }, isReplay) => {
    if (isReplay) reply.header('Idempotent-Replayed', 'true')
    return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body)
  })
}

/** `deliver` is called once, with the answer of this work or of an earlier one that was the same. */
export async function doOnce<T>(
  ctx: Context,
  request: FastifyRequest,
  { lastsMs, fingerprint }: Attempted,
  work: Work,
  deliver: (answer: StoredAnswer, isReplay: boolean) => T | Promise<T>,
): Promise<T> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return deliver(await work(() => []), false)
  const { accountId, keyId, isPublishable } = sessionOf(request).caller
  await using attempt = await ctx.idempotency.begin(accountId, {
    key: String(key),
    // Strangers must not take the keys that the account's own programs are about to use.
    space: isPublishable ? keyId : undefined,
    operation: `${request.method} ${request.url.split('?')[0]}`,
    body: fingerprint ?? JSON.stringify(request.body ?? null),
    lastsMs: lastsMs + CLAIM_SLACK_MS,
  })
  if (attempt.answered) return deliver(attempt.answered, true)
  try {
    const { isPutOff, ...answer } = await work((stored) => attempt.storing(stored))
    if (isPutOff) await attempt.putOff(answer)
    return deliver(answer, false)
  } catch (error) {
    const first = await attempt.answerOfWinner(error)
    if (!first) throw error
    return deliver(first, true)
  }
}
