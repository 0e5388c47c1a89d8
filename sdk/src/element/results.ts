/**
 * The suggestions so far, from the events of a stream.
 *
 * A suggestion keeps its position, also when the final result has another order, because the visitor may be about to
 * choose it. Withdrawn suggestions are removed, missing ones are added at the end.
 */
import type { DomainEntry, Handles, Suggestion } from '../api-types.ts'
import type { GenerateStreamEvent } from '../namewright.ts'

export interface Found {
  readonly name: string
  /** The available domains. */
  readonly domains: readonly DomainEntry[]
  readonly handles: Handles | undefined
}

export interface Results {
  apply(event: GenerateStreamEvent): void
  /** Only suggestions with an available domain. */
  list(): readonly Found[]
}

export function createResults(): Results {
  const names = new Map<string, DomainEntry[]>()

  const known = new Map<string, Handles>()

  const keep = ({ name, domains, handles }: Suggestion) => {
    names.set(name, [...domains])
    if (handles) known.set(name, handles)
  }

  return {
    apply(event) {
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
        case 'handles':
          known.set(event.data.name, event.data.handles)
          break
        case 'withdrawn':
          names.delete(event.data.name)
          break
        case 'restarted':
          names.clear()
          known.clear()
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
        .map(([name, domains]) => ({
          name,
          domains: domains.filter((one) => one?.available),
          handles: known.get(name),
        }))
        .filter(({ domains }) => domains.length > 0)
    },
  }
}
