/**
 * The domain that a tile is about with its state, and below it the way to register it, with what is due today and what it
 * renews at. A long label is shortened, its suffix never.
 */
import type { DomainEntry } from '@namewright/client'
import type { ReactNode } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { useVerdict } from '../actions/recheck.ts'
import { suffixOf, trapOf } from '../result.ts'
import { RegisterMenu } from '../register/register-menu.tsx'
import { MinimumTerm } from './minimum-term.tsx'
import { StateBadge } from './state-badge.tsx'
import { shownStateOf } from './state.ts'

export function TileLine({
  entry: suggested,
  isLive,
  children,
}: {
  readonly entry: DomainEntry
  readonly isLive: boolean
  /** At the end of the second line. */
  readonly children: ReactNode
}) {
  const entry = useVerdict(suggested)
  const state = shownStateOf(entry, isLive)
  const { domain } = entry
  const suffix = `.${suffixOf(domain)}`
  const isPriced = state === 'free' || state === 'premium'
  return (
    <div className="tile-line grid gap-1">
      <p className="flex items-center justify-between gap-2.5">
        <bdi dir="ltr" translate="no" className="flex min-w-0 font-mono text-sm" title={domain}>
          <Ltr className="truncate">{domain.slice(0, -suffix.length)}</Ltr>
          <span className="shrink-0 font-semibold">{suffix}</span>
        </bdi>
        <span className="shrink-0">
          <StateBadge state={state} />
        </span>
      </p>
      <div className="flex min-h-9 items-center gap-2 pointer-coarse:min-h-11">
        <RegisterMenu domain={suggested} />
        {isPriced && <Renewal entry={entry} />}
        <span className="-me-2 ms-auto">{children}</span>
      </div>
    </div>
  )
}

/** What follows the first term, where it is not the same. */
function Renewal({ entry }: { readonly entry: DomainEntry }) {
  const { t } = useText()
  const format = useFormat()
  const { pricing } = entry
  if (!pricing) return null
  const renewal = format.money(pricing.renewal_minor, pricing.currency)
  return (
    <p className="grid min-w-0 text-sm text-faint tabular-nums">
      {pricing.renewal_minor !== pricing.registration_minor && (
        <span className="inline-flex items-center gap-1" title={t('search.priceRenewal', { price: renewal })}>
          <span aria-hidden="true">{t('search.renewsShort', { price: renewal })}</span>
          <span className="sr-only">{t('search.priceRenewal', { price: renewal })}</span>
          {trapOf(entry) !== undefined && (
            <span className="text-sale" title={t('search.trap')}>
              <Icon name="warn" size={16} />
              <span className="sr-only">{t('search.trap')}</span>
            </span>
          )}
        </span>
      )}
      <MinimumTerm years={pricing.term_years} className="text-xs" />
    </p>
  )
}
