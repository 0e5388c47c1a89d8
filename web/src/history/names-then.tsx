/** The names of an old search, each with its domains as they were then: the best few in one line, or all of them. */
import type { DomainEntry, Suggestion } from '@namewright/client'
import { knownStateOf, StateBadge, StateMark } from '../favorites/state-badge.tsx'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { Rationale } from '../search/results/rationale.tsx'
import { MinimumTerm } from '../search/results/minimum-term.tsx'
import { Ltr } from '../ui/layout.tsx'

export const FIRST = 4

/** The domain that represents the name: the first that was available, else the first. */
const bestOf = ({ domains }: Suggestion) => domains.find(({ available }) => available) ?? domains[0]

export function FirstNames({ suggestions }: { readonly suggestions: readonly Suggestion[] }) {
  return (
    <ul className="flex flex-wrap gap-2">
      {suggestions.slice(0, FIRST).map((suggestion) => {
        const best = bestOf(suggestion)
        return (
          <li key={suggestion.name} className="flex items-center gap-2 rounded-md bg-sunken px-3 py-1.5">
            <Ltr className="font-display font-semibold">{suggestion.name}</Ltr>
            {best && <StateMark state={knownStateOf(best)} />}
            {best && <Ltr className="font-mono text-sm text-faint max-sm:hidden">{best.domain}</Ltr>}
          </li>
        )
      })}
    </ul>
  )
}

function Price({ price, pricing }: DomainEntry) {
  const format = useFormat()
  return (
    <>
      <span className="text-sm text-faint tabular-nums">
        {pricing ? format.money(pricing.due_minor, pricing.currency) : <Ltr>{price}</Ltr>}
      </span>
      <MinimumTerm years={pricing?.term_years} className="text-sm text-faint" />
    </>
  )
}

export function AllNames({ suggestions }: { readonly suggestions: readonly Suggestion[] }) {
  const { t } = useText()
  return (
    <ul aria-label={t('history.allNames')} className="divide-y divide-line border-y border-line">
      {suggestions.map(({ name, rationale, domains }) => (
        <li key={name} className="grid gap-x-6 gap-y-1 py-3 md:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)]">
          <div>
            <p className="font-display text-lg font-semibold">
              <Ltr>{name}</Ltr>
            </p>
            {rationale !== undefined && <Rationale text={rationale} className="text-sm text-faint" />}
          </div>
          <ul className="grid content-start gap-1.5">
            {domains.map((domain) => (
              <li key={domain.domain} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Ltr className="me-auto font-mono text-[0.95rem]">{domain.domain}</Ltr>
                <StateBadge state={knownStateOf(domain)} />
                {domain.available && <Price {...domain} />}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
