/** Creates the body of a request for names from the options, with the settings as defaults. */
import type { GenerateRequest } from '../../sdk/src/api-types.ts'
import type { Config } from './config.ts'
import type { Options } from './spec.ts'

const DEFAULT_COUNT = 10

export function requestOf(description: string, options: Options, config: Config): GenerateRequest {
  const number = (name: string) => options.number(name)
  const flag = (name: string) => (options.flag(name) ? true : undefined)
  const deadline = number('deadline')
  return withoutGaps({
    description,
    count: number('count') ?? (config.count === undefined ? DEFAULT_COUNT : Number(config.count)),
    language: options.text('language') ?? config.language,
    tlds: options.list('tlds') ?? config.tlds?.split(','),
    styles: options.list('style') as GenerateRequest['styles'],
    include_words: options.list('include-words'),
    exclude_words: options.list('exclude-words'),
    min_length: number('min-length'),
    max_length: number('max-length'),
    hyphens: flag('hyphens'),
    digits: flag('digits'),
    country: options.text('country')?.toUpperCase(),
    currency: (options.text('currency') ?? config.currency)?.toUpperCase(),
    max_price: number('max-price'),
    max_price_5y: number('max-price-5y'),
    premium: flag('premium'),
    only_available: options.flag('all') ? false : undefined,
    verify: options.text('verify') as GenerateRequest['verify'],
    quality: options.text('quality') as GenerateRequest['quality'],
    deadline_ms: deadline === undefined ? undefined : Math.round(deadline * 1000),
    variants: flag('variants'),
    like: options.list('like'),
    unlike: options.list('unlike'),
    seed: number('seed'),
  })
}

/** Removes undefined fields, so that equal requests are equal JSON, which an Idempotency-Key requires. */
export function withoutGaps<T extends object>(body: T): T {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as T
}
