/** What is to be compared, at the lower edge of the page as long as there is something: take out, clear, compare. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import type { Result } from '../result.ts'
import { MOST_COMPARED, takeOut, useCompared } from './compared.ts'

// Most people who search compare nothing.
const CompareDialog = lazy(() => import('./compare-dialog.tsx'))

/** Between the tray and the edge of the window. */
const GAP = 12

export default function CompareTray() {
  const results = useCompared()
  return results.length === 0 ? null : <Tray results={results} />
}

function Tray({ results }: { readonly results: readonly Result[] }) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  const tray = useRef<HTMLElement>(null)
  useRoom(tray)
  const leave = (result?: Result) => {
    takeOut(result)
    // What was focused is gone: on to the next one, or to the page.
    const isLast = result === undefined || results.length === 1
    const next = isLast ? document.querySelector<HTMLElement>('#content') : tray.current
    next?.focus({ preventScroll: true })
  }
  return (
    <section
      ref={tray}
      tabIndex={-1}
      aria-label={t('compare.tray')}
      className="fixed inset-x-3 bottom-3 z-40 mx-auto flex max-w-[70rem] flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-card p-3 shadow-float outline-none"
    >
      <ul className="-my-1 flex min-w-0 flex-1 gap-2 overflow-x-auto py-1 max-sm:basis-full">
        {results.map((result) => (
          <li
            key={result.name}
            className="inline-flex shrink-0 items-center gap-1 rounded-full bg-accent-soft ps-4 pe-1 whitespace-nowrap"
          >
            <bdi translate="no" className="font-display font-semibold">
              {result.name}
            </bdi>
            <IconButton
              icon="close"
              small
              label={t('compare.takeOut', { name: result.name })}
              onClick={() => leave(result)}
              className="rounded-full"
            />
          </li>
        ))}
      </ul>
      <span className="text-sm text-faint max-sm:me-auto">
        {t('compare.count', { count: results.length, most: MOST_COMPARED })}
      </span>
      <div className="flex gap-2">
        <Button kind="quiet" small onClick={() => leave()}>
          {t('compare.clear')}
        </Button>
        <Button kind="main" small icon="compare" onClick={() => setOpen(true)}>
          {t('compare.open')}
        </Button>
      </div>
      <Suspense>{open && <CompareDialog results={results} onClose={() => setOpen(false)} />}</Suspense>
    </section>
  )
}

/** The tray covers nothing: the page ends above it, and notes appear above it. */
function useRoom(tray: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = document.documentElement.style
    const page = document.body.style
    const watch = new ResizeObserver(([entry]) => {
      const height = `${(entry?.borderBoxSize[0]?.blockSize ?? 0) + 2 * GAP}px`
      root.setProperty('--tray', height)
      page.paddingBlockEnd = height
    })
    if (tray.current) watch.observe(tray.current)
    return () => {
      watch.disconnect()
      root.removeProperty('--tray')
      page.paddingBlockEnd = ''
    }
  }, [tray])
}
