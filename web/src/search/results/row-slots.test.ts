import { expect, it } from 'vitest'
import { createRowSlots } from './row-slots.ts'

const rowsFrom = (from: number) => Array.from({ length: 12 }, (_, at) => from + at)

it('gives the slots of rows that left to those that came', () => {
  const slots = createRowSlots(100)
  slots.assign([0, 1, 2, 3], [])
  const { drawn } = slots.assign([2, 3, 4, 5], [])
  expect(drawn.map(({ row }) => row)).toEqual([2, 3, 4, 5])
  expect(new Set(drawn.map(({ slot }) => slot))).toEqual(new Set([0, 1, 2, 3]))
})

it('lets a row keep its slot while it is wanted', () => {
  const slots = createRowSlots(100)
  const slotOf = (row: number, rows: readonly number[]) =>
    slots.assign(rows, []).drawn.find((one) => one.row === row)?.slot
  const kept = slotOf(8, rowsFrom(3))
  expect(kept).toBeDefined()
  expect([0, 8].map((from) => slotOf(8, rowsFrom(from)))).toEqual([kept, kept])
})

it('changes few rows at once, the middle ones first, until all are there', () => {
  const slots = createRowSlots(4)
  const first = slots.assign(rowsFrom(100), [])
  expect(first.drawn.map(({ row }) => row)).toEqual([104, 105, 106, 107])
  expect(first.isWhole).toBe(false)
  slots.assign(rowsFrom(100), [])
  const last = slots.assign(rowsFrom(100), [])
  expect(last.drawn.map(({ row }) => row)).toEqual(rowsFrom(100))
  expect(last.isWhole).toBe(true)
})

it('draws a needed row at once, however far away', () => {
  const slots = createRowSlots(2)
  slots.assign(rowsFrom(0), [500])
  const { drawn } = slots.assign(rowsFrom(50), [500])
  expect(drawn.some(({ row }) => row === 500)).toBe(true)
})

it('gives no slot to two rows and makes no more than are wanted at once', () => {
  const slots = createRowSlots(5)
  for (const from of [0, 7, 90, 3, 3, 50, 50, 50]) {
    const { drawn } = slots.assign(rowsFrom(from), [200])
    expect(new Set(drawn.map(({ slot }) => slot)).size).toBe(drawn.length)
    expect(drawn.length).toBeLessThanOrEqual(13)
  }
})
