/**
 * The lists of the day: fetched, handed to whoever judges them, and kept on disk once they were believed.
 *
 * A list that does not come, or is not believed, is reported and changes nothing; it is never an exception, because
 * nobody is waiting who could be told.
 */
import { fetchList, findCopy, keepCopy } from './feed.ts'
import type { Send } from './feed.ts'
import type { OnReport, PriceReport } from './report.ts'

export interface DailyList {
  readonly what: PriceReport['what']
  readonly url: string
  readonly method: 'GET' | 'POST'
  /** The name of its copy on disk. */
  readonly copy: string
  /** Puts it in force and says what came of it, or throws. */
  readonly take: (text: string, fetchedAt: number) => string
}

export interface DailyLists {
  /** What an earlier process fetched. */
  recall(): Promise<void>
  /** Whether all of them came and were believed. */
  refresh(signal: AbortSignal): Promise<boolean>
}

export function createDailyLists(options: {
  readonly lists: readonly DailyList[]
  readonly send: Send | undefined
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
    async recall() {
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
          const unkept = await keepCopy(copies, copy, { at, text })
          return unkept === undefined ? detail : `${detail}; no copy was kept: ${unkept}`
        }),
      )
      return (await Promise.all(done)).every(Boolean)
    },
  }
}
