/** One domain in the comparison: what is known of it, and what it costs the first time, every later year, and in five. */
import type { DomainEntry } from '@namewright/client'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { useVerdict } from '../actions/recheck.ts'
import { StateBadge } from '../results/state-badge.tsx'
import { MinimumTerm } from '../results/minimum-term.tsx'
import { stateOf, totalYearsOf } from '../result.ts'

export function ComparedDomain({ domain: suggested }: { readonly domain: DomainEntry }) {
  const { t } = useText()
  const format = useFormat()
  const domain = useVerdict(suggested)
  const state = stateOf(domain)
  const { pricing } = domain
  const costs = state === 'free' || state === 'premium'
  return (
    <div className="grid justify-items-start gap-1">
      <StateBadge state={state} />
      {costs && pricing === undefined && <span className="tabular-nums">{domain.price}</span>}
      {costs && pricing !== undefined && (
        <>
          <span className="tabular-nums">
            {t('compare.first', {
              price: format.money(pricing.due_minor, pricing.currency),
              years: pricing.term_years,
            })}
          </span>
          <MinimumTerm years={pricing?.term_years} className="text-sm text-faint" />
          <span className="text-sm text-faint tabular-nums">
            {t('compare.renewal', { price: format.money(pricing.renewal_minor, pricing.currency) })}
          </span>
          <span className="text-sm text-faint tabular-nums">
            {t('compare.fiveYears', {
              price: format.money(pricing.total_5y_minor, pricing.currency),
              years: totalYearsOf(pricing),
            })}
          </span>
        </>
      )}
    </div>
  )
}
