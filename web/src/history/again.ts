/** A search of the past as the address that repeats it, with its seed, so that the same names come first. */
import type { HistoryRecord } from '@namewright/client'
import { parseAsked } from '../search/asked.ts'
import type { Asked } from '../search/asked.ts'
import { readOptions } from './options.ts'

export function againOf(record: HistoryRecord): Asked {
  const options = readOptions(record.options)
  const list = (key: string) => options.list(key)?.join(',')
  return parseAsked({
    d: record.description,
    n: record.count,
    tlds: list('tlds'),
    styles: list('styles'),
    min: options.number('min_length'),
    max: options.number('max_length'),
    with: list('include_words'),
    without: list('exclude_words'),
    price: options.number('max_price'),
    currency: options.text('currency'),
    country: options.text('country'),
    language: options.text('language'),
    seed: options.number('seed'),
    variants: options.flag('variants'),
    like: list('like'),
    unlike: list('unlike'),
  })
}
