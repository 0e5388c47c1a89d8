/** One application that may act for the account: its name, permissions and usage. */
import { WEB_APP } from '../../api/grants.ts'
import type { Grant } from '../../api/settings-types.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card, Ltr } from '../../ui/layout.tsx'
import { Fact, Facts } from '../programs/facts.tsx'
import { LastUsed } from '../programs/last-used.tsx'
import { QuotaBar } from '../programs/quota-bar.tsx'
import { ScopeList, ScopeSummary } from '../programs/scope-list.tsx'

export function GrantCard({
  of,
  mayLimit,
  mayEnd,
  onLimit,
  onEnd,
}: {
  readonly of: Grant
  readonly mayLimit: boolean
  readonly mayEnd: boolean
  readonly onLimit: () => void
  readonly onEnd: () => void
}) {
  const { t } = useText()
  const format = useFormat()
  const { name, uri, own, used, quota, created_by } = of
  const isThis = of.client_id === WEB_APP
  return (
    <Card className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className="text-lg font-semibold">{name}</h3>
            {!isThis && <ScopeSummary scopes={of.scopes} />}
            {own && <Badge tone="premium">{t('apps.own')}</Badge>}
          </div>
          {isThis ? (
            <p className="text-sm text-faint">{t('apps.thisApp')}</p>
          ) : (
            uri !== null && <Ltr className="text-sm text-faint">{uri}</Ltr>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {mayLimit && (
            <Button small aria-label={t('apps.limitNamed', { name })} onClick={onLimit}>
              {t('apps.limit')}
            </Button>
          )}
          {mayEnd && (
            <Button small kind="danger" aria-label={t('apps.endNamed', { name })} onClick={onEnd}>
              {t('apps.end')}
            </Button>
          )}
        </div>
      </div>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <QuotaBar label={t('usage.today')} used={used.today} limit={quota.per_day} />
        <QuotaBar label={t('usage.thisMonth')} used={used.this_month} limit={quota.per_month} />
      </div>
      <Facts>
        <Fact label={t('keys.lastUsed')}>
          <LastUsed lastUsed={of.last_used_at} created={of.created_at} />
        </Fact>
        <Fact label={t('apps.authorized')}>
          {format.date(of.created_at)}
          {created_by !== null && (
            <span className="block text-sm text-faint">{t('keys.madeBy', { name: created_by.name })}</span>
          )}
        </Fact>
        <Fact label={t('keys.rateLimit')}>{t('keys.rateLimitText', { count: quota.per_minute })}</Fact>
      </Facts>
      {!isThis && (
        <Facts>
          <Fact label={t('keys.permissions')}>
            <ScopeList scopes={of.scopes} />
          </Fact>
        </Facts>
      )}
    </Card>
  )
}
