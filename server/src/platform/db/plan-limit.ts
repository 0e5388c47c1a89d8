/** Converts a refusal by the triggers of `migrations/0017_plans.sql` into the error for the caller. */
import { ApiError } from '../../errors.ts'

const PREFIX = 'plan_'
// These end on their own; all others must be removed by a person.
const TEMPORARY = new Set(['running_batches'])
const RETRY_SECONDS = 30

/** Undefined for any other error. */
export function planLimitOf(error: unknown): ApiError | undefined {
  if (!(error instanceof Error && 'constraint' in error && 'detail' in error)) return undefined
  const constraint = String(error.constraint)
  if (!constraint.startsWith(PREFIX)) return undefined
  const what = constraint.slice(PREFIX.length)
  const params = { what, limit: Number(error.detail) }
  return TEMPORARY.has(what)
    ? new ApiError('concurrency_limited', { params, retryAfter: RETRY_SECONDS, cause: error })
    : new ApiError('account_limit', { params, cause: error })
}
