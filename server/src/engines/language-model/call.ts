/** One request to a language model: its proposals as they arrive, and the outcome. Never rejects. */
import type { NameProposal } from '@namewright/names'
import type { GenerateRequest } from '../../model/generate-request.ts'
import type { Config } from '../../platform/config/config.ts'
import type { FailReason } from '../../platform/outbound/fail-reason.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { ModelFault, ModelOutcome } from './outcome.ts'
import { writePrompt } from './prompt.ts'
import { createProposalReader } from './proposals.ts'
import { PROVIDERS } from './providers.ts'
import { createReplyReader } from './reply.ts'

export type ModelConfig = NonNullable<Config['languageModel']>
export type ModelServerConfig = Pick<ModelConfig, 'kind' | 'name' | 'url' | 'key'>

export interface ModelReply extends ModelFault {
  readonly proposals: readonly NameProposal[]
}

/** Of the texts sent and received; four characters are about one token. */
export interface TextLengths {
  readonly sent: number
  readonly received: number
}

/** A second request in the same spirit. */
export interface AskedAgain {
  /** Names of the first reply that cannot be registered. */
  readonly taken: readonly string[]
  /** How many names the caller still needs. */
  readonly missing: number
}

export interface CallOptions {
  readonly wanted: number
  readonly taken?: readonly string[] | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly onProposal?: ((proposal: NameProposal) => void) | undefined
  /** Called once, however the call ends. */
  readonly onEnd?: (lengths: TextLengths) => void
}

export type CallModel = (request: GenerateRequest, options: CallOptions) => Promise<ModelReply>

// Thirty names with reasons are about 600 tokens; the rest is for models that write more than requested.
const MAX_TOKENS = 1_500
// Servers send about 250 bytes around each token.
const MAX_BYTES = 524_288

export function openCall(config: ModelServerConfig, send: Outbound['send']): CallModel {
  const provider = PROVIDERS[config.kind]
  const url = config.url ?? provider.defaultUrl ?? ''
  return async (ask, { wanted, taken, timeoutMs, signal, onProposal, onEnd }) => {
    const prompt = writePrompt(ask, wanted, taken)
    const { path, body } = provider.requestOf({ model: config.name, url, prompt, mostTokens: MAX_TOKENS })
    const reply = createReplyReader(provider)
    const list = createProposalReader(wanted)
    const proposals: NameProposal[] = []
    let received = 0
    const read = (text: string) => {
      received += text.length
      take(list.add(text))
    }
    const take = (found: readonly NameProposal[]) => {
      proposals.push(...found)
      for (const proposal of found) onProposal?.(proposal)
    }
    const answer = await send({
      url: url + path,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        ...provider.headersOf(config.key?.reveal()),
      },
      body: JSON.stringify(body),
      maxBytes: MAX_BYTES,
      timeoutMs,
      signal,
      onPiece: (piece, status) => void (status === 200 && read(reply.add(piece))),
    })
    if (answer.kind === 'answer' && answer.status === 200) read(reply.end())
    onEnd?.({ sent: prompt.instructions.length + prompt.message.length, received })
    if (answer.kind === 'failed') return endedBy(OUTCOME_OF[answer.reason])
    const { status } = answer
    if (status >= 400) return { outcome: 'refused', status, proposals: [] }
    // A status between success and error has no meaning in these protocols.
    if (status !== 200) return { outcome: 'unreadable', proposals: [] }
    take(list.end())
    if (reply.isDeclined) return { outcome: 'declined', proposals: [] }
    if (!reply.isReadable) return { outcome: 'unreadable', proposals: [] }
    if (proposals.length > 0) return { outcome: 'answered', proposals }
    return { outcome: list.hasList ? 'no_names' : list.hasText ? 'malformed' : 'declined', proposals }

    /** Proposals that arrived before a connection was lost or the time was over are good ones. */
    function endedBy(outcome: ModelOutcome): ModelReply {
      const isPartial = proposals.length > 0 && PARTIAL.has(outcome)
      return isPartial ? { outcome: 'partial', proposals } : { outcome, proposals: [] }
    }
  }
}

const PARTIAL: ReadonlySet<ModelOutcome> = new Set(['late', 'unreachable'])

const OUTCOME_OF: Readonly<Record<FailReason, ModelOutcome>> = {
  timeout: 'late',
  aborted: 'late',
  too_large: 'too_large',
  encoded: 'unreadable',
  redirect: 'unreadable',
  refused: 'unreachable',
  tls: 'unreachable',
  private_address: 'unreachable',
  proxy: 'unreachable',
  proxy_credentials: 'unreachable',
  network: 'unreachable',
}
