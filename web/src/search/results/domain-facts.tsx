/**
 * What is known of one domain, from which source and when, and what it costs in the long run. Shown on hover and on focus, so
 * nothing here can be pressed.
 */
import type { DomainEntry } from '@namewright/client'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import type { Say, TextId } from '../../i18n/i18n.ts'
import { Rich } from '../../i18n/rich.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { Ago } from './ago.tsx'
import { totalYearsOf } from '../result.ts'
import { MinimumTerm } from './minimum-term.tsx'
import { regionNames, shortRegions } from './region-names.ts'
import { shownStateOf } from './state.ts'

const SOURCES: Readonly<Record<string, TextId>> = {
  rdap: 'search.sourceRegistry',
  dns: 'search.sourceDns',
  index: 'search.sourceIndex',
}

/** The service knows registrars by their short names, in small letters. */
export const nameOf = (seller: string) => seller.charAt(0).toUpperCase() + seller.slice(1)

export function sourceNames(t: Say, sources: readonly string[]): string[] {
  return sources.map((source) => {
    const id = SOURCES[source]
    return id === undefined ? t('search.sourceRegistrar', { name: nameOf(source) }) : t(id)
  })
}

function verdictId(entry: DomainEntry, isLive: boolean): TextId {
  const state = shownStateOf(entry, isLive)
  if (state === 'checking') return 'search.verdictChecking'
  if (state === 'free') return entry.confidence === 'likely' ? 'search.verdictLikely' : 'search.verdictFree'
  if (state === 'premium') return 'search.verdictPremium'
  if (state === 'sale') return 'search.verdictSale'
  if (state === 'unknown') return 'search.verdictUnknown'
  if (entry.status === 'reserved') return 'search.verdictReserved'
  if (entry.status === 'restricted') return 'search.verdictRestricted'
  return 'search.verdictTaken'
}

export function DomainFacts({ entry, isLive }: { readonly entry: DomainEntry; readonly isLive: boolean }) {
  const { t, language } = useText()
  const format = useFormat()
  const { pricing, sources = [], checked_at: checkedAt, eligibility, eligible_countries: countries } = entry
  const isRestricted = entry.status === 'restricted'
  return (
    <div className="grid gap-2">
      <Ltr className="font-mono font-semibold">{entry.domain}</Ltr>
      <p>{t(verdictId(entry, isLive))}</p>
      {eligibility !== undefined && (entry.available || isRestricted) && (
        <p className="text-sale">
          {[
            ...(isRestricted ? [] : [t('search.verdictRestricted')]),
            ...(countries === undefined
              ? []
              : [
                  t('search.presetCountry', {
                    country: format.list(shortRegions(countries).map(regionNames(language))),
                  }),
                ]),
          ].join(' ')}
        </p>
      )}
      {sources.length > 0 && checkedAt !== undefined && (
        <p className="text-faint">
          <Rich
            id="search.evidence"
            values={{ sources: format.list(sourceNames(t, sources)) }}
            parts={[<Ago key="ago" moment={checkedAt} />]}
          />
        </p>
      )}
      {pricing && (
        <dl className="grid grid-cols-[auto_auto] gap-x-4 gap-y-0.5 border-t border-line pt-2">
          <dt className="text-faint">{t('search.factFirst', { years: pricing.term_years })}</dt>
          <dd className="text-end tabular-nums">{format.money(pricing.due_minor, pricing.currency)}</dd>
          <dt className="text-faint">{t('search.factRenewal')}</dt>
          <dd className="text-end tabular-nums">{format.money(pricing.renewal_minor, pricing.currency)}</dd>
          <dt className="text-faint">{t('search.factFiveYears', { years: totalYearsOf(pricing) })}</dt>
          <dd className="text-end font-semibold tabular-nums">
            {format.money(pricing.total_5y_minor, pricing.currency)}
          </dd>
        </dl>
      )}
      <MinimumTerm years={pricing?.term_years} />
      {pricing && (
        <p className="text-faint">
          {t(pricing.kind === 'quote' ? 'search.factQuote' : 'search.factList', {
            registrar: nameOf(pricing.registrar),
            date: format.date(pricing.as_of),
          })}
        </p>
      )}
      {pricing?.outdated && <p className="text-sale">{t('search.factOutdated')}</p>}
    </div>
  )
}
