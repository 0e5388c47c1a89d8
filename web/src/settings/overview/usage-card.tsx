/** What was used today, against what the keys may use. */
import { useQuery } from '@tanstack/react-query'
import { grantsQuery } from '../../api/grants.ts'
import { keysQuery } from '../../api/keys.ts'
import { useText } from '../../i18n/i18n.ts'
import { useCurrentAccount } from '../frame/current-account.ts'
import { PAGES } from '../frame/pages.ts'
import { QuotaBar } from '../programs/quota-bar.tsx'
import { StatusLine, Unknown } from './status-line.tsx'
import { OverviewCard } from './overview-card.tsx'

export function UsageCard() {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const keys = useQuery(keysQuery(account))
  const grants = useQuery(grantsQuery(account))
  const error = keys.error ?? grants.error
  const all = [...(keys.data ?? []), ...(grants.data ?? [])]
  const living = all.filter(({ revoked_at }) => revoked_at === null)
  // One without a limit makes the whole one without a limit.
  const limit = living.reduce<number | null>(
    (sum, { quota }) => (sum === null || quota.per_day === null ? null : sum + quota.per_day),
    0,
  )
  const usedUp = living.filter(({ used, quota }) => quota.per_day !== null && used.today >= quota.per_day)
  return (
    <OverviewCard page={PAGES.usage} go="settings.goUsage" isWaiting={!error && (keys.isPending || grants.isPending)}>
      {error ? (
        <Unknown error={error} />
      ) : (
        <QuotaBar
          label={t('settings.namesToday')}
          used={all.reduce((sum, { used }) => sum + used.today, 0)}
          limit={living.length === 0 ? null : limit}
        />
      )}
      {usedUp.map(({ id, name }) => (
        <StatusLine key={id} is="bad">
          {t('settings.usedUp', { name })}
        </StatusLine>
      ))}
    </OverviewCard>
  )
}
