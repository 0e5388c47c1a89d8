/** The names for what was asked: starts the search, shows how far it is, what came of it, and what can be done about that. */
import { isErrorCode, NetworkError, TimeBudgetError } from 'namewright'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useClient } from '../api/client.ts'
import { useAccount } from '../api/session.ts'
import { say, useText } from '../i18n/i18n.ts'
import { usePreferences } from '../preferences.ts'
import { useResultKeys } from '../shortcuts/result-keys.ts'
import { showToast } from '../ui/toast.tsx'
import { arrange } from './arrange.ts'
import type { ViewOptions } from './arrange.ts'
import { changed, COUNT, COUNT_MAX, listOf, newSeed, requestOf, textOf } from './asked.ts'
import type { Asked } from './asked.ts'
import { Cards } from './results/cards.tsx'
import { MoreButton } from './results/more-button.tsx'
import { ResultsGrid } from './results/results-grid.tsx'
import { Toolbar } from './results/toolbar.tsx'
import { continued, startSearch, useSearch } from './search-store.ts'
import { Failure } from './states/failure.tsx'
import { NoNames } from './states/no-names.tsx'
import { Progress } from './states/progress.tsx'
import { Shortfall } from './states/shortfall.tsx'
import { Unanswered } from './states/unanswered.tsx'
import { VisitorsNote } from './states/visitors-note.tsx'
import { useAnnouncements } from './states/announcements.ts'

const PLACES = 9

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
  const keyOf = (count: number) => JSON.stringify([account, { ...request, count }])
  const key = keyOf(request.count)
  const from = keyOf(request.count - COUNT)
  const own = useSearch(key)
  const earlier = useSearch(from)
  // Until a search for more names has begun, the names that are there stay where they are.
  const search = useMemo(() => own ?? (earlier && continued(earlier, key)), [own, earlier, key])
  const isAsking = search?.phase === 'asking'
  const start = useCallback(() => {
    if (client) startSearch(client, { key, request, from })
  }, [client, key, request, from])
  useEffect(start, [start])
  const isCutOff = search?.error instanceof NetworkError || search?.error instanceof TimeBudgetError
  useEffect(() => {
    if (!isCutOff) return
    addEventListener('online', start)
    return () => removeEventListener('online', start)
  }, [isCutOff, start])
  useAnnouncements(search)

  const steer = useCallback(
    (name: string, towards: boolean) => {
      const without = (text: string | undefined) => listOf(text).filter((one) => one !== name)
      const like = towards ? [...without(asked.like), name] : without(asked.like)
      const unlike = towards ? without(asked.unlike) : [...without(asked.unlike), name]
      onChange(changed(asked, { like: textOf(like.slice(-20)), unlike: textOf(unlike.slice(-20)), n: undefined }))
      showToast({
        text: say(towards ? 'search.searchingMore' : 'search.searchingLess', { name }),
        onUndo: () => onChange(asked),
      })
    },
    [asked, onChange],
  )
  const shown = useMemo(() => arrange(search?.results ?? [], options), [search?.results, options])
  useResultKeys(shown)
  if (!client) return <VisitorsNote />

  const results = search?.results ?? []
  const wanted = request.count
  const missing = isAsking || !search ? Math.min(PLACES, Math.max(0, wanted - results.length)) : 0
  const isDone = search?.phase === 'done'
  const isNone = (isDone || isErrorCode(search?.error, 'no_names')) && results.length === 0 && !isAsking
  const more = Math.min(COUNT_MAX, wanted + COUNT)
  const canMore = isDone && wanted < COUNT_MAX && search.shortfall === undefined && results.length > 0
  const views = { isLive: isAsking, language: asked.language, onSteer: steer }
  return (
    <section aria-labelledby="names" aria-busy={isAsking} className="grid grid-cols-1 gap-5">
      <Toolbar search={search} shown={shown} asked={asked} options={options} onOptions={setOptions} />
      {/* As high during a search as after it, so that the names stay where they are when it ends. */}
      <div className="-my-2 flex min-h-14 flex-col sm:min-h-9 justify-center">
        {isAsking && <Progress search={search} />}
        {isDone && results.length > 0 && <Unanswered search={search} client={client} />}
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
        <Cards results={shown} missing={missing} {...views} />
      )}
      {isDone && results.length > 0 && <Shortfall search={search} asked={asked} onChange={onChange} />}
      {canMore && <MoreButton onMore={() => onChange(changed(asked, { n: more, seed: asked.seed ?? newSeed() }))} />}
    </section>
  )
}
