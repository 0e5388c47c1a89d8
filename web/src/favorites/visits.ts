/**
 * When this browser last visited an account's favorites. Page views within half an hour are one visit, so that a reload
 * keeps the marks of what is new.
 */
import { createKeptStore, useStore } from '../store.ts'

interface Visits {
  /** The end of the visit before; absent until there is one. */
  readonly before?: string
  readonly latest: string
}

type ByAccount = Readonly<Record<string, Visits>>

const SAME_VISIT_MS = 30 * 60_000

const visits = createKeptStore<ByAccount>({
  key: 'namewright.visits',
  storage: 'localStorage',
  parse: (stored) => (typeof stored === 'object' && stored !== null ? (stored as ByAccount) : {}),
})

/** Undefined before the first visit: then nothing is new. */
export function useLatestVisit(account: string): string | undefined {
  return momentOf(useStore(visits)[account]?.latest)
}

/** Notes the visit that begins now, or goes on, and says since when things are new to it. */
export function beginVisit(account: string, now: number): string | undefined {
  const known = visits.get()[account]
  const latest = momentOf(known?.latest)
  const isSame = latest !== undefined && now - Date.parse(latest) < SAME_VISIT_MS
  // During the first visit, everything since its start is new.
  const before = isSame ? (momentOf(known?.before) ?? latest) : latest
  visits.change((all) => ({
    ...all,
    [account]: { ...(before === undefined ? {} : { before }), latest: new Date(now).toISOString() },
  }))
  return before
}

/** What stands in a browser's storage may be anything. */
function momentOf(text: unknown): string | undefined {
  return typeof text === 'string' && !Number.isNaN(Date.parse(text)) ? text : undefined
}
