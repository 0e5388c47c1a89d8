/** Converts a refusal by the trigger function `keep_within_plan` into the error for the caller. */
import { ApiError } from '../../model/errors.ts'

const PREFIX = 'plan_'
// These end on their own; all others must be removed by a person.
const TEMPORARY = new Set(['running_batches'])
const STORED = new Set(['favorites'])
const RETRY_SECONDS = 30

/** Undefined for any other error. */
export function planLimitOf(error: unknown): ApiError | undefined {
  if (!(error instanceof Error && 'constraint' in error && 'detail' in error)) return undefined
  const constraint = String(error.constraint)
  if (!constraint.startsWith(PREFIX)) return undefined
  const what = constraint.slice(PREFIX.length)
  const params = { what, limit: Number(error.detail) }
  if (TEMPORARY.has(what))
    return new ApiError('concurrency_limited', { params, retryAfter: RETRY_SECONDS, cause: error })
  return new ApiError(STORED.has(what) ? 'storage_limit' : 'account_limit', { params, cause: error })
}
