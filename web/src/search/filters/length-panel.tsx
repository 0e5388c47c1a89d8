import { useText } from '../../i18n/i18n.ts'
import { TextField } from '../../ui/field.tsx'
import type { Asked } from '../asked.ts'
import type { Edit } from './filter-popover.tsx'
import { numberOf } from './number-of.ts'

export function LengthPanel({ draft, edit }: { readonly draft: Asked; readonly edit: Edit }) {
  const { t } = useText()
  const { min, max } = draft
  const isTwisted = min !== undefined && max !== undefined && max < min
  return (
    <div className="grid grid-cols-2 gap-3">
      <TextField
        label={t('search.lengthMin')}
        type="number"
        inputMode="numeric"
        min={1}
        max={63}
        placeholder="3"
        defaultValue={min}
        onChange={({ target }) => edit({ min: numberOf(target.value, 1, 63) })}
      />
      <TextField
        label={t('search.lengthMax')}
        type="number"
        inputMode="numeric"
        min={1}
        max={63}
        placeholder="15"
        defaultValue={max}
        wrong={isTwisted ? t('search.lengthTwisted') : undefined}
        onChange={({ target }) => edit({ max: numberOf(target.value, 1, 63) })}
      />
    </div>
  )
}
