/**
 * Where people arrive: one field, and the names for what is written in it. What is asked for stands in the address, and
 * nothing here waits to know who is asking.
 */
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect } from 'react'
import { useText } from '../i18n/i18n.ts'
import { lazyPart, usePart } from '../later.ts'
import { changed, newSeed } from './asked.ts'
import type { Asked } from './asked.ts'
import { Before } from './before/before.tsx'
import { hasCompared } from './compare/has-compared.ts'
import { FilterBar } from './filters/filter-bar.tsx'
import { WaitingCards } from './results/waiting-cards.tsx'
import { SearchInput } from './search-input.tsx'
import { VisitorsNote } from './states/visitors-note.tsx'
import { beginning, searched } from './use-preload.ts'

const route = getRouteApi('/')

const CompareTray = lazyPart(() => import('./compare/compare-tray.tsx'))

export function SearchPage() {
  const { t } = useText()
  const queries = useQueryClient()
  const asked = route.useSearch()
  const navigate = useNavigate()
  const description = asked.d?.trim() ?? ''
  const hasAsked = description !== ''
  const go = useCallback(
    (next: Asked) => {
      void navigate({ to: '/', search: next, resetScroll: false })
    },
    [navigate],
  )
  const Searched = usePart(searched, hasAsked)?.default
  const ask = (d: string) => {
    const wanted = changed(asked, {
      d,
      n: undefined,
      seed: newSeed(),
      like: undefined,
      unlike: undefined,
      past: undefined,
    })
    // The request does not wait for the view, nor the view for the request.
    beginning.load().then(
      ({ begin }) => begin(wanted, queries),
      () => undefined,
    )
    go(wanted)
  }
  useEffect(() => {
    document.title = hasAsked ? t('search.titleOf', { description: description.slice(0, 60) }) : t('search.title')
  })
  return (
    <div
      className={hasAsked ? 'grid grid-cols-1 gap-3 sm:gap-5' : 'mx-auto grid max-w-[52rem] grid-cols-1 gap-5 sm:pt-10'}
    >
      <h1 className={hasAsked ? 'sr-only' : 'text-4xl font-semibold sm:text-[2.75rem]'}>{t('search.heading')}</h1>
      {!hasAsked && <p className="max-w-[40rem] text-lg text-faint">{t('search.lead')}</p>}
      <SearchInput description={description} asked={asked} onAsk={ask} onChange={go}>
        <FilterBar asked={asked} onChange={go} />
      </SearchInput>
      {hasAsked ? (
        <Suspense fallback={<WaitingCards />}>
          {Searched ? <Searched asked={asked} description={description} onChange={go} /> : <WaitingCards />}
        </Suspense>
      ) : (
        <>
          <Suspense>
            <VisitorsNote />
          </Suspense>
          <Before onAsk={ask} onRepeat={(search) => go(changed(search, { lang: asked.lang }))} />
        </>
      )}
      <Suspense>{(hasAsked || hasCompared()) && <CompareTray />}</Suspense>
    </div>
  )
}
