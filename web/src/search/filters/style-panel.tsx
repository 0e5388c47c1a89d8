import { useText } from '../../i18n/i18n.ts'
import { CheckField } from '../../ui/field.tsx'
import { Slider } from '../../ui/slider.tsx'
import { listOf, STYLES, textOf } from '../asked.ts'
import type { Asked, Style } from '../asked.ts'
import { STYLE_NAMES } from './chosen.ts'
import type { Edit } from './filter-popover.tsx'
import { PLAYFUL_STEPS, stepOf, stylesAt } from './playfulness.ts'

const MIDDLE = 2

const EXPLAINED = {
  real_word: 'search.styleRealWordHint',
  compound: 'search.styleCompoundHint',
  blend: 'search.styleBlendHint',
  affix: 'search.styleAffixHint',
  respelling: 'search.styleRespellingHint',
  foreign: 'search.styleForeignHint',
  invented: 'search.styleInventedHint',
  short_phrase: 'search.styleShortPhraseHint',
  domain_hack: 'search.styleDomainHackHint',
} as const satisfies Record<Style, string>

export function StylePanel({ draft, edit }: { readonly draft: Asked; readonly edit: Edit }) {
  const { t } = useText()
  const chosen = listOf(draft.styles)
  const step = stepOf(chosen)
  const stepText = step === undefined ? 'names.playOwn' : (PLAYFUL_STEPS[step] ?? 'names.playOwn')
  return (
    <>
      <Slider
        label={t('names.playfulness')}
        min={0}
        max={PLAYFUL_STEPS.length - 1}
        value={step ?? MIDDLE}
        text={t(stepText)}
        onChange={(next) => edit({ styles: textOf(stylesAt(next)) })}
      />
      <fieldset className="grid gap-3">
        <legend className="mb-3 text-sm text-faint">{t('search.styleLegend')}</legend>
        {STYLES.map((style) => (
          <CheckField
            key={style}
            label={t(STYLE_NAMES[style])}
            hint={t(EXPLAINED[style])}
            checked={chosen.includes(style)}
            onChange={({ target }) =>
              edit({ styles: textOf(target.checked ? [...chosen, style] : chosen.filter((one) => one !== style)) })
            }
          />
        ))}
      </fieldset>
    </>
  )
}
