/** The accounts of the installation: how many people and keys, how much was used, their limits. Never what they hold. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { changeLimits, operatorAccountsQuery, resumeAccount, suspendAccount } from '../api/operator.ts'
import type { AccountLimits, AccountTotals } from '../api/settings-types.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Fault, faultText } from '../ui/fault.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { Badge, Section, Skeleton } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
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

export function Accounts() {
  const { t } = useText()
  const format = useFormat()
  const [text, setText] = useState('')
  const asked = useDeferredValue(text.trim())
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...operatorAccountsQuery(asked),
    placeholderData: keepPreviousData,
  })
  const rows = data?.pages.flatMap(({ accounts }) => accounts)
  return (
    <Section title={t('operator.accounts')} description={t('operator.accountsText')}>
      <TextField
        className="max-w-md"
        type="search"
        label={t('operator.findAccount')}
        value={text}
        maxLength={100}
        autoComplete="off"
        onChange={({ target }) => setText(target.value)}
      />
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <div aria-busy="true">
          <Skeleton className="h-60" />
        </div>
      )}
      {rows?.length === 0 && <p className="text-faint">{t('operator.noAccounts')}</p>}
      {rows && rows.length > 0 && (
        <Table
          caption={t('operator.accounts')}
          numeric={[1, 2, 3, 4]}
          head={[
            t('operator.account'),
            t('operator.people'),
            t('operator.keys'),
            t('operator.usedToday'),
            t('operator.usedMonth'),
            t('operator.lastUsed'),
            t('operator.actions'),
          ]}
        >
          {rows.map((row) => (
            <tr key={row.id}>
              <td className="min-w-44">
                <p className="flex flex-wrap items-center gap-2">
                  <bdi className="font-medium">{row.name}</bdi>
                  {row.suspended && <Badge tone="wrong">{t('operator.suspended')}</Badge>}
                  {row.is_visitors && <Badge tone="accent">{t('operator.visitors')}</Badge>}
                </p>
                <p className="text-sm text-faint">{t('operator.since', { date: format.date(row.created_at) })}</p>
              </td>
              <NumberCell value={row.people} />
              <NumberCell value={row.keys} />
              <NumberCell value={row.used_today} />
              <NumberCell value={row.used_month} />
              <td className="whitespace-nowrap text-faint">
                {row.last_used_at === null ? t('operator.never') : format.ago(row.last_used_at)}
              </td>
              <td>
                <AccountActions of={row} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('operator.more')}
          </Button>
        </div>
      )}
    </Section>
  )
}

/** Digits stand below each other. */
export function NumberCell({ value }: { readonly value: number }) {
  return <td className="text-end whitespace-nowrap tabular-nums">{useFormat().number(value)}</td>
}

function AccountActions({ of }: { readonly of: AccountTotals }) {
  const { t } = useText()
  const queries = useQueryClient()
  const [open, setOpen] = useState<'limits' | 'suspend'>()
  const close = () => setOpen(undefined)
  const resuming = useMutation({
    mutationFn: () => resumeAccount(of.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['operator', 'accounts'] })
      showToast({ text: t('operator.isResumed', { name: of.name }) })
    },
    onError: (error) => showToast({ kind: 'failed', text: faultText(error) }),
  })
  return (
    <div className="flex gap-2">
      <Button small onClick={() => setOpen('limits')} aria-label={t('operator.limitsOf', { name: of.name })}>
        {t('operator.limits')}
      </Button>
      {of.suspended === null ? (
        <Button small onClick={() => setOpen('suspend')}>
          {t('operator.suspend')}
        </Button>
      ) : (
        <Button small busy={resuming.isPending} onClick={() => resuming.mutate()}>
          {t('operator.resume')}
        </Button>
      )}
      {open === 'limits' && <ChangeLimits of={of} onClose={close} />}
      {open === 'suspend' && <SuspendAccount of={of} onClose={close} />}
    </div>
  )
}

function ChangeLimits({ of, onClose }: { readonly of: AccountTotals; readonly onClose: () => void }) {
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

/** With a reason that its people see. */
function SuspendAccount({ of, onClose }: { readonly of: AccountTotals; readonly onClose: () => void }) {
  const { t } = useText()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const { name } = of
  const suspending = useMutation({
    mutationFn: () => suspendAccount(of.id, reason.trim()),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['operator', 'accounts'] })
      onClose()
      showToast({ text: t('operator.isSuspended', { name }) })
    },
  })
  return (
    <Dialog open onClose={onClose} title={t('operator.suspendTitle', { name })} description={t('operator.suspendText')}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          suspending.mutate()
        }}
      >
        <TextArea
          label={t('operator.suspendReason')}
          rows={3}
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        {suspending.error && (
          <p role="alert" className="text-wrong">
            {faultText(suspending.error)}
          </p>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button kind="danger" type="submit" busy={suspending.isPending}>
            {t('operator.suspend')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
