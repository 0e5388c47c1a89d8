/**
 * Where people arrive: one field, and the names for what is written in it. What is asked for stands in the address, and
 * nothing here waits to know who is asking.
 */
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useState } from 'react'
import { useText } from '../i18n/i18n.ts'
import { lazyPart, loadPart } from '../later.ts'
import { changed, newSeed } from './asked.ts'
import type { Asked } from './asked.ts'
import { Before } from './before.tsx'
import { hasCompared } from './compare/has-compared.ts'
import { DescriptionField } from './description-field.tsx'
import { FilterBar } from './filters/filter-bar.tsx'
import { WaitingCards } from './results/waiting-cards.tsx'
import { VisitorsNote } from './states/visitors-note.tsx'

const route = getRouteApi('/')

// Half of the page is about names that are there: it is fetched when somebody moves a pointer, or else while the first
// words are written.
const loadSearched = () => import('./searched.tsx')
const Searched = lazyPart(loadSearched)
const Typed = lazyPart(() => import('./exact/typed.tsx'))
const CompareTray = lazyPart(() => import('./compare/compare-tray.tsx'))
const BEGINNINGS = ['pointermove', 'pointerdown', 'keydown', 'input'] as const

export function SearchPage() {
  const { t } = useText()
  const asked = route.useSearch()
  const navigate = useNavigate()
  const description = asked.d?.trim() ?? ''
  const hasAsked = description !== ''
  // What is in the field: what was typed since the last search, or what was searched for.
  const [typed, setTyped] = useState({ after: description, text: description })
  const text = typed.after === description ? typed.text : description
  const go = useCallback(
    (next: Asked) => {
      void navigate({ to: '/', search: next, resetScroll: false })
    },
    [navigate],
  )
  const ask = (d: string) =>
    go(changed(asked, { d, n: undefined, seed: newSeed(), like: undefined, unlike: undefined, past: undefined }))
  // A list is not searched for: its check is under way, and the focus goes there.
  const submit = async (d: string) => {
    const isList = await import('./list/pasted-list.ts').then(
      ({ pastedList }) => pastedList(d, ['com']),
      () => undefined,
    )
    if (isList && d !== description) document.querySelector<HTMLElement>('#list')?.focus()
    else ask(d)
  }
  useEffect(() => {
    document.title = hasAsked ? t('search.titleOf', { description: description.slice(0, 60) }) : t('search.title')
  })
  useEffect(() => {
    const begin = () => void loadPart(loadSearched)
    for (const beginning of BEGINNINGS) addEventListener(beginning, begin, { once: true })
    return () => {
      for (const beginning of BEGINNINGS) removeEventListener(beginning, begin)
    }
  }, [])
  return (
    <div
      className={hasAsked ? 'grid grid-cols-1 gap-3 sm:gap-5' : 'mx-auto grid max-w-[52rem] grid-cols-1 gap-5 sm:pt-10'}
    >
      <h1 className={hasAsked ? 'sr-only' : 'text-4xl font-semibold sm:text-[2.75rem]'}>{t('search.heading')}</h1>
      {!hasAsked && <p className="max-w-[40rem] text-lg text-faint">{t('search.lead')}</p>}
      <DescriptionField
        asked={description}
        isLarge={!hasAsked}
        onType={(next) => setTyped({ after: description, text: next })}
        onAsk={(d) => void submit(d)}
      />
      {text.trim() !== '' && (
        <Suspense>
          <Typed text={text} isAsked={text.trim() === description} tlds={asked.tlds} onDescribe={ask} />
        </Suspense>
      )}
      <FilterBar asked={asked} onChange={go} />
      {hasAsked ? (
        <Suspense fallback={<WaitingCards />}>
          <Searched asked={asked} description={description} onChange={go} />
        </Suspense>
      ) : (
        <>
          <Suspense>
            <VisitorsNote />
          </Suspense>
          <Before onAsk={ask} />
        </>
      )}
      <Suspense>{(hasAsked || hasCompared()) && <CompareTray />}</Suspense>
    </div>
  )
}
