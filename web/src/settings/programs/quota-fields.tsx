/** How much and how fast: four numbers, each with what it means. */
import { useText } from '../../i18n/i18n.ts'
import { fieldFault } from '../../ui/fault.tsx'
import { TextField } from '../../ui/field.tsx'
import { isWhole } from './quota-draft.ts'
import type { QuotaDraft } from './quota-draft.ts'

export function QuotaFields({
  draft,
  error,
  onChange,
}: {
  readonly draft: QuotaDraft
  readonly error: unknown
  readonly onChange: (draft: QuotaDraft) => void
}) {
  const { t } = useText()
  const faultOf = (name: keyof QuotaDraft, pointer: string) => {
    const fault = fieldFault(error, `/quota/${pointer}`)
    return fault !== undefined && !isWhole(draft[name]) ? t('keys.wholeNumber') : fault
  }
  const field = (name: keyof QuotaDraft, pointer: string) => ({
    value: draft[name],
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    dir: 'ltr',
    wrong: faultOf(name, pointer),
    onChange: ({ target }: { readonly target: HTMLInputElement }) => onChange({ ...draft, [name]: target.value }),
  })
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField label={t('keys.perDay')} hint={t('keys.perDayHint')} {...field('perDay', 'per_day')} />
      <TextField label={t('keys.perMonth')} hint={t('keys.perMonthHint')} {...field('perMonth', 'per_month')} />
      <TextField label={t('keys.perMinute')} hint={t('keys.perMinuteHint')} {...field('perMinute', 'per_minute')} />
      <TextField label={t('keys.burst')} hint={t('keys.burstHint')} {...field('burst', 'burst')} />
    </div>
  )
}
