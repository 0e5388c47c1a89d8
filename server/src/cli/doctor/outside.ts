/**
 * Checks every external HTTP service with one harmless request each: whether it responds to this machine with these
 * credentials. The request is the same for all operators, costs nothing, and must never contain anything that a
 * caller has sent.
 */
import type { OutboundAnswer, OutboundRequest } from '../../platform/outbound/outbound.ts'
import { notesOn } from './finding.ts'
import type { Finding, Notes } from './finding.ts'

export type SendProbe = (request: OutboundRequest) => Promise<OutboundAnswer>

/** An external service to check. */
export interface Stranger {
  readonly name: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** The setting that holds its credentials. */
  readonly setting: string
}

const TIMEOUT_MS = 8_000
const MAX_BYTES = 4 * 1024 * 1024

export async function checkOutside(
  about: string,
  strangers: readonly Stranger[],
  send: SendProbe,
): Promise<readonly Finding[]> {
  const notes = notesOn(about)
  const asked = strangers.map(async ({ url, headers = {} }) =>
    send({
      url,
      method: 'GET',
      headers,
      maxBytes: MAX_BYTES,
      statusDecides: true,
      timeoutMs: TIMEOUT_MS,
      signal: new AbortController().signal,
    }),
  )
  const answers = await Promise.all(asked)
  strangers.forEach((stranger, index) => {
    const answer = answers[index]
    if (answer) judgeAnswer(notes, stranger, answer)
  })
  return notes.list
}

/** Judges the status of a response; `true` if it is as expected. */
export function judgeAnswer(
  notes: Notes,
  { name, setting }: Pick<Stranger, 'name' | 'setting'>,
  answer: OutboundAnswer,
): void {
  if (answer.kind === 'failed') {
    return notes.problem(
      `${name} is unreachable: ${answer.reason}`,
      `allow outgoing connections to it, or remove it from ${setting}`,
    )
  }
  if (answer.status === 401 || answer.status === 403) {
    return notes.problem(`${name} rejects the credentials: ${answer.status}`, `correct the credentials in ${setting}`)
  }
  if (answer.status === 429) return notes.warning(`${name} rate-limits this machine`, 'try again in an hour')
  if (answer.status >= 400) {
    return notes.warning(`${name} responds with ${answer.status}`, `check ${setting}, then try again later`)
  }
  notes.ok(`${name} responds`)
}
