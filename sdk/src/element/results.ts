/**
 * What is known of the names so far, from the events of a stream.
 *
 * A name keeps the place at which it came, also when the whole answer has another order: somebody may be about to choose
 * it. What falls out is taken out, what was missed is added at the end.
 */
import type { DomainEntry, Suggestion } from '../api-types.ts'
import type { GenerateStreamEvent } from '../namewright.ts'

export interface Found {
  readonly name: string
  /** Those that can be registered. */
  readonly domains: readonly DomainEntry[]
}

export interface Results {
  hear(event: GenerateStreamEvent): void
  /** Only names with a domain to choose. */
  list(): readonly Found[]
}

export function createResults(): Results {
  const names = new Map<string, DomainEntry[]>()

  const keep = ({ name, domains }: Suggestion) => void names.set(name, [...domains])

  return {
    hear(event) {
      switch (event.event) {
        case 'suggestion':
          keep(event.data)
          break
        case 'domain': {
          const { name, index, domain } = event.data
          const domains = names.get(name)
          if (domains) domains[index] = domain
          break
        }
        case 'withdrawn':
          names.delete(event.data.name)
          break
        case 'restarted':
          names.clear()
          break
        case 'done': {
          const { suggestions } = event.data
          const last = new Set(suggestions.map(({ name }) => name))
          for (const name of names.keys()) if (!last.has(name)) names.delete(name)
          suggestions.forEach(keep)
        }
      }
    },
    list() {
      return [...names]
        .map(([name, domains]) => ({ name, domains: domains.filter((one) => one?.available) }))
        .filter(({ domains }) => domains.length > 0)
    },
  }
}
