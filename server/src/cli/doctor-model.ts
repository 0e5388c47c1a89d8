/** `namewright-server doctor model`: asks the language model for names, and prints them with their times. */
import { plainNameRequest } from '@namewright/names'
import { openCall } from '../engines/language-model/call.ts'
import type { ModelConfig } from '../engines/language-model/call.ts'
import { PROVIDERS } from '../engines/language-model/providers.ts'
import type { GenerateRequest } from '../model/generate-request.ts'
import type { FailReason } from '../platform/outbound/fail-reason.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'

const DESCRIPTIONS = [
  'a repair shop for old fountain pens',
  'software that plans the shifts of small hospitals',
  'Hofladen mit Käse von eigenen Ziegen',
]
const WANTED = 10
// Long enough for a small model on a CPU.
const TIMEOUT_MS = 120_000

/** False if the model gave no names for some description. */
export async function tryModel(
  config: ModelConfig,
  send: Outbound['send'],
  write: (line: string) => void,
): Promise<boolean> {
  let failed: FailReason | undefined
  const call = openCall(config, async (request) => {
    const answer = await send(request)
    failed = answer.kind === 'failed' ? answer.reason : undefined
    return answer
  })
  const url = config.url ?? PROVIDERS[config.kind].defaultUrl
  let isWell = true
  write(`${config.kind}:${config.name} at ${url}, ${WANTED} names for each of ${DESCRIPTIONS.length} descriptions`)
  for (const description of DESCRIPTIONS) {
    const request: Pick<GenerateRequest, 'names' | 'include' | 'language'> = {
      names: plainNameRequest(description),
      include: [],
      language: 'en',
    }
    const startedAt = performance.now()
    const secondsSince = () => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`
    let first: string | undefined
    const { outcome, status, proposals } = await call(request as GenerateRequest, {
      wanted: WANTED,
      timeoutMs: TIMEOUT_MS,
      signal: new AbortController().signal,
      onProposal: () => (first ??= secondsSince()),
    })
    write(`\n${description}`)
    if (proposals.length === 0) {
      isWell = false
      const detail = status ?? failed
      write(
        `  no names: ${outcome}${detail === undefined ? '' : ` (${detail})`}. See docs/language-model.md, "When it fails".`,
      )
      // The others would end the same way.
      if (outcome === 'unreachable' || outcome === 'refused') return false
    } else {
      write(
        `  ${proposals.map(({ name, native }) => (native === undefined ? name : `${name} (${native})`)).join(', ')}`,
      )
      write(`  first name after ${first}, last after ${secondsSince()}; a request waits ${config.deadlineMs / 1_000} s`)
    }
  }
  return isWell
}
