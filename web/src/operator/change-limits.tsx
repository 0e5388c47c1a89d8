/** The limits of an account, for the operator to change. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changeLimits } from '../api/operator.ts'
import type { AccountLimits, AccountTotals } from '../api/operator.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { faultText } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { showToast } from '../ui/toast.tsx'

const FIELDS = [
  ['names_per_day', 'operator.limitNamesPerDay'],
  ['names_per_month', 'operator.limitNamesPerMonth'],
  ['requests_per_minute', 'operator.limitRequestsPerMinute'],
  ['checks_per_day', 'operator.limitChecksPerDay'],
  ['keys', 'operator.limitKeys'],
  ['webhooks', 'operator.limitWebhooks'],
  ['applications', 'operator.limitApplications'],
  ['running_batches', 'operator.limitRunningBatches'],
  ['open_streams', 'operator.limitOpenStreams'],
  ['history_bytes', 'operator.limitHistoryBytes'],
  ['batch_bytes', 'operator.limitBatchBytes'],
  ['answer_bytes', 'operator.limitAnswerBytes'],
  ['favorites', 'operator.limitFavorites'],
] as const satisfies readonly (readonly [keyof AccountLimits, string])[]

export function ChangeLimits({ of, onClose }: { readonly of: AccountTotals; readonly onClose: () => void }) {
  const { t } = useText()
  const queries = useQueryClient()
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(FIELDS.map(([name]) => [name, of.limits[name] === null ? '' : String(of.limits[name])])),
  )
  const isWrong = (name: string) => !/^\d{0,13}$/.test((texts[name] ?? '').trim())
  const saving = useMutation({
    mutationFn: () => changeLimits(of.id, limitsOf(texts)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['operator', 'accounts'] })
      onClose()
      showToast({ text: t('operator.limitsSaved') })
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('operator.limitsOf', { name: of.name })}
      description={t('operator.limitsText')}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!FIELDS.some(([name]) => isWrong(name))) saving.mutate()
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {FIELDS.map(([name, label]) => (
            <TextField
              key={name}
              label={t(label)}
              inputMode="numeric"
              autoComplete="off"
              dir="ltr"
              value={texts[name] ?? ''}
              wrong={isWrong(name) ? t('operator.wholeNumbers') : undefined}
              onChange={({ target }) => setTexts((all) => ({ ...all, [name]: target.value }))}
            />
          ))}
        </div>
        {saving.error && (
          <p role="alert" className="text-wrong">
            {faultText(saving.error)}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="main" type="submit" busy={saving.isPending}>
            {t('operator.saveLimits')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function limitsOf(texts: Readonly<Record<string, string>>): AccountLimits {
  const numbers = FIELDS.map(([name]) => {
    const text = (texts[name] ?? '').trim()
    return [name, text === '' ? null : Number(text)]
  })
  return Object.fromEntries(numbers) as AccountLimits
}
