/** What each key and application has left of its budgets. */
import { useQuery } from '@tanstack/react-query'
import { grantsQuery } from '../../api/grants.ts'
import { keysQuery } from '../../api/keys.ts'
import { useText } from '../../i18n/i18n.ts'
import { Fault } from '../../ui/fault.tsx'
import { Section, Skeleton } from '../../ui/layout.tsx'
import { QuotaBar } from '../programs/quota-bar.tsx'

export function Left({ account }: { readonly account: string }) {
  const { t } = useText()
  const keys = useQuery(keysQuery(account))
  const grants = useQuery(grantsQuery(account))
  const error = keys.error ?? grants.error
  const all = [...(keys.data ?? []), ...(grants.data ?? [])].filter(({ revoked_at }) => revoked_at === null)
  const isWaiting = !error && (keys.isPending || grants.isPending)
  return (
    <Section title={t('usage.left')} description={t('usage.leftText')}>
      {error && <Fault error={error} onRetry={() => void Promise.all([keys.refetch(), grants.refetch()])} />}
      {isWaiting && (
        <div aria-busy="true">
          <Skeleton className="h-24" />
        </div>
      )}
      {!isWaiting && !error && all.length === 0 && <p className="text-faint">{t('usage.noKeys')}</p>}
      <ul className="grid gap-4">
        {all.map(({ id, name, used, quota }) => (
          <li key={id} className="grid gap-x-8 gap-y-3 rounded-lg border border-line bg-card p-4 sm:grid-cols-3">
            <h3 className="font-sans font-medium">{name}</h3>
            <QuotaBar label={t('usage.today')} used={used.today} limit={quota.per_day} />
            <QuotaBar label={t('usage.thisMonth')} used={used.this_month} limit={quota.per_month} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
