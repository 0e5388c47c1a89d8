/** Parses the suffixes and presets that a request names. */
import type { Prices } from '../../engines/prices/prices.ts'
import type { Suffix } from '../../model/domain.ts'
import type { FieldError } from '../../model/errors.ts'

/** A suffix or preset of the caller that is left out, and why. */
export interface IgnoredSuffix {
  readonly tld: string
  readonly reason: 'unknown_suffix' | 'unknown_preset' | 'no_price'
}

export interface SuffixOptions {
  readonly prices: Prices
  /** The operator's default. */
  readonly suffixes: readonly Suffix[]
  /** For callers who get an answer for the other suffixes: takes those that we do not know, which otherwise are refused. */
  readonly ignored?: IgnoredSuffix[]
  /** Suffixes without a price are accepted. */
  readonly isCheck?: boolean
}

/** The suffixes that a request names, or the operator's default. */
export function parseSuffixes(
  body: { readonly tlds?: readonly string[]; readonly country?: string },
  { prices, suffixes, ignored, isCheck = false }: SuffixOptions,
  problems: FieldError[],
): readonly Suffix[] {
  const unknown: FieldError[] = []
  const named = body.tlds?.flatMap((text, i): readonly Suffix[] => {
    const wanted = text.toLowerCase().replace(/^\./, '')
    const checkable = prices.findCheckable(wanted)
    const suffix = isCheck ? checkable : prices.findSuffix(wanted)
    const preset = suffix === undefined ? prices.findPreset(wanted) : [suffix]
    if (preset) return preset
    const pointer = `/tlds/${i}`
    const isPreset = wanted.includes(':')
    const presets = wanted.startsWith('country:') ? prices.countryPresets : prices.presets
    const code = isPreset ? 'unknown_preset' : 'unknown_suffix'
    ignored?.push({ tld: text, reason: checkable ? 'no_price' : code })
    unknown.push(
      isPreset
        ? { pointer, code: 'unknown_preset', params: { value: text, allowed: presets.join(', ') } }
        : { pointer, code: 'unknown_suffix', params: { value: text } },
    )
    return []
  })
  const ofCountry = body.country === undefined ? [] : (prices.findPreset(`country:${body.country.toLowerCase()}`) ?? [])
  // Without any that we know there is nothing to answer.
  if (ignored === undefined || named?.length === 0) problems.push(...unknown)
  // The operator's own price file can withhold a default suffix.
  const offered = suffixes.filter((suffix) => prices.findSuffix(suffix))
  return [...new Set([...(named ?? offered), ...ofCountry])]
}
