/**
 * Ends a stream when its credential is no longer valid. The credential was verified when the stream began. This
 * verifies it again while the stream is open, so that a removed member, a revoked key or a suspended account gets
 * nothing more within a second.
 *
 * A credential that merely expires does not end its streams: each ends by itself within minutes.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError, ERRORS } from '../../model/errors.ts'
import { verifyAgain } from '../auth.ts'

// Nodes see a change within 300 ms; together with this it is less than a second.
const EVERY_MS = 400

/** As if the reader had disconnected: the work ends, and what was sent is charged. */
export function cutWhenRefused(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  const timer = setInterval(() => {
    verifyAgain(ctx, request).catch((error: unknown) => {
      if (!isRefusal(error)) return
      clearInterval(timer)
      reply.raw.destroy()
    })
  }, EVERY_MS).unref()
  reply.raw.once('close', () => clearInterval(timer))
}

/** An error of the database is not a refusal. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code === 'expired_token') return false
  const { status } = ERRORS[error.code]
  return status === 401 || status === 403
}
