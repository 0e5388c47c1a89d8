/** How fast somebody may change settings: a page needs far less, and a stolen session gets no further. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { addressSubject } from '../../limits/limits.ts'
import type { Person } from '../../people/people.ts'
import { requireWithin } from '../within-limits.ts'

const CHANGES = { name: 'settings', perHour: 600, burst: 60 }

/** Fails with rate_limited. Counts the person and the address they come from. */
export async function keepPace(ctx: Context, request: FastifyRequest, { userId }: Person): Promise<void> {
  const subjects = [userId, addressSubject(request.ip)]
  await requireWithin(
    ctx,
    subjects.map((subject) => ({ ...CHANGES, subject })),
  )
}
