/**
 * The events of POST /v1/generate: `suggestion` when a name first appears, `domain` when the state of one of its
 * domains changes, `handles` when its packages and accounts have verdicts, `withdrawn` when the name is dropped after all.
 */
import type { GenerateRequest, Suggestion } from '../../model/generate-request.ts'
import type { Messages } from '../../http/wire/language.ts'
import { suggestionEntry } from '../../http/wire/texts.ts'
import type { StreamEvent } from '../../http/stream/frames.ts'
import { markOf } from '../../http/stream/stream-encoder.ts'
import type { StreamEncoder } from '../../http/stream/stream-encoder.ts'

export type SuggestionUpdates = [shown: readonly Suggestion[], withdrawn: readonly Suggestion[]]

export function createSuggestionEncoder(
  request: GenerateRequest,
  messages: Messages,
): StreamEncoder<SuggestionUpdates> {
  /** For each name, a hash of each of its domains as it was sent. */
  const sent = new Map<string, readonly string[]>()
  /** For each name, a hash of its handles as they were sent. */
  const sentHandles = new Map<string, string>()
  const current = new Map<string, Suggestion>()
  const updates = new Set<string>()

  function* changesOf(name: string): Iterable<StreamEvent> {
    const suggestion = current.get(name)
    const before = sent.get(name)
    if (!suggestion) {
      sentHandles.delete(name)
      if (sent.delete(name)) yield { event: 'withdrawn', data: JSON.stringify({ name }) }
      return
    }
    const entry = suggestionEntry(suggestion, request, messages)
    const domains = entry.domains.map((domain) => JSON.stringify(domain))
    sent.set(name, domains.map(markOf))
    const handles = entry.handles && JSON.stringify(entry.handles)
    const areHandlesNew = handles !== undefined && markOf(handles) !== sentHandles.get(name)
    if (areHandlesNew) sentHandles.set(name, markOf(handles))
    if (!before) yield { event: 'suggestion', data: JSON.stringify(entry) }
    else {
      for (const [index, domain] of domains.entries()) {
        if (markOf(domain) !== before[index]) yield { event: 'domain', data: domainData(name, index, domain) }
      }
      if (areHandlesNew) yield { event: 'handles', data: `{"name":${JSON.stringify(name)},"handles":${handles}}` }
    }
  }

  return {
    update(shown, withdrawn) {
      for (const one of shown) current.set(one.proposal.name, one)
      for (const { proposal } of withdrawn) current.delete(proposal.name)
      for (const { proposal } of [...shown, ...withdrawn]) updates.add(proposal.name)
    },
    *changes() {
      for (const name of updates) {
        updates.delete(name)
        yield* changesOf(name)
      }
    },
  }
}

function domainData(name: string, index: number, domain: string): string {
  return `{"name":${JSON.stringify(name)},"index":${index},"domain":${domain}}`
}
