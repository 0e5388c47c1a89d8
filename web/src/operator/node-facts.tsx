/** The node that answered, and what it stands on. */
import type { Health } from '../api/operator.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { Card, Ltr } from '../ui/layout.tsx'
import { StateBadge } from './state-badge.tsx'

export function NodeFacts({ health }: { readonly health: Health }) {
  const { t } = useText()
  const format = useFormat()
  const { node, version, started_at: startedAt, redis, database, prices } = health
  return (
    <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <Card>
        <dt className="text-sm text-faint">{t('operator.node')}</dt>
        <dd className="mt-1">
          <Ltr className="font-medium">{node}</Ltr>
          <p className="text-sm text-faint">{t('operator.version', { version })}</p>
          <p className="text-sm text-faint">{t('operator.started', { when: format.ago(startedAt) })}</p>
        </dd>
      </Card>
      <Card>
        <dt className="text-sm text-faint">{t('operator.database')}</dt>
        <dd className="mt-1 grid justify-items-start gap-1">
          <StateBadge state={database.primary ? 'well' : 'failing'} />
          <p className="text-sm text-faint">
            {database.primary
              ? t('operator.latency', { ms: format.number(database.latency_ms) })
              : t('operator.readOnly')}
          </p>
        </dd>
      </Card>
      <Card>
        <dt className="text-sm text-faint">{t('operator.redis')}</dt>
        <dd className="mt-1 grid justify-items-start gap-1">
          <StateBadge state={redis ? 'well' : 'failing'} />
          {!redis && <p className="text-sm text-faint">{t('operator.redisDown')}</p>}
        </dd>
      </Card>
      <Card>
        <dt className="text-sm text-faint">{t('operator.prices')}</dt>
        <dd className="mt-1">
          <p className="font-medium">{prices.as_of === null ? t('operator.noPrices') : format.date(prices.as_of)}</p>
          <p className="text-sm text-faint">{t('operator.suffixes', { count: prices.suffixes })}</p>
          {prices.outdated > 0 && (
            <p className="text-sm text-sale">{t('operator.outdatedPrices', { count: prices.outdated })}</p>
          )}
        </dd>
      </Card>
    </dl>
  )
}
