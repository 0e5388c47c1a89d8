/** The domain that a tile is about, what it costs and its state, on one line. A long label is shortened, its suffix never. */
import type { DomainEntry } from 'namewright'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { useVerdict } from '../actions/recheck.ts'
import { suffixOf, trapOf } from '../result.ts'
import { MinimumTerm } from './minimum-term.tsx'
import { StateBadge } from './state-badge.tsx'
import { shownStateOf } from './state.ts'

export function TileLine({ entry: suggested, isLive }: { readonly entry: DomainEntry; readonly isLive: boolean }) {
  const { t } = useText()
  const format = useFormat()
  const entry = useVerdict(suggested)
  const state = shownStateOf(entry, isLive)
  const { domain, pricing, price } = entry
  const suffix = `.${suffixOf(domain)}`
  const isPriced = state === 'free' || state === 'premium'
  return (
    <p className="flex min-h-8 items-center gap-2.5">
      <bdi dir="ltr" translate="no" className="flex min-w-0 font-mono text-sm" title={domain}>
        <Ltr className="truncate">{domain.slice(0, -suffix.length)}</Ltr>
        <span className="shrink-0 font-semibold">{suffix}</span>
      </bdi>
      {isPriced && (
        <span className="inline-flex shrink-0 items-center gap-1 text-sm font-semibold tabular-nums">
          <span className="grid">
            {pricing ? format.money(pricing.due_minor, pricing.currency) : price}
            <MinimumTerm years={pricing?.term_years} className="text-xs font-normal text-faint" />
          </span>
          {trapOf(entry) !== undefined && (
            <span className="text-sale" title={t('search.trap')}>
              <Icon name="warn" size={16} />
              <span className="sr-only">{t('search.trap')}</span>
            </span>
          )}
        </span>
      )}
      <span className="ms-auto shrink-0">
        <StateBadge state={state} />
      </span>
    </p>
  )
}
