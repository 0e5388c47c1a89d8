/**
 * Everybody who is asked over HTTP, with one harmless question each: would they answer this machine, with these credentials? The
 * question is the same for all who run this, costs nothing, and names nothing that a caller has asked for.
 */
import type { OutboundAnswer, OutboundRequest } from '../outbound.ts'
import { notesOn } from './finding.ts'
import type { Finding, Notes } from './finding.ts'

export type Send = (request: OutboundRequest) => Promise<OutboundAnswer>

/** One who is asked. */
export interface Stranger {
  readonly name: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Where the credentials for it are set. */
  readonly setting: string
}

const TIMEOUT_MS = 8_000
const MAX_BYTES = 4 * 1024 * 1024

export async function lookAtStrangers(
  about: string,
  strangers: readonly Stranger[],
  send: Send,
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

/** What an answer's number says of whoever gave it; `true` when it is as it should be. */
export function judgeAnswer(
  notes: Notes,
  { name, setting }: Pick<Stranger, 'name' | 'setting'>,
  answer: OutboundAnswer,
): void {
  if (answer.kind === 'failed') {
    return notes.problem(
      `${name} cannot be reached: ${answer.reason}`,
      `let this machine out to it, or take it out of ${setting}`,
    )
  }
  if (answer.status === 401 || answer.status === 403) {
    return notes.problem(`${name} does not let us in: ${answer.status}`, `correct the credentials in ${setting}`)
  }
  if (answer.status === 429) return notes.warning(`${name} asks for fewer questions`, 'ask again in an hour')
  if (answer.status >= 400) {
    return notes.warning(`${name} answers with ${answer.status}`, `look at ${setting}, and ask again later`)
  }
  notes.ok(`${name} answers`)
}
