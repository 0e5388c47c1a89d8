/** Until when, how much and from where: what a key is limited by. Folded away, because the defaults do for most. */
import { useText } from '../../i18n/i18n.ts'
import { fieldFault } from '../../ui/fault.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { Fold } from '../programs/fold.tsx'
import { linesFault } from '../programs/lines.ts'
import { QuotaFields } from '../programs/quota-fields.tsx'
import type { End, KeyDraft } from './key-draft.ts'

const QUOTA_POINTERS = ['/quota/per_day', '/quota/per_month', '/quota/per_minute', '/quota/burst']

export function KeyLimits({
  draft,
  error,
  keepsEnd,
  onChange,
}: {
  readonly draft: KeyDraft
  readonly error: unknown
  readonly keepsEnd?: string
  readonly onChange: (change: Partial<KeyDraft>) => void
}) {
  const { t } = useText()
  const endWrong = fieldFault(error, '/expires_at') === undefined ? undefined : t('keys.dateToCome')
  const isDate = draft.end === 'date'
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          label={t('keys.ends')}
          hint={t('keys.endsHint')}
          wrong={isDate ? undefined : endWrong}
          value={draft.end}
          onChange={({ target }) => onChange({ end: target.value as End })}
        >
          {keepsEnd !== undefined && <option value="keep">{keepsEnd}</option>}
          <option value="never">{t('keys.endsNever')}</option>
          <option value="30">{t('keys.endsInDays', { count: 30 })}</option>
          <option value="90">{t('keys.endsInDays', { count: 90 })}</option>
          <option value="date">{t('keys.endsOnDate')}</option>
        </SelectField>
        {isDate && (
          <TextField
            type="date"
            label={t('keys.lastDay')}
            wrong={endWrong}
            value={draft.date}
            onChange={({ target }) => onChange({ date: target.value })}
          />
        )}
      </div>
      <Fold
        title={t('keys.limits')}
        summary={t(draft.quota.perDay === '' ? 'keys.limitsNoDay' : 'keys.limitsNow', { ...draft.quota })}
        isWrong={QUOTA_POINTERS.some((pointer) => fieldFault(error, pointer) !== undefined)}
      >
        <QuotaFields draft={draft.quota} error={error} onChange={(quota) => onChange({ quota })} />
      </Fold>
      <Fold
        title={t('keys.addresses')}
        summary={t('keys.addressesSummary')}
        isWrong={linesFault(error, '/allowed_ips', draft.addresses) !== undefined}
      >
        <TextArea
          label={t('keys.addresses')}
          hideLabel
          hint={t('keys.addressesHint')}
          wrong={linesFault(error, '/allowed_ips', draft.addresses)}
          value={draft.addresses}
          dir="ltr"
          spellCheck={false}
          placeholder="192.0.2.7"
          onChange={({ target }) => onChange({ addresses: target.value })}
        />
      </Fold>
    </>
  )
}
