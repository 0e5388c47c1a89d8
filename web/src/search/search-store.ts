/**
 * The searches of this page: the one under way, and the last few, so that going back costs nothing and shows at once what
 * was there.
 *
 *   start → suggestion, domain, withdrawn … → done, or failed
 *
 * Events are collected, and the page updates at most once per frame, by a few new names: the first ones do not wait until the
 * last are drawn. A suggestion that did not change stays the same object, so that its card is not drawn again. What has arrived is never thrown away by a failure. A new search ends the old one,
 * and with it what it would have cost.
 */
import type { CheckedDomain, Generated, GenerateRequest, GenerateStreamEvent, Namewright } from '@namewright/client'
import { useSyncExternalStore } from 'react'
import { withVerdict } from './actions/verdict.ts'
import type { Result } from './result.ts'

export interface Search {
  readonly key: string
  readonly phase: 'asking' | 'done' | 'failed'
  readonly results: readonly Result[]
  readonly wanted: number
  /** What was there before, when more names were asked for: it stays where it is. */
  readonly earlier: readonly Result[]
  /** New names follow this one, which they are like; else they come last. */
  readonly beside?: string | undefined
  readonly shortfall?: Generated['shortfall']
  readonly error?: unknown
}

const KEPT = 8
// Two rows of a wide window.
const NEW_IN_A_FRAME = 6
// A hidden page has no frames.
const UNSEEN_MS = 200

const searches = new Map<string, Search>()
const listeners = new Set<() => void>()
let current: { readonly key: string; readonly abort: AbortController } | undefined

function keep(search: Search): void {
  searches.delete(search.key)
  searches.set(search.key, search)
  const [oldest] = searches.keys()
  if (searches.size > KEPT && oldest !== undefined) searches.delete(oldest)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useSearch(key: string | undefined): Search | undefined {
  return useSyncExternalStore(subscribe, () => (key === undefined ? undefined : searches.get(key)))
}

/** The names of a search at this moment, in their order. */
export const namesOf = (key: string): readonly string[] => searches.get(key)?.results.map(({ name }) => name) ?? []

/** A search that goes on from another one, before it has begun. */
export function continued({ results, wanted }: Search, key: string, plan: Beside | undefined): Search {
  return { key, phase: 'asking', results, wanted, earlier: results, beside: plan?.beside }
}

export interface Beside {
  /** The search that goes on. */
  readonly from: string
  /** The name that new ones are like. */
  readonly beside: string
}

const besides = new Map<string, Beside>()

/** The search of this key will put its names beside one of another search. */
export function planBeside(key: string, plan: Beside): void {
  besides.set(key, plan)
}

export const besideOf = (key: string): Beside | undefined => besides.get(key)

export interface Start {
  readonly key: string
  readonly request: GenerateRequest
  /** The search that this one goes on from, when only more names are wanted. */
  readonly from?: string | undefined
  /** How many names come in addition to those of that search. */
  readonly added: number
}

/** Does nothing when this search is under way or done; a failed one is tried again, with what it has. */
export function startSearch(client: Namewright, { key, request, from, added }: Start): void {
  const known = searches.get(key)
  if (known?.phase === 'done' || (known?.phase === 'asking' && current?.key === key)) return
  stopSearch()
  const abort = new AbortController()
  current = { key, abort }
  const base = known ?? (from === undefined ? undefined : searches.get(from))
  const results = base?.results ?? []
  const earlier = known?.earlier ?? results
  const beside = base && besides.get(key)?.beside
  const wanted = earlier.length === 0 ? request.count : earlier.length + added
  keep({ key, phase: 'asking', results, wanted, earlier, beside })
  void follow(client.stream(request, { signal: abort.signal }), key, abort.signal)
}

export function stopSearch(): void {
  if (!current) return
  const { key, abort } = current
  current = undefined
  abort.abort()
  const search = searches.get(key)
  // An incomplete search is not stored: coming back starts it again.
  if (search?.phase === 'asking') searches.delete(key)
}

async function follow(stream: AsyncIterable<GenerateStreamEvent>, key: string, signal: AbortSignal): Promise<void> {
  let pending: GenerateStreamEvent[] = []
  let isDue = false
  const flush = (count: number) => {
    const search = signal.aborted ? undefined : searches.get(key)
    const events = pending.slice(0, count)
    pending = search ? pending.slice(count) : []
    if (search && events.length > 0) keep(after(search, events))
  }
  const update = () => {
    isDue = false
    flush(document.hidden ? pending.length : countForFrame(pending))
    if (pending.length > 0) requestUpdate()
  }
  const requestUpdate = () => {
    if (isDue) return
    isDue = true
    if (document.hidden) setTimeout(update, UNSEEN_MS)
    else requestAnimationFrame(update)
  }
  try {
    for await (const event of stream) {
      pending.push(event)
      requestUpdate()
    }
  } catch (error) {
    if (signal.aborted) return
    flush(pending.length)
    const search = searches.get(key)
    if (search) keep({ ...search, phase: 'failed', error })
  }
}

/** How many events come before one new name too many. */
function countForFrame(events: readonly GenerateStreamEvent[]): number {
  const names = [...events.keys()].filter((at) => events[at]?.event === 'suggestion')
  return names[NEW_IN_A_FRAME] ?? events.length
}

function after(search: Search, events: readonly GenerateStreamEvent[]): Search {
  const results = new Map(search.results.map((result) => [result.name, result]))
  // Of these everything is known already; what a new search has yet to find out of them is a step back.
  const settled = new Set(search.earlier.map(({ name }) => name))
  for (const event of events) {
    if (event.event === 'done') return finished(search, event.data)
    if (event.event === 'restarted' || (event.event !== 'domain' && settled.has(event.data.name))) continue
    if (event.event === 'suggestion') results.set(event.data.name, event.data)
    else if (event.event === 'withdrawn') results.delete(event.data.name)
    else if (event.event === 'domain') {
      const { name, index, domain } = event.data
      const result = results.get(name)
      if (result) results.set(name, { ...result, domains: result.domains.with(index, domain) })
    }
  }
  const first = search.earlier.map((result) => results.get(result.name) ?? result)
  const fresh = [...results.values()].filter(({ name }) => !settled.has(name))
  return { ...search, results: placed(first, fresh, search.beside) }
}

function placed(earlier: readonly Result[], fresh: readonly Result[], beside: string | undefined): readonly Result[] {
  const at = earlier.findIndex(({ name }) => name === beside)
  return earlier.toSpliced(at < 0 ? earlier.length : at + 1, 0, ...fresh)
}

/** What was there before stays where it was; the rest is in the order of the answer. */
function finished({ error: _error, ...search }: Search, { suggestions, shortfall }: Generated): Search {
  const final = new Map(suggestions.map((result) => [result.name, result]))
  const first = search.earlier.map((result) => final.get(result.name) ?? result)
  const names = new Set(first.map(({ name }) => name))
  const fresh = suggestions.filter(({ name }) => !names.has(name))
  // Some of those that were there may not be in the answer, which has as many as were wanted by itself.
  const most = first.length === 0 ? fresh.length : Math.max(0, search.wanted - first.length)
  return { ...search, phase: 'done', results: placed(first, fresh.slice(0, most), search.beside), shortfall }
}

/** Replaces the verdicts of domains that were checked again. */
export function learn(key: string, checked: readonly CheckedDomain[]): void {
  const search = searches.get(key)
  if (!search) return
  const verdicts = new Map(checked.map((one) => [one.domain, one]))
  const results = search.results.map((result) =>
    result.domains.some(({ domain }) => verdicts.has(domain))
      ? { ...result, domains: result.domains.map((entry) => withVerdict(entry, verdicts.get(entry.domain))) }
      : result,
  )
  keep({ ...search, results })
}
