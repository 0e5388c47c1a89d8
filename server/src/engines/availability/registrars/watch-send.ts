/** The outbound request function of one registrar, which records every request in its health tracker. */
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { HealthTracker } from '../../../platform/outbound/health-tracker.ts'
import type { Send } from './registrar.ts'

// For some registrars this is a valid response: "none of these can be checked here".
const UNPROCESSABLE = 422

export function watchSend(outbound: Pick<Outbound, 'send'>, health: HealthTracker): Send {
  return async (request) => {
    const sentAt = performance.now()
    health.ask()
    const answer = await outbound.send(request)
    if (answer.kind === 'failed' && answer.reason === 'aborted') health.withdrew()
    else if (answer.kind === 'failed') health.failed()
    else if (answer.status < 400 || answer.status === UNPROCESSABLE) health.answered(performance.now() - sentAt)
    else health.failed()
    const isTooMuch = answer.kind === 'answer' && (answer.status === 429 || answer.retryAfterMs !== undefined)
    if (isTooMuch) health.limited(answer.retryAfterMs)
    return answer
  }
}
