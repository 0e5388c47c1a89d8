/** How fast somebody may change settings: a page needs far less, and a stolen session gets no further. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { addressSubject } from '../../limits/limits.ts'
import type { Person } from '../../people/people.ts'

const CHANGES = { name: 'settings', perHour: 600, burst: 60 }

/** Fails with rate_limited. Counts the person and the address they come from. */
export async function keepPace(ctx: Context, request: FastifyRequest, { userId }: Person): Promise<void> {
  const subjects = [userId, addressSubject(request.ip)]
  const { allowed, retryMs } = await ctx.limits.take(subjects.map((subject) => ({ ...CHANGES, subject })))
  if (!allowed) throw new ApiError('rate_limited', { retryAfter: Math.max(1, Math.ceil(retryMs / 1000)) })
}
