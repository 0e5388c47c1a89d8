/** Whether filters are set, how many, and what is asked for without them. */
import { changed } from '../asked.ts'
import type { Asked } from '../asked.ts'

const FILTERS = [
  'tlds',
  'styles',
  'min',
  'max',
  'with',
  'without',
  'price',
  'currency',
  'country',
  'language',
  'variants',
] as const
const STEERING = ['like', 'unlike', 'past'] as const

export const countFilters = (asked: Asked): number => FILTERS.filter((key) => asked[key] !== undefined).length

export const isFiltered = (asked: Asked): boolean => [...FILTERS, ...STEERING].some((key) => asked[key] !== undefined)

export function withoutFilters(asked: Asked): Asked {
  return changed(asked, Object.fromEntries([...FILTERS, ...STEERING, 'n'].map((key) => [key, undefined])))
}
