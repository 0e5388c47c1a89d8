/**
 * POST /settings/me/step-up: the person proves their identity again; GET lists the methods they can use. A person who
 * has only an identity provider signs in there again.
 */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { RECENT_SECONDS } from '../../model/person.ts'
import { successOf } from '../../http/wire/texts.ts'
import { headersOf, personOf } from '../../http/settings/session-auth.ts'
import { limitGuesses, stepUpRequired } from '../../http/step-up.ts'
import { noteOwn } from '../../http/settings/note-own.ts'
import { applyRateLimit } from '../../http/settings/rate-limit.ts'
import { StepUpBody } from '../accounts/schemas.ts'

const STEP_UP = '/settings/me/step-up'

export function stepUpRoutes(app: FastifyInstance, ctx: Context): void {
  app.get(STEP_UP, async (request, reply) => {
    const { userId, provedAt } = personOf(request)
    const { passkeys, providers, hasPassword, twoFactor } = await ctx.people.listSignInMethods(userId)
    const methods = [
      ...(hasPassword ? ['password'] : []),
      ...(passkeys.length > 0 ? ['passkey'] : []),
      ...(twoFactor ? ['code'] : []),
    ]
    return reply.send(successOf(JSON.stringify({ methods, providers, proved_until: untilOf(provedAt.getTime()) })))
  })

  app.post<{ Body: StepUpBody }>(STEP_UP, { schema: { body: StepUpBody } }, async (request, reply) => {
    const person = personOf(request)
    await applyRateLimit(ctx, request, person)
    await limitGuesses(ctx, request, person)
    if (!(await ctx.people.proveAgain(person, request.body, headersOf(request)))) {
      await noteOwn(ctx, request, person, 'sign_in_failed', { step: 'step_up' })
      throw stepUpRequired()
    }
    return reply.send(successOf(JSON.stringify({ proved_until: untilOf(ctx.now()) })))
  })
}

function untilOf(provedAt: number): Date {
  return new Date(provedAt + RECENT_SECONDS * 1000)
}
