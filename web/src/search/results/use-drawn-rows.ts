/**
 * Which rows of the grid are drawn, where, and in which elements: those near the window, and the needed ones wherever they
 * are. Rows that are still missing follow in the next frames.
 */
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useReducer, useState } from 'react'
import { watchRowHeights } from './row-heights.ts'
import type { RowHeights } from './row-heights.ts'
import { createRowSlots } from './row-slots.ts'
import type { DrawnRow } from './row-slots.ts'

const ROW_PX = 57
// At most so many new cells at once, so that a slow processor shows the next picture soon.
const CELLS_AT_ONCE = 30

export interface DrawnRows {
  /** In order. */
  readonly rows: readonly (DrawnRow & { readonly offset: number })[]
  readonly heights: RowHeights
  readonly totalPx: number
}

export function useDrawnRows(options: {
  readonly count: number
  readonly columns: number
  readonly keyOf: (row: number) => string | number
  /** Of the first row, from the top of the page, in pixels. */
  readonly top: number
  readonly needed: readonly number[]
}): DrawnRows {
  const { count, columns, keyOf, top, needed } = options
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => ROW_PX,
    overscan: 6,
    scrollMargin: top,
    getItemKey: keyOf,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), ...needed])].toSorted((a, b) => a - b),
  })
  const heights = useMemo(() => watchRowHeights((row, px) => virtual.resizeItem(row, px)), [virtual])
  const slots = useMemo(() => createRowSlots(Math.ceil(CELLS_AT_ONCE / columns)), [columns])
  const items = virtual.getVirtualItems()
  // Rows that left the window stay where they were until their elements are needed.
  const [offsets] = useState(() => new Map<number, number>())
  for (const { index, start } of items) offsets.set(index, start - top)
  const wanted = items.map(({ index }) => index)
  const { drawn, isWhole } = slots.assign(wanted, needed)
  const [frames, drawMore] = useReducer((before: number) => before + 1, 0)
  useEffect(() => {
    if (isWhole) return
    const frame = requestAnimationFrame(drawMore)
    return () => cancelAnimationFrame(frame)
  }, [isWhole, frames])
  const rows = drawn.filter(({ row }) => row < count).map((one) => ({ ...one, offset: offsets.get(one.row) ?? 0 }))
  return { rows, heights, totalPx: virtual.getTotalSize() }
}
