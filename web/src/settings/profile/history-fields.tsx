/**
 * Whether and for how long the account remembers what it searched for. What is forgotten is gone, so less memory asks first;
 * more takes effect at once.
 */
import { useState } from 'react'
import type { AccountSettings } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'

const FOR_EVER = ''
const STEPS = [7, 30, 90, 365, 730]

export function HistoryFields({
  account,
  disabled,
  onChange,
}: {
  readonly account: AccountSettings
  readonly disabled: boolean
  readonly onChange: (days: number | null) => void
}) {
  const { t } = useText()
  const [asked, setAsked] = useState<number>()
  const { history_days: days } = account
  const isKept = days !== 0
  // A number that came from elsewhere has its place among ours.
  const steps = days === null || days === 0 || STEPS.includes(days) ? STEPS : [...STEPS, days].toSorted((a, b) => a - b)
  const wish = (next: number | null) => {
    if (next !== null && next < (days ?? Infinity)) setAsked(next)
    else onChange(next)
  }
  return (
    <div className="grid max-w-md gap-5">
      <Switch
        label={t('profile.keepHistory')}
        hint={t('profile.keepHistoryText')}
        checked={isKept}
        disabled={disabled}
        onChange={(checked) => wish(checked ? null : 0)}
      />
      {isKept && (
        <SelectField
          label={t('profile.historyFor')}
          value={days === null ? FOR_EVER : String(days)}
          disabled={disabled}
          onChange={({ target }) => wish(target.value === FOR_EVER ? null : Number(target.value))}
        >
          <option value={FOR_EVER}>{t('profile.forever')}</option>
          {steps.map((step) => (
            <option key={step} value={step}>
              {t('profile.days', { count: step })}
            </option>
          ))}
        </SelectField>
      )}
      <Confirm
        open={asked !== undefined}
        title={t(asked === 0 ? 'profile.stopHistory' : 'profile.shortenHistory')}
        description={
          asked === 0 ? t('profile.stopHistoryText') : t('profile.shortenHistoryText', { count: asked ?? 0 })
        }
        act={t(asked === 0 ? 'profile.stopHistory' : 'profile.shortenHistory')}
        onConfirm={() => {
          if (asked !== undefined) onChange(asked)
          setAsked(undefined)
        }}
        onClose={() => setAsked(undefined)}
      />
    </div>
  )
}
