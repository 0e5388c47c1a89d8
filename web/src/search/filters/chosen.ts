/** Which of the filters are set, as chips that can be taken away one by one. */
import { dotted } from '../../i18n/format.ts'
import type { Format } from '../../i18n/format.ts'
import type { Say } from '../../i18n/i18n.ts'
import { changed, listOf, STYLES, textOf } from '../asked.ts'
import type { Asked, Style } from '../asked.ts'
import { presetName } from './presets.ts'

export interface Chosen {
  readonly label: string
  /** What is asked for without it. */
  readonly without: Asked
}

const FILTERS = [
  'tlds',
  'styles',
  'min',
  'max',
  'with',
  'without',
  'price',
  'currency',
  'language',
  'variants',
] as const
const STEERING = ['like', 'unlike'] as const

export const STYLE_NAMES = {
  real_word: 'search.styleRealWord',
  compound: 'search.styleCompound',
  blend: 'search.styleBlend',
  affix: 'search.styleAffix',
  respelling: 'search.styleRespelling',
  foreign: 'search.styleForeign',
  invented: 'search.styleInvented',
  short_phrase: 'search.styleShortPhrase',
  domain_hack: 'search.styleDomainHack',
} as const satisfies Record<Style, string>

export const countFilters = (asked: Asked): number => FILTERS.filter((key) => asked[key] !== undefined).length

export const isFiltered = (asked: Asked): boolean => [...FILTERS, ...STEERING].some((key) => asked[key] !== undefined)

export function withoutFilters(asked: Asked): Asked {
  return changed(asked, Object.fromEntries([...FILTERS, ...STEERING, 'n'].map((key) => [key, undefined])))
}

type Listed = 'tlds' | 'styles' | 'with' | 'without' | 'like' | 'unlike'

export function chosenOf(asked: Asked, t: Say, format: Format): Chosen[] {
  const each = (key: Listed, labelOf: (part: string) => string): Chosen[] =>
    listOf(asked[key]).map((part) => ({
      label: labelOf(part),
      without: changed(asked, { [key]: textOf(listOf(asked[key]).filter((other) => other !== part)) }),
    }))
  const one = (key: keyof Asked, label: () => string): Chosen[] =>
    asked[key] === undefined ? [] : [{ label: label(), without: changed(asked, { [key]: undefined }) }]
  const styleName = (part: string) => {
    const style = STYLES.find((known) => known === part)
    return style ? t(STYLE_NAMES[style]) : part
  }
  return [
    ...each('like', (name) => t('search.chipLike', { name })),
    ...each('unlike', (name) => t('search.chipUnlike', { name })),
    ...each('tlds', (part) => presetName(t, part) ?? dotted(part)),
    ...each('styles', styleName),
    ...one('min', () => t('search.chipMin', { count: asked.min ?? 0 })),
    ...one('max', () => t('search.chipMax', { count: asked.max ?? 0 })),
    ...each('with', (word) => t('search.chipWith', { word })),
    ...each('without', (word) => t('search.chipWithout', { word })),
    ...one('price', () => t('search.chipPrice', { price: format.number(asked.price ?? 0) })),
    ...one('currency', () => t('search.chipCurrency', { currency: asked.currency ?? '' })),
    ...one('language', () => t('search.chipLanguage', { language: format.languageName(asked.language ?? '') })),
    ...one('variants', () => t('search.chipVariants')),
  ]
}
