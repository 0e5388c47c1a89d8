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

/** As high before its answer as after it, so that nothing moves. */
const ROW =
  'grid min-h-23 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-1 ' +
  'sm:min-h-12 sm:grid-cols-[minmax(0,1fr)_8rem_11rem_14rem]'

function ExactDomain({ domain, isChecking }: { readonly domain: string; readonly isChecking: boolean }) {
  const { t } = useText()
  const format = useFormat()
  const unknown = useMemo(() => ({ domain, available: false, price: '', status: 'unknown' as const }), [domain])
  const entry = useVerdict(unknown)
  const state = shownStateOf(entry, isChecking)
  const { pricing } = entry
  const isOffered = state === 'free' || state === 'premium'
  return (
    <li className={ROW}>
      <span className="truncate" title={domain}>
        <Ltr className="font-mono text-[0.95rem] font-semibold">{domain}</Ltr>
      </span>
      <span className="justify-self-end sm:justify-self-start">
        <StateBadge state={state} />
      </span>
      <div className="col-span-2 flex items-center justify-between gap-2 sm:contents">
        <p className="grid text-sm text-faint tabular-nums">
          {isOffered && pricing && (
            <>
              {t('search.priceRenewal', { price: format.money(pricing.renewal_minor, pricing.currency) })}
              <MinimumTerm years={pricing.term_years} className="text-xs" />
            </>
          )}
        </p>
        {/* Of a taken domain there is nothing to take along. */}
        <span className="justify-self-end">
          {!isChecking && isOffered && <DomainActions name={domain} domain={entry} small />}
        </span>
      </div>
    </li>
  )
}
