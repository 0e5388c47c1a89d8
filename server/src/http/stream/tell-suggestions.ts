/**
 * The events of POST /v1/generate: `suggestion` when a name is shown first, `domain` when what is known of one of its
 * domains changes, `withdrawn` when the name falls out after all.
 */
import type { Ask, Suggestion } from '../../model/ask.ts'
import type { KeptEvent } from '../../streams/streams.ts'
import type { Messages } from '../../wire/language.ts'
import { suggestionEntry } from '../../wire/texts.ts'
import { markOf } from './teller.ts'
import type { Teller } from './teller.ts'

export type SuggestionNews = [shown: readonly Suggestion[], withdrawn: readonly Suggestion[]]

export function createSuggestionTeller(ask: Ask, messages: Messages): Teller<SuggestionNews> {
  /** By name; of each domain as it was told, a mark. */
  const told = new Map<string, readonly string[]>()
  const known = new Map<string, Suggestion>()
  const news = new Set<string>()

  function* tell(name: string): Iterable<KeptEvent> {
    const suggestion = known.get(name)
    const before = told.get(name)
    if (!suggestion) {
      if (told.delete(name)) yield { event: 'withdrawn', data: JSON.stringify({ name }) }
      return
    }
    const entry = suggestionEntry(suggestion, ask, messages)
    const domains = entry.domains.map((domain) => JSON.stringify(domain))
    told.set(name, domains.map(markOf))
    if (!before) yield { event: 'suggestion', data: JSON.stringify(entry) }
    else {
      for (const [index, domain] of domains.entries()) {
        if (markOf(domain) !== before[index]) yield { event: 'domain', data: domainData(name, index, domain) }
      }
    }
  }

  return {
    hear(shown, withdrawn) {
      for (const one of shown) known.set(one.candidate.name, one)
      for (const { candidate } of withdrawn) known.delete(candidate.name)
      for (const { candidate } of [...shown, ...withdrawn]) news.add(candidate.name)
    },
    *changes() {
      for (const name of news) {
        news.delete(name)
        yield* tell(name)
      }
    },
    settle() {
      for (const name of told.keys()) if (!known.has(name)) news.add(name)
    },
    recall({ event, data }) {
      const said = JSON.parse(data) as { name: string; index: number; domain: object; domains: readonly object[] }
      if (event === 'suggestion') {
        told.set(
          said.name,
          said.domains.map((domain) => markOf(JSON.stringify(domain))),
        )
      } else if (event === 'withdrawn') told.delete(said.name)
      else if (event === 'domain') {
        told.set(said.name, (told.get(said.name) ?? []).with(said.index, markOf(JSON.stringify(said.domain))))
      }
    },
  }
}

function domainData(name: string, index: number, domain: string): string {
  return `{"name":${JSON.stringify(name)},"index":${index},"domain":${domain}}`
}
