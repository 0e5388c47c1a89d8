/** Where the keyboard is in a grid, and where a key takes it: arrows, Home, End, Page up, Page down, with Control to the ends. */
import type { KeyboardEvent } from 'react'

export interface Place {
  readonly row: number
  readonly column: number
}

const PAGE = 10

export function nextPlace(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
  { row, column }: Place,
  size: { readonly rows: number; readonly columns: number; readonly isRtl: boolean },
): Place | undefined {
  if (event.altKey || event.metaKey || event.shiftKey) return undefined
  const last = { row: size.rows - 1, column: size.columns - 1 }
  const forward = size.isRtl ? -1 : 1
  const to: Partial<Record<string, Place>> = event.ctrlKey
    ? { Home: { row: 0, column: 0 }, End: last }
    : {
        ArrowDown: { row: row + 1, column },
        ArrowUp: { row: row - 1, column },
        ArrowRight: { row, column: column + forward },
        ArrowLeft: { row, column: column - forward },
        Home: { row, column: 0 },
        End: { row, column: last.column },
        PageDown: { row: row + PAGE, column },
        PageUp: { row: row - PAGE, column },
      }
  const next = to[event.key]
  if (!next) return undefined
  const within = (value: number, most: number) => Math.max(0, Math.min(most, value))
  return { row: within(next.row, last.row), column: within(next.column, last.column) }
}
