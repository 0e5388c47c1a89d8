/** What the account has used: how much, through what, and what is left. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { grantsQuery } from '../api/grants.ts'
import { keysQuery } from '../api/keys.ts'
import { usageQuery } from '../api/usage.ts'
import { useText } from '../i18n/i18n.ts'
import { Fault } from '../ui/fault.tsx'
import { SelectField } from '../ui/field.tsx'
import { PageTitle, Skeleton } from '../ui/layout.tsx'
import { useCurrentAccount } from './frame/current-account.ts'
import { ByEndpoint } from './usage/by-endpoint.tsx'
import { ByKey } from './usage/by-key.tsx'
import { Left } from './usage/left.tsx'
import { Totals } from './usage/totals.tsx'

// The service tells of two months at most.
const PERIODS = [7, 31, 62] as const

export default function UsagePage() {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const [days, setDays] = useState<number>(31)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...usageQuery(account, days),
    placeholderData: keepPreviousData,
  })
  // A key that was used without getting names, as one that only reads, stands in no ledger but has a name.
  const keys = useQuery(keysQuery(account)).data ?? []
  const grants = useQuery(grantsQuery(account)).data ?? []
  return (
    <>
      <PageTitle
        actions={
          <SelectField
            label={t('usage.period')}
            hideLabel
            value={days}
            onChange={({ target }) => setDays(Number(target.value))}
          >
            {PERIODS.map((count) => (
              <option key={count} value={count}>
                {t('usage.lastDays', { count })}
              </option>
            ))}
          </SelectField>
        }
      >
        {t('usage.title')}
      </PageTitle>
      <p className="-mt-4 mb-6 max-w-[40rem] text-faint">{t('usage.about')}</p>
      {error && !data && <Fault error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Waiting />}
      {data && (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
          <div className="mb-8">
            <Totals of={data} />
          </div>
          <ByKey of={data} />
          <ByEndpoint of={data} names={[...keys, ...grants]} />
          <Left account={account} />
        </div>
      )}
    </>
  )
}

function Waiting() {
  return (
    <div aria-busy="true" className="grid gap-8">
      <div className="grid grid-cols-2 gap-3 xl:grid-cols-4">
        {['one', 'two', 'three', 'four'].map((place) => (
          <Skeleton key={place} className="h-26 rounded-lg" />
        ))}
      </div>
      <Skeleton className="h-80 rounded-lg" />
    </div>
  )
}
