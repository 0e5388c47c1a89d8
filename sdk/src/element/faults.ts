/** Maps errors to messages for visitors: what they can do, not what failed internally. */
import { isErrorCode, NamewrightError, NetworkError, TimeBudgetError } from '../errors.ts'
import type { Texts } from './texts.ts'

export interface Fault {
  /** The key of the message. */
  readonly text: keyof Pick<Texts, 'none' | 'unchecked' | 'offline' | 'closed' | 'busy' | 'unclear' | 'failed'>
  /** Whether a retry can help. */
  readonly again: boolean
  /** For the page: a code of the service, `network` or `unexpected`. */
  readonly code: string
  readonly requestId?: string | undefined
}

export function faultOf(error: unknown): Fault {
  const { code, requestId } = error instanceof NamewrightError ? error : { code: 'unexpected', requestId: undefined }
  if (error instanceof NetworkError || error instanceof TimeBudgetError)
    return { text: 'offline', again: true, code: 'network' }
  if (isErrorCode(error, 'no_names')) return { text: 'none', again: false, code, requestId }
  if (isErrorCode(error, 'rate_limited', 'quota_exceeded')) return { text: 'busy', again: true, code, requestId }
  if (isErrorCode(error, 'invalid_request')) {
    // All other fields come from the page, not from the visitor.
    const isDescription = error.errors.some(({ pointer }) => pointer === '/description')
    return { text: isDescription ? 'unclear' : 'closed', again: false, code, requestId }
  }
  // The key, the origin or an attribute is wrong, which the visitor cannot fix.
  if (error instanceof TypeError || (error instanceof NamewrightError && [401, 403].includes(error.status)))
    return { text: 'closed', again: false, code, requestId }
  return { text: 'failed', again: true, code, requestId }
}
