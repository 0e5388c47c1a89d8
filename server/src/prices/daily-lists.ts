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

  async function attempt(what: PriceReport['what'], take: () => Promise<string>): Promise<boolean> {
    try {
      onReport({ what, ok: true, detail: await take() })
      return true
    } catch (error) {
      onReport({ what, ok: false, detail: error instanceof Error ? error.message : String(error) })
      return false
    }
  }

  return {
    async readStored() {
      for (const { what, copy, take } of lists) {
        const found = await findCopy(copies, copy)
        if (found) await attempt(what, async () => take(found.text, found.at))
      }
    },
    async refresh(signal) {
      if (!send) return true
      const done = lists.map(({ what, url, method, copy, take }) =>
        attempt(what, async () => {
          const text = await fetchList(send, { url, method, signal })
          const at = now()
          const detail = take(text, at)
          const problem = await keepCopy(copies, copy, { at, text })
          return problem === undefined ? detail : `${detail}; no copy was saved: ${problem}`
        }),
      )
      return (await Promise.all(done)).every(Boolean)
    },
  }
}
