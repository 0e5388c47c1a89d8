/** The last searches in this browser: kept here and nowhere else, until they are cleared or the person signs out. */
import { createKeptStore, useStore } from '../../store.ts'
import { changed, parseAsked } from '../asked.ts'
import type { Asked } from '../asked.ts'

export interface RecentSearch extends Asked {
  readonly d: string
}

const MOST = 5

/** Newest first. */
const recent = createKeptStore<readonly RecentSearch[]>({
  key: 'namewright.searches',
  storage: 'localStorage',
  parse: (stored) => (Array.isArray(stored) ? stored.flatMap(findSearch).slice(0, MOST) : []),
})

export const useRecentSearches = (): readonly RecentSearch[] => useStore(recent)

/** The same description is one search, with the filters that it had last. */
export function rememberSearch(asked: Asked): void {
  const [search] = findSearch(changed(asked, { n: undefined, like: undefined, unlike: undefined, past: undefined }))
  if (search) recent.change((all) => [search, ...all.filter(({ d }) => d !== search.d)].slice(0, MOST))
}

export function forgetSearches(): void {
  recent.change(() => [])
}

/** What stands in a browser's storage may be anything. */
function findSearch(stored: unknown): readonly RecentSearch[] {
  if (typeof stored !== 'object' || stored === null) return []
  const { d = '', lang: _lang, ...filters } = parseAsked({ ...stored })
  const description = d.trim()
  return description === '' ? [] : [{ ...filters, d: description }]
}
