/**
 * One name of the grid, under all suffixes. Drawn again only when this name changes, or the place in it does. Its
 * elements are used again for other names (`row-slots.ts`), so it remembers nothing.
 */
import { memo, useLayoutEffect, useRef } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { classes } from '../../ui/classes.ts'
import { useVerdicts } from '../actions/recheck.ts'
import type { Result } from '../result.ts'
import { GridCell } from './grid-cell.tsx'
import { entryIn } from './grid-columns.ts'
import type { RowHeights } from './row-heights.ts'

const CELL =
  'relative min-h-14 content-center px-3 py-1.5 text-start text-sm hover:bg-sunken focus-visible:-outline-offset-2'

export const GridRow = memo(function GridRow({
  id,
  result,
  columns,
  rowIndex,
  isLive,
  activeColumn,
  offset,
  heights,
}: {
  readonly id: string
  readonly result: Result
  readonly columns: readonly string[]
  /** From 0, without the head. */
  readonly rowIndex: number
  readonly isLive: boolean
  /** The place of the keyboard, when it is in this row; 0 is the name. */
  readonly activeColumn: number | undefined
  /** From the top of the grid's body, in pixels. */
  readonly offset: number
  readonly heights: RowHeights
}) {
  const { t } = useText()
  const latestOf = useVerdicts()
  const row = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => (row.current ? heights.observe(row.current) : undefined), [heights])
  useLayoutEffect(() => {
    if (row.current) heights.repeat(row.current)
  }, [heights, rowIndex])
  const tabIndexOf = (column: number) => (activeColumn === column ? 0 : undefined)
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={rowIndex + 2}
      data-result={result.name}
      ref={row}
      data-index={rowIndex}
      style={{ transform: `translateY(${offset}px)` }}
      className="absolute top-0 grid w-full grid-cols-(--columns) border-b border-line"
    >
      <div
        role="rowheader"
        tabIndex={tabIndexOf(0) ?? -1}
        className={classes(CELL, 'start-0 z-1 cursor-pointer border-e border-line bg-card in-data-wide:sticky')}
      >
        <bdi translate="no" className="block truncate font-display text-lg font-semibold">
          {result.name}
        </bdi>
      </div>
      {columns.map((suffix, index) => {
        const suggested = entryIn(result, suffix)
        const entry = suggested && latestOf(suggested)
        const tabIndex = tabIndexOf(index + 1)
        return (
          <div
            key={suffix}
            role="gridcell"
            tabIndex={tabIndex}
            data-domain={tabIndex === undefined ? undefined : entry?.domain}
            className={classes(CELL, entry && 'cursor-pointer')}
          >
            {entry ? (
              <GridCell entry={entry} isLive={isLive} />
            ) : (
              <span className="sr-only">{t('search.notShown')}</span>
            )}
          </div>
        )
      })}
    </div>
  )
})
