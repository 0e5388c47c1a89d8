/** One key: name, permissions, usage, and whether it needs attention. */
import type { Key } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { useFormat } from '../../i18n/format.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card, Ltr } from '../../ui/layout.tsx'
import { Fact, Facts } from '../programs/facts.tsx'
import { freshnessOf, LastUsed } from '../programs/last-used.tsx'
import { QuotaBar } from '../programs/quota-bar.tsx'
import { ScopeList, ScopeSummary } from '../programs/scope-list.tsx'
import { KeyEnd, lifeOf } from './key-end.tsx'
import { RetiringNote } from './retiring-note.tsx'
import { ReviewNote } from './review-note.tsx'
import type { KeyAct } from './key-dialogs.tsx'

export function KeyCard({
  of,
  mayChange,
  blocked,
  onAct,
  onRevoked,
}: {
  readonly of: Key
  readonly mayChange: boolean
  /** Why nothing can be changed now. */
  readonly blocked: string | undefined
  readonly onAct: (kind: KeyAct, key: Key) => void
  readonly onRevoked: () => void
}) {
  const { t } = useText()
  const { name, prefix, scopes, quota, used, origins, allowed_ips } = of
  const now = Date.now()
  const life = lifeOf(of, now)
  const isUnused = freshnessOf(of.last_used_at, of.created_at, now) === 'long'
  const acts: readonly (readonly [KeyAct, string, string])[] = [
    ['edit', t('keys.edit'), t('keys.editNamed', { name })],
    ['rotate', t('keys.rotate'), t('keys.rotateNamed', { name })],
    // While it is under review, the review has this button.
    ...(of.review === null ? [['revoke', t('keys.revoke'), t('keys.revokeNamed', { name })] as const] : []),
  ]
  return (
    <Card className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 className="text-lg font-semibold">{name}</h2>
            <ScopeSummary scopes={scopes} />
            {origins.length > 0 && <Badge tone="premium">{t('keys.publishable')}</Badge>}
            {life === 'ends-soon' && <Badge tone="sale">{t('keys.endsSoon')}</Badge>}
            {life === 'ended' && <Badge tone="wrong">{t('keys.ended')}</Badge>}
          </div>
          <Ltr className="font-mono text-sm text-faint">{prefix}</Ltr>
        </div>
        {mayChange && (
          <div className="flex flex-wrap gap-2">
            {acts.map(([kind, label, named]) => (
              <Button
                key={kind}
                small
                kind={kind === 'revoke' ? 'danger' : 'plain'}
                aria-label={named}
                disabled={blocked !== undefined}
                title={blocked}
                onClick={() => onAct(kind, of)}
              >
                {label}
              </Button>
            ))}
          </div>
        )}
      </div>
      {mayChange && blocked === undefined && <ReviewNote of={of} onRevoked={onRevoked} />}
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <QuotaBar label={t('usage.today')} used={used.today} limit={quota.per_day} />
        <QuotaBar label={t('usage.thisMonth')} used={used.this_month} limit={quota.per_month} />
      </div>
      <Facts>
        <Fact label={t('keys.lastUsed')}>
          <LastUsed lastUsed={of.last_used_at} created={of.created_at} />
        </Fact>
        <Fact label={t('keys.ends')}>
          <KeyEnd of={of} />
        </Fact>
        <Made of={of} />
        <Fact label={t('keys.rateLimit')}>{t('keys.rateLimitText', { count: quota.per_minute })}</Fact>
      </Facts>
      <Facts wide>
        <Fact label={t('keys.permissions')}>
          <ScopeList scopes={scopes} />
        </Fact>
        {allowed_ips.length > 0 && (
          <Fact label={t('keys.addresses')}>
            <Lines of={allowed_ips} />
          </Fact>
        )}
        {origins.length > 0 && (
          <Fact label={t('keys.origins')}>
            <Lines of={origins} />
          </Fact>
        )}
      </Facts>
      {mayChange && isUnused && life !== 'ended' && (
        <p className="rounded-md bg-sale-soft px-4 py-3 text-sm text-sale">{t('keys.unusedHint')}</p>
      )}
      <RetiringNote of={of} onOpen={() => onAct('retiring', of)} />
    </Card>
  )
}

function Made({ of: { created_at, created_by } }: { readonly of: Key }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <Fact label={t('keys.made')}>
      {format.date(created_at)}
      {created_by !== null && (
        <span className="block text-sm text-faint">{t('keys.madeBy', { name: created_by.name })}</span>
      )}
    </Fact>
  )
}

function Lines({ of }: { readonly of: readonly string[] }) {
  return (
    <ul className="font-mono text-sm">
      {of.map((line) => (
        <li key={line}>
          <Ltr>{line}</Ltr>
        </li>
      ))}
    </ul>
  )
}
