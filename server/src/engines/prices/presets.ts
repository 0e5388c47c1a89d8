/** Names for lists of suffixes: "startup" from `data/presets.json`, "country:de" from the country codes. */
import { DataError } from './fields.ts'

export interface Presets {
  /** Those of `data/presets.json`, and one country as an example. */
  readonly names: readonly string[]
  /** `country:de`, for every country whose suffix has a price. */
  readonly countries: readonly string[]
  /** Suffixes that may or may not be offered now. */
  find(name: string): readonly string[]
}

export function createPresets(options: {
  readonly presets: Readonly<Record<string, readonly string[]>>
  /** Countries whose suffix is not their code. */
  readonly countries: Readonly<Record<string, string>>
  readonly suffixes: ReadonlySet<string>
}): Presets {
  const { countries, suffixes: known } = options
  const isSuffix = (text: string) => known.has(text)
  const presets = new Map(Object.entries(options.presets))
  for (const [name, suffixes] of presets) {
    if (isSuffix(name)) throw new DataError(`data/presets.json: ${name} is a suffix; a preset needs another name`)
    const stranger = suffixes.find((suffix) => !isSuffix(suffix))
    if (stranger !== undefined) throw new DataError(`data/presets.json: ${name}: ${stranger} has no price`)
  }
  return {
    names: [...presets.keys(), 'country:de'],
    countries: [
      ...new Set([...[...known].filter((suffix) => suffix.length === 2 && suffix !== 'uk'), ...Object.keys(countries)]),
    ]
      .toSorted()
      .map((country) => `country:${country}`),
    find(name) {
      const country = /^country:([a-z]{2})$/.exec(name)?.[1]
      if (country === undefined) return presets.get(name) ?? []
      return [Object.hasOwn(countries, country) ? (countries[country] ?? country) : country]
    },
  }
}
