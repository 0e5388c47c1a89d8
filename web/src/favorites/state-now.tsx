/** What is known of a kept domain now: state, price, how it was when it was kept, and how old the knowledge is. */
import type { DomainEntry, Favorite } from '@namewright/client'
import { useText } from '../i18n/i18n.ts'
import { Rich } from '../i18n/rich.tsx'
import { Ago } from '../search/results/ago.tsx'
import { MinimumTerm } from '../search/results/minimum-term.tsx'
import { Ltr } from '../ui/layout.tsx'
import { knownStateOf, StateBadge } from './state-badge.tsx'

export function StateNow({
  entry,
  saved,
  termYears,
}: {
  readonly entry: DomainEntry
  readonly saved: Pick<Favorite['saved'], 'price'>
  readonly termYears?: number | undefined
}) {
  const { t } = useText()
  return (
    <div className="grid content-start gap-1 text-sm text-faint">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateBadge state={knownStateOf(entry)} />
        <Ltr className="text-base font-medium text-ink tabular-nums">{entry.price}</Ltr>
        <MinimumTerm years={entry.pricing?.term_years ?? termYears} />
      </p>
      {saved.price !== entry.price && <p>{t('favorites.priceThen', { price: saved.price })}</p>}
      {entry.checked_at !== undefined && (
        <p>
          <Rich id="favorites.checked" parts={[<Ago key="ago" moment={entry.checked_at} />]} />
        </p>
      )}
    </div>
  )
}
