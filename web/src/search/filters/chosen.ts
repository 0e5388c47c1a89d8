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
    ...one('past', () => t('search.chipPast', { count: listOf(asked.past).length })),
    ...each('tlds', (part) => presetName(t, part) ?? dotted(part)),
    ...each('styles', styleName),
    ...one('min', () => t('search.chipMin', { count: asked.min ?? 0 })),
    ...one('max', () => t('search.chipMax', { count: asked.max ?? 0 })),
    ...each('with', (word) => t('search.chipWith', { word })),
    ...each('without', (word) => t('search.chipWithout', { word })),
    ...one('price', () => t('search.chipPrice', { price: format.number(asked.price ?? 0) })),
    ...one('currency', () => t('search.chipCurrency', { currency: asked.currency ?? '' })),
    ...one('country', () => t('search.presetCountry', { country: asked.country ?? '' })),
    ...one('language', () => t('search.chipLanguage', { language: format.languageName(asked.language ?? '') })),
    ...one('variants', () => t('search.chipVariants')),
  ]
}
