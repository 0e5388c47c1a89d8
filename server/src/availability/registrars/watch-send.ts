/** The way out for one registrar, with a hand on its pulse. */
import type { Outbound } from '../../outbound.ts'
import type { Pulse } from '../../outbound/pulse.ts'
import type { Send } from './registrar.ts'

// To some it is an answer: "not one of these can be asked about here".
const UNPROCESSABLE = 422

export function watchSend(outbound: Pick<Outbound, 'send'>, pulse: Pulse): Send {
  return async (request) => {
    const sentAt = performance.now()
    pulse.ask()
    const answer = await outbound.send(request)
    if (answer.kind === 'failed' && answer.reason === 'aborted') pulse.withdrew()
    else if (answer.kind === 'failed') pulse.failed()
    else if (answer.status < 400 || answer.status === UNPROCESSABLE) pulse.answered(performance.now() - sentAt)
    else pulse.failed()
    const isTooMuch = answer.kind === 'answer' && (answer.status === 429 || answer.retryAfterMs !== undefined)
    if (isTooMuch) pulse.limited(answer.retryAfterMs)
    return answer
  }
}
