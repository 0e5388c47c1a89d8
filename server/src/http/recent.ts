/** For what cannot be undone: whoever does it must have signed in a moment ago. */
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { RECENT_SECONDS } from '../people/people.ts'
import type { Person } from '../people/people.ts'

export function requireRecent(ctx: Context, { signedInAt }: Person): void {
  if (ctx.now() - signedInAt.getTime() <= RECENT_SECONDS * 1000) return
  throw new ApiError('recent_sign_in_required', { params: { minutes: RECENT_SECONDS / 60 } })
}
