/** Judges what sources outside respond: one harmless request, or the test that they pass while the service runs. */
import type { OutboundAnswer, OutboundRequest } from '../../platform/outbound/outbound.ts'
import { notesOn } from './finding.ts'
import type { Finding, Notes } from './finding.ts'

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

/**
 * Sends each one GET, with the credentials of the operator. It costs nothing, and must never contain anything that a
 * caller has sent.
 */
export async function checkOutside(
  about: string,
  strangers: readonly Stranger[],
  send: (request: OutboundRequest) => Promise<OutboundAnswer>,
): Promise<readonly Finding[]> {
  const notes = notesOn(about)
  const answers = await Promise.all(
    strangers.map(async (stranger) => ({
      stranger,
      answer: await send({
        url: stranger.url,
        method: 'GET',
        headers: stranger.headers ?? {},
        maxBytes: MAX_BYTES,
        statusDecides: true,
        timeoutMs: TIMEOUT_MS,
        signal: new AbortController().signal,
      }),
    })),
  )
  for (const { stranger, answer } of answers) judgeAnswer(notes, stranger, answer)
  return notes.list
}

export function judgeAnswer(
  notes: Notes,
  { name, setting }: Pick<Stranger, 'name' | 'setting'>,
  answer: OutboundAnswer,
): void {
  if (answer.kind === 'failed') {
    const todo = `allow outgoing connections to it, or remove it from ${setting}`
    notes.unreachable('problem', `${name} is unreachable: ${answer.reason}`, todo)
  } else if (answer.status === 401 || answer.status === 403)
    notes.problem(`${name} rejects the credentials: ${answer.status}`, `correct the credentials in ${setting}`)
  else if (answer.status === 429) notes.warning(`${name} rate-limits this machine`, 'try again in an hour')
  else if (answer.status >= 400)
    notes.warning(`${name} responds with ${answer.status}`, `check ${setting}, then try again later`)
  else notes.ok(`${name} responds`)
}

interface Tested {
  readonly name: string
  readonly trust?: { readonly state: string; readonly why: string | undefined } | undefined
}

/** Describes the test results of sources with the same texts as `/readyz` and `/v1/status`. */
export function judgeTrust(
  notes: Notes,
  sources: readonly Tested[],
  todos: { readonly untrusted: string; readonly unreachable: string },
): void {
  const trusted = sources.filter(({ trust }) => trust?.state === 'trusted' && trust.why === undefined)
  if (trusted.length > 0) notes.ok(`${trusted.map(({ name }) => name).join(', ')} trusted`)
  for (const { name, trust } of sources) {
    const { state, why } = trust ?? { state: 'proving', why: undefined }
    const found = `${name} ${state}${why === undefined ? '' : `: ${why}`}`
    if (state === 'untrusted') notes.problem(found, todos.untrusted)
    else if (state === 'unreachable') notes.unreachable('problem', found, todos.unreachable)
    else if (state !== 'trusted') notes.unreachable('warning', found, 'the test failed; try again later')
    else if (why !== undefined) notes.warning(found, 'it is not trusted for these suffixes; other sources are used')
  }
}
