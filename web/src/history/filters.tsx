/** What of the history is shown: by words, by time, and by what asked for it. */
import type { Origin } from '../api/history.ts'
import { useText } from '../i18n/i18n.ts'
import { SelectField } from '../ui/field.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { isWhen, WHENS } from './when.ts'
import type { When } from './when.ts'

export interface Chosen {
  readonly q: string
  readonly when: When
  /** The id of a key or an application; empty is any. */
  readonly origin: string
}

export const NOTHING_CHOSEN: Chosen = { q: '', when: 'any', origin: '' }

const WORDS = {
  any: 'history.whenAny',
  today: 'history.whenToday',
  week: 'history.whenWeek',
  month: 'history.whenMonth',
  older: 'history.whenOlder',
} as const

export function Filters({
  chosen,
  origins,
  onChange,
}: {
  readonly chosen: Chosen
  readonly origins: readonly Origin[]
  readonly onChange: (chosen: Chosen) => void
}) {
  const { t } = useText()
  return (
    <div role="search" className="mb-8 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_13rem_15rem]">
      <SearchBox
        label={t('history.search')}
        value={chosen.q}
        onChange={(q) => onChange({ ...chosen, q })}
        className="sm:col-span-2 lg:col-span-1"
      />
      <SelectField
        label={t('history.when')}
        hideLabel
        value={chosen.when}
        onChange={({ target }) => isWhen(target.value) && onChange({ ...chosen, when: target.value })}
      >
        {WHENS.map((when) => (
          <option key={when} value={when}>
            {t(WORDS[when])}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('history.origin')}
        hideLabel
        value={chosen.origin}
        onChange={({ target }) => onChange({ ...chosen, origin: target.value })}
      >
        <option value="">{t('history.originAny')}</option>
        {origins.map(({ id, name, isWeb }) => (
          <option key={id} value={id}>
            {isWeb ? t('history.originHere') : name}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
