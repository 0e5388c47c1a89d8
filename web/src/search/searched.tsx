/** The names for what was asked: starts the search, shows how far it is, what came of it, and what can be done about that. */
import { isErrorCode, NetworkError, TimeBudgetError } from '@namewright/client'
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { useClient } from '../api/client.ts'
import { useAccount } from '../api/session.ts'
import { say, useText } from '../i18n/i18n.ts'
import { lazyExtra, loadView } from '../later.ts'
import { usePreferences } from '../preferences.ts'
import { useResultKeys } from '../shortcuts/result-keys.ts'
import { showToast } from '../ui/toast.tsx'
import { arrange } from './arrange.ts'
import type { ViewOptions } from './arrange.ts'
import { changed, COUNT, COUNT_MAX, listOf, newSeed, pastOf, textOf } from './asked.ts'
import type { Asked } from './asked.ts'
import { rememberSearch } from './before/recent-store.ts'
import { keyOf } from './begin.ts'
import { requestOf } from './request-of.ts'
import { Cards } from './results/cards.tsx'
import { MoreButtons } from './results/more-buttons.tsx'
import { ResultsGrid } from './results/results-grid.tsx'
import { Toolbar } from './results/toolbar.tsx'
import { besideOf, continued, namesOf, planBeside, startSearch, useSearch } from './search-store.ts'
import { Failure } from './states/failure.tsx'
import { NoNames } from './states/no-names.tsx'
import { Progress } from './states/progress.tsx'
import { Shortfall } from './states/shortfall.tsx'
import { Unanswered } from './states/unanswered.tsx'
import { VisitorsNote } from './states/visitors-note.tsx'
import { useAnnouncements } from './states/announcements.ts'

const PLACES = 9
// Names beside the one that they are like: as many as a reader takes in at once.
const BESIDE = 9

const ShareResults = lazyExtra(() => loadView(() => import('../share/share-results.tsx')))

export default function Searched({
  asked,
  description,
  onChange,
}: {
  readonly asked: Asked
  readonly description: string
  readonly onChange: (asked: Asked) => void
}) {
  const { t } = useText()
  const client = useClient()
  const account = useAccount()?.id ?? ''
  const { currency, view } = usePreferences()
  const [options, setOptions] = useState<ViewOptions>({ order: 'best', onlyFree: false, onlyCom: false })
  const request = useMemo(() => requestOf(asked, description, currency || undefined), [asked, description, currency])
  const key = keyOf(account, request)
  const plan = besideOf(key)
  const from = plan?.from ?? keyOf(account, request, request.count - COUNT)
  const added = plan ? request.count : COUNT
  const own = useSearch(key)
  const earlier = useSearch(from)
  // Until a search for more names has begun, the names that are there stay where they are.
  const search = useMemo(() => own ?? (earlier && continued(earlier, key, plan)), [own, earlier, key, plan])
  const isAsking = search?.phase === 'asking'
  const start = useCallback(() => {
    if (client) startSearch(client, { key, request, from, added })
  }, [client, key, request, from, added])
  useEffect(start, [start])
  useEffect(() => rememberSearch(asked), [asked])
  const isCutOff = search?.error instanceof NetworkError || search?.error instanceof TimeBudgetError
  useEffect(() => {
    if (!isCutOff) return
    addEventListener('online', start)
    return () => removeEventListener('online', start)
  }, [isCutOff, start])
  useAnnouncements(search)

  // A search in place of another one keeps its height, so that the reader stays where they are.
  const [places, setPlaces] = useState(0)
  const count = search?.results.length ?? 0
  useEffect(() => {
    if (!isAsking && count > 0) setPlaces(count)
  }, [isAsking, count])

  // Fewer than usual were asked for by a link, and stay so; more than usual were added one by one.
  const n = asked.n !== undefined && asked.n < COUNT ? asked.n : undefined
  const go = useCallback(
    (next: Asked, text: string) => {
      onChange(next)
      showToast({ text, onUndo: () => onChange(asked) })
    },
    [asked, onChange],
  )
  const steer = useCallback(
    (name: string, towards: boolean) => {
      const without = (text: string | undefined) => listOf(text).filter((one) => one !== name)
      const [like, unlike] = [without(asked.like), without(asked.unlike)]
      if (!towards) {
        focusNames()
        const next = changed(asked, { like: textOf(like), unlike: textOf([...unlike, name].slice(-20)), n })
        go(next, say('search.searchingLess', { name }))
        return
      }
      const next = changed(asked, {
        like: textOf([...like, name].slice(-20)),
        unlike: textOf(unlike),
        past: pastOf(namesOf(key)),
        n: BESIDE,
      })
      const nextKey = JSON.stringify([account, requestOf(next, description, currency || undefined)])
      planBeside(nextKey, { from: key, beside: name })
      go(next, say('search.searchingMore', { name }))
    },
    [asked, go, n, key, account, description, currency],
  )
  const lock = useCallback(
    (word: string) => {
      focusNames()
      go(changed(asked, { with: word, n }), say('names.locked', { word }))
    },
    [asked, go, n],
  )
  const shuffle = () => go(changed(asked, { past: pastOf(namesOf(key)), seed: newSeed(), n }), say('names.shuffled'))
  const shown = useMemo(() => arrange(search?.results ?? [], options), [search?.results, options])
  useResultKeys(shown)
  if (!client) return <VisitorsNote />

  const results = search?.results ?? []
  const wanted = search?.wanted ?? request.count
  const most = Math.max(PLACES, Math.min(places, wanted) - results.length)
  const missing = isAsking || !search ? Math.min(most, Math.max(0, wanted - results.length)) : 0
  const beside = search?.beside === undefined ? undefined : { name: search.beside, earlier: search.earlier }
  const isDone = search?.phase === 'done'
  const isReplacing = places > 0 && (isAsking || !search)
  const isNone = (isDone || isErrorCode(search?.error, 'no_names')) && results.length === 0 && !isAsking
  const more = request.count + COUNT
  const canMore = isDone && more <= COUNT_MAX && search.shortfall === undefined && results.length > 0
  const views = { isLive: isAsking, language: asked.language, onSteer: steer, onLock: lock }
  return (
    // A tile moves up when one before it is withdrawn, and down when new ones come: the browser would scroll along with it.
    <section aria-labelledby="names" aria-busy={isAsking} className="grid grid-cols-1 gap-5 [overflow-anchor:none]">
      <div className="relative">
        <Toolbar
          search={search}
          shown={shown}
          asked={asked}
          options={options}
          onOptions={setOptions}
          hasNames={results.length > 0 || isReplacing}
          onShuffle={shuffle}
        />
        {/* In the gap, so that the names stay where they are when the search ends. */}
        {isAsking && <Progress search={search} />}
      </div>
      {search?.phase === 'failed' && !isNone && (
        <Failure error={search.error} hasNames={results.length > 0} onRetry={start} />
      )}
      {isNone && <NoNames search={search} asked={asked} onChange={onChange} />}
      {results.length > 0 && shown.length === 0 && !isAsking && (
        <p className="py-8 text-center text-faint">{t('search.allHidden')}</p>
      )}
      {view === 'grid' && shown.length > 0 ? (
        <ResultsGrid results={shown} {...views} />
      ) : (
        <Cards results={shown} missing={missing} beside={beside} {...views} />
      )}
      {isDone && results.length > 0 && <Unanswered search={search} client={client} />}
      {isDone && results.length > 0 && <Shortfall search={search} asked={asked} onChange={onChange} />}
      {((isDone && results.length > 0) || isReplacing) && (
        <MoreButtons
          asked={asked}
          count={shown.length}
          isWaiting={!isDone}
          onMore={
            canMore || isReplacing
              ? () => onChange(changed(asked, { n: more, seed: asked.seed ?? newSeed() }))
              : undefined
          }
          onShuffle={shuffle}
        />
      )}
      {isDone && results.length > 0 && (
        <Suspense fallback={null}>
          <ShareResults description={description} results={results} />
        </Suspense>
      )}
    </section>
  )
}

/** What was pressed leaves the page with its name. */
function focusNames(): void {
  document.querySelector<HTMLElement>('#names')?.focus({ preventScroll: true })
}
