/**
 * The daily lists: fetches them, passes them on for validation, and stores accepted ones on disk.
 *
 * A list that cannot be fetched, or is refused, is reported and changes nothing. It must never cause an exception,
 * because no caller waits for it.
 */
import { fetchList, findCopy, keepCopy } from './feed.ts'
import type { FetchFeed } from './feed.ts'
import type { OnReport, PriceReport } from './report.ts'

export interface DailyList {
  readonly what: PriceReport['what']
  /** Who publishes it, where there is more than one list of a kind. */
  readonly source?: string
  readonly url: string
  readonly method: 'GET' | 'POST'
  /** The name of its copy on disk. */
  readonly copy: string
  /** Applies the list and returns a summary, or throws. */
  readonly take: (text: string, fetchedAt: number) => string
}

export interface DailyLists {
  /** Loads the copies that an earlier process stored. */
  readStored(): Promise<void>
  /** Whether all of them were fetched and accepted. */
  refresh(signal: AbortSignal): Promise<boolean>
}

export function createDailyLists(options: {
  readonly lists: readonly DailyList[]
  readonly send: FetchFeed | undefined
  readonly copies: string | undefined
  readonly now: () => number
  readonly onReport: OnReport
}): DailyLists {
  const { lists, send, copies, now, onReport } = options

  async function attempt({ what, source }: DailyList, take: () => Promise<string>): Promise<boolean> {
    const list = source === undefined ? { what } : { what, source }
    try {
      onReport({ ...list, ok: true, detail: await take() })
      return true
    } catch (error) {
      onReport({ ...list, ok: false, detail: error instanceof Error ? error.message : String(error) })
      return false
    }
  }

  return {
    async readStored() {
      for (const list of lists) {
        const found = await findCopy(copies, list.copy)
        if (found) await attempt(list, async () => list.take(found.text, found.at))
      }
    },
    async refresh(signal) {
      if (!send) return true
      const done = lists.map((list) =>
        attempt(list, async () => {
          const text = await fetchList(send, { url: list.url, method: list.method, signal })
          const at = now()
          const detail = list.take(text, at)
          const problem = await keepCopy(copies, list.copy, { at, text })
          return problem === undefined ? detail : `${detail}; no copy was saved: ${problem}`
        }),
      )
      return (await Promise.all(done)).every(Boolean)
    },
  }
}
