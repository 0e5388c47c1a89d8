/** Whether what happens also arrives. */
import { useQuery } from '@tanstack/react-query'
import { webhooksQuery } from '../../api/webhooks.ts'
import { useText } from '../../i18n/i18n.ts'
import { useCurrentAccount } from '../frame/current-account.ts'
import { PAGES } from '../frame/pages.ts'
import { StatusLine, Unknown } from './status-line.tsx'
import { OverviewCard } from './overview-card.tsx'

export function WebhooksCard() {
  const { t } = useText()
  const { id: account } = useCurrentAccount()
  const { data, error, isPending } = useQuery(webhooksQuery(account))
  const failing = data?.filter(({ enabled, failing_since }) => enabled && failing_since !== null).length ?? 0
  const off = data?.filter(({ enabled, off_reason }) => !enabled && off_reason !== 'by_hand').length ?? 0
  const byHand = data?.filter(({ enabled, off_reason }) => !enabled && off_reason === 'by_hand').length ?? 0
  return (
    <OverviewCard page={PAGES.webhooks} go="settings.goWebhooks" isWaiting={isPending}>
      {error && <Unknown error={error} />}
      {data && <p>{t('settings.webhooksCount', { count: data.length })}</p>}
      {off > 0 && <StatusLine is="bad">{t('settings.webhooksOff', { count: off })}</StatusLine>}
      {failing > 0 && <StatusLine is="mind">{t('settings.webhooksFailing', { count: failing })}</StatusLine>}
      {byHand > 0 && <p className="text-faint">{t('settings.webhooksByHand', { count: byHand })}</p>}
      {data && data.length > 0 && failing + off + byHand === 0 && (
        <StatusLine is="good">{t('settings.webhooksHealthy')}</StatusLine>
      )}
    </OverviewCard>
  )
}
