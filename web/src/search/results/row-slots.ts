/**
 * Decides which rows of the grid are drawn, and in which elements. Making, styling and laying out cells is what scrolling
 * costs, so a row that comes into sight takes over the elements of one that left it, and only so many rows change at
 * once: those in the middle of the window first. A row keeps its slot for as long as it is wanted.
 */
export interface DrawnRow {
  readonly slot: number
  readonly row: number
}

export interface RowSlots {
  /** In order of the rows; `isWhole` when no wanted row is missing. Rows out of sight may be among them. */
  assign(
    wanted: readonly number[],
    needed: readonly number[],
  ): { readonly drawn: DrawnRow[]; readonly isWhole: boolean }
}

/** `mostNew`: how many rows may change their slot at once, beside the needed ones. */
export function createRowSlots(mostNew: number): RowSlots {
  const slotOf = new Map<number, number>()

  /** The slot of a row that is no longer wanted, or a new one. */
  function takeSlot(wanted: ReadonlySet<number>): number {
    for (const [row, slot] of slotOf) {
      if (wanted.has(row)) continue
      slotOf.delete(row)
      return slot
    }
    return slotOf.size
  }

  return {
    assign(rows, needed) {
      const wanted = new Set([...rows, ...needed])
      const inSight = rows.filter((row) => !needed.includes(row))
      const middle = inSight.reduce((sum, row) => sum + row, 0) / Math.max(1, inSight.length)
      const missing = inSight.filter((row) => !slotOf.has(row))
      const nearest = missing.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle)).slice(0, mostNew)
      for (const row of [...needed.filter((one) => !slotOf.has(one)), ...nearest]) slotOf.set(row, takeSlot(wanted))
      const drawn = [...slotOf].map(([row, slot]) => ({ slot, row })).toSorted((a, b) => a.row - b.row)
      return { drawn, isWhole: missing.length === nearest.length }
    },
  }
}
