/** The rate limit for changes in the settings: far more than a page needs, and a bound for a stolen session. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { addressSubject } from '../../platform/limits/limits.ts'
import type { Person } from '../../model/person.ts'
import { requireWithin } from '../within-limits.ts'

const CHANGES = { name: 'settings', perHour: 600, burst: 60 }

/** Fails with rate_limited. Counts the person and the IP address. */
export async function applyRateLimit(ctx: Context, request: FastifyRequest, { userId }: Person): Promise<void> {
  const subjects = [userId, addressSubject(request.ip)]
  await requireWithin(
    ctx,
    subjects.map((subject) => ({ ...CHANGES, subject })),
  )
}
