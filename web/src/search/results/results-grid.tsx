/**
 * The names as a grid, name by suffix, for looking rather than reading. One cell is in the tab order and arrows move it;
 * Enter or a press opens what is known of it and what can be done.
 *
 * Only the rows near the window are there, and always the ones with the keyboard, the details and the hint, so that none of
 * these is lost. The head stays in sight; it lies outside of what scrolls sideways, and follows it.
 */
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, SyntheticEvent } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { Ltr } from '../../ui/layout.tsx'
import { bestOf } from '../result.ts'
import type { Result } from '../result.ts'
import { columnsOf, entryIn } from './grid-columns.ts'
import { GRID_ANCHOR, GridDetails } from './grid-details.tsx'
import { GridHint, HINT_ANCHOR } from './grid-hint.tsx'
import { nextPlace } from './grid-keys.ts'
import type { Place } from './grid-keys.ts'
import { GridRow } from './grid-row.tsx'
import type { CardProps } from './result-card.tsx'
import { useDrawnRows } from './use-drawn-rows.ts'

const HOVER_MS = 250

export function ResultsGrid({
  results,
  isLive,
  language,
  onSteer,
}: Omit<CardProps, 'result' | 'like' | 'onLock'> & { readonly results: readonly Result[] }) {
  const { t, direction } = useText()
  const hintId = useId()
  const head = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const hover = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [active, setActive] = useState<Place>({ row: 0, column: 0 })
  const [opened, setOpened] = useState<Place>()
  const [hinted, setHinted] = useState<Place>()
  const [top, setTop] = useState(0)
  // The same list for as long as it says the same, or every row would be drawn again with every event.
  const suffixes = useMemo(() => columnsOf(results).join(' '), [results])
  const columns = useMemo(() => suffixes.split(' '), [suffixes])
  const row = Math.min(active.row, results.length - 1)

  // What stands above the grid comes and goes.
  useLayoutEffect(() => {
    const measure = () => {
      const box = body.current
      if (!box) return
      setTop(Math.round(box.getBoundingClientRect().top + scrollY))
      // Names that stay in sight cost time in every frame, and are of use only where the grid scrolls sideways.
      box.toggleAttribute('data-wide', box.scrollWidth > box.clientWidth)
    }
    measure()
    const watch = new ResizeObserver(measure)
    watch.observe(document.body)
    return () => watch.disconnect()
  }, [columns])
  useEffect(() => () => clearTimeout(hover.current), [])
  const needed = [...new Set([row, opened?.row ?? row, hinted?.row ?? row])]
  const { rows, heights, totalPx } = useDrawnRows({
    count: results.length,
    columns: columns.length + 1,
    keyOf: (index) => results[index]?.name ?? index,
    top,
    needed,
  })
  const rowId = (slot: number) => `${hintId}-${slot}`

  const cellAt = (place: Place) =>
    body.current?.querySelector<HTMLElement>(`[data-index="${place.row}"] > :nth-child(${place.column + 1})`)
  const entryAt = ({ row: at, column }: Place) => {
    const result = results[at]
    const suffix = columns[column - 1]
    return result && (suffix === undefined ? bestOf(result) : entryIn(result, suffix))
  }
  const go = (place: Place) => {
    setActive(place)
    // The row may have to be made first.
    requestAnimationFrame(() => cellAt(place)?.focus())
  }
  const open = (place: Place) => {
    if (!entryAt(place)) return
    // A hint that is still to come would take the anchor away from the details.
    hint(undefined)
    setActive(place)
    setAnchor(cellAt(place), GRID_ANCHOR)
    setOpened(place)
  }
  const close = () => {
    if (!opened) return
    const cell = cellAt(opened)
    setAnchor(cell, '')
    setOpened(undefined)
    if (document.activeElement === document.body || document.activeElement === null) cell?.focus()
  }
  const hint = (place: Place | undefined) => {
    clearTimeout(hover.current)
    if (hinted) {
      const cell = cellAt(hinted)
      setAnchor(cell, '')
      cell?.removeAttribute('aria-describedby')
    }
    const next = place && place.column > 0 && entryAt(place) && !opened ? place : undefined
    if (next) {
      setAnchor(cellAt(next), HINT_ANCHOR)
      cellAt(next)?.setAttribute('aria-describedby', hintId)
    }
    setHinted(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const from = placeOf(event)
    if (!from) return
    if (event.key === 'Escape') hint(undefined)
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      open(from)
      return
    }
    const size = { rows: results.length, columns: columns.length + 1, isRtl: direction === 'rtl' }
    const to = nextPlace(event, from, size)
    if (!to) return
    event.preventDefault()
    go(to)
  }
  const openedResult = opened && results[opened.row]
  const openedEntry = opened && entryAt(opened)
  const hintedEntry = hinted && entryAt(hinted)
  return (
    <>
      <div
        role="grid"
        aria-label={t('search.gridLabel')}
        aria-rowcount={results.length + 1}
        style={
          {
            '--columns': `minmax(var(--name-column), 1.5fr) repeat(${columns.length}, minmax(6.75rem, 1fr))`,
            '--width': `calc(var(--name-column) + ${columns.length * 6.75}rem)`,
          } as CSSProperties
        }
        className="overflow-clip rounded-lg border border-line bg-card [--name-column:8.5rem] sm:[--name-column:12rem]"
      >
        <div ref={head} className="sticky top-0 z-2 overflow-hidden rounded-t-lg border-b border-edge bg-card">
          <div role="row" aria-rowindex={1} className="grid min-w-(--width) grid-cols-(--columns) text-sm text-faint">
            <div
              role="columnheader"
              className="sticky start-0 z-1 border-e border-line bg-card px-3 py-2.5 font-medium"
            >
              {t('search.gridName')}
            </div>
            {columns.map((suffix) => (
              <div key={suffix} role="columnheader" className="px-3 py-2.5">
                <Ltr className="font-mono font-semibold text-ink">{`.${suffix}`}</Ltr>
              </div>
            ))}
          </div>
        </div>
        <div
          ref={body}
          role="rowgroup"
          // Elements stay where they are while their rows change: this is the order in which rows are read.
          aria-owns={rows.map(({ slot }) => rowId(slot)).join(' ')}
          onKeyDown={onKeyDown}
          onClick={(event) => {
            const place = placeOf(event)
            if (place) open(place)
          }}
          onFocus={(event) => {
            const place = placeOf(event)
            if (!place) return
            setActive(place)
            if (event.target.matches(':focus-visible')) hint(place)
          }}
          onBlur={() => hint(undefined)}
          onPointerMove={(event) => {
            // Scrolling moves the cells, not the pointer.
            if (event.movementX === 0 && event.movementY === 0) return
            clearTimeout(hover.current)
            const place = placeOf(event)
            if (event.pointerType === 'mouse') hover.current = setTimeout(() => hint(place), HOVER_MS)
          }}
          onPointerLeave={() => hint(undefined)}
          onScroll={({ currentTarget }) => {
            if (head.current) head.current.scrollLeft = currentTarget.scrollLeft
          }}
          className="scroll-ps-(--name-column) overflow-x-auto"
        >
          <div role="presentation" className="relative min-w-(--width)" style={{ height: totalPx }}>
            {rows
              .toSorted((a, b) => a.slot - b.slot)
              .map(({ slot, row: index, offset }) => (
                <GridRow
                  key={slot}
                  id={rowId(slot)}
                  result={results[index] as Result}
                  columns={columns}
                  rowIndex={index}
                  isLive={isLive}
                  activeColumn={index === row ? Math.min(active.column, columns.length) : undefined}
                  offset={offset}
                  heights={heights}
                />
              ))}
          </div>
        </div>
      </div>
      {hinted && hintedEntry && (
        <GridHint key={`${hinted.row}/${hinted.column}`} id={hintId} entry={hintedEntry} isLive={isLive} />
      )}
      {openedResult && openedEntry && (
        <GridDetails
          key={openedEntry.domain}
          result={openedResult}
          entry={openedEntry}
          {...{ isLive, language, onSteer }}
          onClose={close}
        />
      )}
    </>
  )
}

function placeOf({ target }: SyntheticEvent): Place | undefined {
  const cell = (target as HTMLElement).closest<HTMLElement>('[data-index] > *')
  const row = cell?.parentElement
  return cell && row ? { row: Number(row.dataset['index']), column: [...row.children].indexOf(cell) } : undefined
}

/** As React does it: a browser without anchors keeps it as a plain property, where `place-popovers.ts` reads it. */
function setAnchor(cell: HTMLElement | null | undefined, anchorName: string): void {
  if (cell) Object.assign(cell.style, { anchorName })
}
