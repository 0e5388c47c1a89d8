/** The domains of a name that somebody typed, each with its state, what it costs, and what can be done with it. */
import { useMemo } from 'react'
import { useClient } from '../../api/client.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Ltr } from '../../ui/layout.tsx'
import { DomainActions } from '../actions/domain-actions.tsx'
import { useVerdict } from '../actions/recheck.ts'
import { MinimumTerm } from '../results/minimum-term.tsx'
import { StateBadge } from '../results/state-badge.tsx'
import { shownStateOf } from '../results/state.ts'
import { useExactCheck } from './use-exact-check.ts'

export default function ExactMatch({ domains }: { readonly domains: readonly string[] }) {
  const { t } = useText()
  const client = useClient()
  const isChecking = useExactCheck(domains)
  if (!client) return null
  return (
    <section aria-labelledby="exact" aria-busy={isChecking} className="grid gap-2">
      <h2 id="exact" className="font-sans text-sm font-medium tracking-normal text-faint">
        {t('search.exactTitle')}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line bg-card">
        {domains.map((domain) => (
          <ExactDomain key={domain} domain={domain} isChecking={isChecking} />
        ))}
      </ul>
    </section>
  )
}

function ExactDomain({ domain, isChecking }: { readonly domain: string; readonly isChecking: boolean }) {
  const { t } = useText()
  const format = useFormat()
  const unknown = useMemo(() => ({ domain, available: false, price: '', status: 'unknown' as const }), [domain])
  const entry = useVerdict(unknown)
  const state = shownStateOf(entry, isChecking)
  const { pricing } = entry
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
      <Ltr className="min-w-0 flex-1 font-mono text-[0.95rem] font-semibold break-all">{domain}</Ltr>
      <StateBadge state={state} />
      {pricing && (state === 'free' || state === 'premium') && (
        <p className="text-sm text-faint tabular-nums">
          <span className="font-medium text-ink">{format.money(pricing.due_minor, pricing.currency)}</span>{' '}
          <MinimumTerm years={pricing?.term_years} />{' '}
          {t('search.priceRenewal', { price: format.money(pricing.renewal_minor, pricing.currency) })}
        </p>
      )}
      {/* Of a taken domain there is nothing to take along. */}
      {!isChecking && (state === 'free' || state === 'premium') && <DomainActions name={domain} domain={entry} small />}
    </li>
  )
}
