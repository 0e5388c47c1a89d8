import { useText } from '../../i18n/i18n.ts'
import { Slider } from '../../ui/slider.tsx'
import type { Asked } from '../asked.ts'
import type { Edit } from './filter-popover.tsx'

// What the service takes when nothing is said.
const USUAL = { min: 3, max: 15 } as const
const LONGEST = 25

export function LengthPanel({ draft, edit }: { readonly draft: Asked; readonly edit: Edit }) {
  const { t } = useText()
  const { min = USUAL.min, max = USUAL.max } = draft
  const textOf = (count: number) => t('names.letters', { count })
  // One moves the other along where they would cross.
  const choose = (least: number, most: number) =>
    edit({ min: least === USUAL.min ? undefined : least, max: most === USUAL.max ? undefined : most })
  return (
    <>
      <Slider
        label={t('search.lengthMin')}
        min={1}
        max={LONGEST}
        value={min}
        text={textOf(min)}
        onChange={(value) => choose(value, Math.max(value, max))}
      />
      <Slider
        label={t('search.lengthMax')}
        min={1}
        max={LONGEST}
        value={max}
        text={textOf(max)}
        onChange={(value) => choose(Math.min(value, min), value)}
      />
    </>
  )
}
