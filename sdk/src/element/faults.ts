/** What went wrong, as a visitor should hear it: what they can do, not what our words for it are. */
import { isErrorCode, NamewrightError, NetworkError, TimeBudgetError } from '../errors.ts'
import type { Texts } from './texts.ts'

export interface Fault {
  /** Which of the texts says it. */
  readonly text: keyof Pick<Texts, 'none' | 'offline' | 'closed' | 'busy' | 'unclear' | 'failed'>
  /** Whether the same once more can help. */
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
    // Anything but the description was written by who made the page.
    const isTheirs = error.errors.some(({ pointer }) => pointer === '/description')
    return { text: isTheirs ? 'unclear' : 'closed', again: false, code, requestId }
  }
  // The key, the page or an attribute: the console says which, and the visitor cannot mend it.
  if (error instanceof TypeError || (error instanceof NamewrightError && [401, 403].includes(error.status)))
    return { text: 'closed', again: false, code, requestId }
  return { text: 'failed', again: true, code, requestId }
}
