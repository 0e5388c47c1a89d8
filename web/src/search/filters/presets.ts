/** The lists of suffixes that the service knows by name. */
import type { Say } from '../../i18n/i18n.ts'

const PRESETS = {
  startup: 'search.presetStartup',
  classic: 'search.presetClassic',
  corporate: 'search.presetCorporate',
  retail: 'search.presetRetail',
  developer: 'search.presetDeveloper',
  nonprofit: 'search.presetNonprofit',
  creative: 'search.presetCreative',
  budget: 'search.presetBudget',
} as const

export const PRESET_NAMES = Object.keys(PRESETS) as (keyof typeof PRESETS)[]

/** Undefined when it is a suffix. */
export function presetName(t: Say, text: string): string | undefined {
  const preset = PRESET_NAMES.find((name) => name === text)
  if (preset) return t(PRESETS[preset])
  const country = /^country:([a-z]{2})$/i.exec(text)?.[1]
  return country === undefined ? undefined : t('search.presetCountry', { country: country.toUpperCase() })
}
