/**
 * Step-up ("confirm it is you"): actions that create or reveal credentials, or cannot be undone, require that the
 * person signed in or proved their identity within the last minutes. A stolen session is then not enough.
 *
 * A declared route says `stepUp: true`, or gives a function of its body where only some requests need it.
 * `pages/step-up.ts` asks on a page.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ApiError } from '../model/errors.ts'
import { RECENT_SECONDS, type Person } from '../model/person.ts'
import { noteOwn } from './settings/note-own.ts'
import { rateLimited } from './within-limits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly stepUp?: true | ((body: never) => boolean)
  }
}

export function isRecent(ctx: Context, { provedAt }: Person): boolean {
  return ctx.now() - provedAt.getTime() <= RECENT_SECONDS * 1000
}

export function requireRecent(ctx: Context, person: Person): void {
  if (!isRecent(ctx, person)) throw stepUpRequired()
}

export function stepUpRequired(): ApiError {
  return new ApiError('recent_sign_in_required', { params: { minutes: RECENT_SECONDS / 60 } })
}

/** Per person, wherever a session can be used to try a password or a code. */
export const GUESSES = { name: 'guess', perHour: 20, burst: 10 } as const

/** Fails with rate_limited. Further guesses suggest a stolen session, so the session ends. */
export async function limitGuesses(ctx: Context, request: Pick<FastifyRequest, 'ip'>, person: Person): Promise<void> {
  const { userId, sessionId } = person
  const { allowed, retryMs } = await ctx.limits.take([{ ...GUESSES, subject: userId }])
  if (allowed) return
  await ctx.people.endSession(userId, sessionId)
  await noteOwn(ctx, request, person, 'session_ended', { session_id: sessionId, reason: 'guesses' })
  throw rateLimited(retryMs)
}
