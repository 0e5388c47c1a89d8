/** One name of the grid, under all suffixes. Drawn again only when this name changes, or the place in it does. */
import { memo } from 'react'
import type { RefCallback } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { classes } from '../../ui/classes.ts'
import type { Result } from '../result.ts'
import { GridCell } from './grid-cell.tsx'
import { entryIn } from './grid-columns.ts'

const CELL =
  'relative flex min-h-14 items-center px-3 py-1.5 text-start hover:bg-sunken focus-visible:-outline-offset-2'

export const GridRow = memo(function GridRow({
  result,
  columns,
  rowIndex,
  isLive,
  activeColumn,
  offset,
  measure,
}: {
  readonly result: Result
  readonly columns: readonly string[]
  /** From 0, without the head. */
  readonly rowIndex: number
  readonly isLive: boolean
  /** The place of the keyboard, when it is in this row; 0 is the name. */
  readonly activeColumn: number | undefined
  /** From the top of the grid's body, in pixels. */
  readonly offset: number
  readonly measure: RefCallback<HTMLDivElement>
}) {
  const { t } = useText()
  const place = (column: number) => ({
    'data-row': rowIndex,
    'data-column': column,
    'aria-colindex': column + 1,
    tabIndex: activeColumn === column ? 0 : -1,
  })
  return (
    <div
      role="row"
      aria-rowindex={rowIndex + 2}
      data-result={result.name}
      ref={measure}
      data-index={rowIndex}
      style={{ transform: `translateY(${offset}px)` }}
      className="absolute top-0 grid w-full grid-cols-(--columns) border-b border-line"
    >
      <div
        role="rowheader"
        {...place(0)}
        className={classes(CELL, 'sticky start-0 z-1 cursor-pointer border-e border-line bg-card')}
      >
        <bdi translate="no" className="truncate font-display text-lg font-semibold">
          {result.name}
        </bdi>
      </div>
      {columns.map((suffix, index) => {
        const entry = entryIn(result, suffix)
        return (
          <div
            key={suffix}
            role="gridcell"
            data-domain={entry?.domain}
            {...place(index + 1)}
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
