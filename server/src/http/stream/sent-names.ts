/** The names with an available domain among the sent events: what an interrupted stream is charged for. */
import type { KeptEvent } from '../../automation/streams/streams.ts'

export interface SentNames {
  note(event: KeptEvent): void
  list(): string[]
}

interface SentData {
  readonly name?: string
  readonly index?: number
  readonly domain?: { readonly available: boolean }
  readonly domains?: readonly { readonly available: boolean }[]
}

export function createSentNames(): SentNames {
  /** For each name, which of its domains were sent as available. */
  const sent = new Map<string, readonly boolean[]>()
  return {
    note({ event, data }) {
      if (event !== 'suggestion' && event !== 'domain' && event !== 'withdrawn') return
      const { name, index = 0, domain, domains } = JSON.parse(data) as SentData
      if (name === undefined) return
      if (domains) {
        sent.set(
          name,
          domains.map(({ available }) => available),
        )
      } else if (domain) sent.set(name, (sent.get(name) ?? []).with(index, domain.available))
      else sent.delete(name)
    },
    list: () => [...sent].flatMap(([name, available]) => (available.includes(true) ? [name] : [])),
  }
}
