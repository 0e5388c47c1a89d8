/** The accounts of the installation: how many people and keys, how much was used, their limits. Never what they hold. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { operatorAccountsQuery } from '../api/operator.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { TextField } from '../ui/field.tsx'
import { Badge, Section, Skeleton } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { AccountActions } from './account-actions.tsx'
import { NumberCell } from './number-cell.tsx'

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
