/** The domain that a card is about: its state, price, source and actions. */
import type { DomainEntry } from 'namewright'
import type { ReactNode } from 'react'
import { useText } from '../../i18n/i18n.ts'
import { Hint } from '../../ui/hint.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { DomainActions } from '../actions/domain-actions.tsx'
import { useVerdict } from '../actions/recheck.ts'
import { DomainFacts } from './domain-facts.tsx'
import { Price } from './price.tsx'
import { StateBadge } from './state-badge.tsx'
import { shownStateOf } from './state.ts'

export function ChosenDomain({
  name,
  entry: suggested,
  isLive,
  children,
}: {
  readonly name: string
  readonly entry: DomainEntry
  readonly isLive: boolean
  /** At the end of the row of what can be done. */
  readonly children: ReactNode
}) {
  const { t } = useText()
  const entry = useVerdict(suggested)
  const state = shownStateOf(entry, isLive)
  return (
    <div className="grid gap-2">
      <div className="flex">
        <Hint
          lazy
          about={(hinted) => (
            <button
              type="button"
              {...hinted}
              className="-mx-1.5 inline-flex min-h-8 flex-wrap items-center gap-x-2.5 gap-y-1 rounded-sm px-1.5 text-start hover:bg-sunken"
            >
              <Ltr className="font-mono text-[0.95rem] font-semibold">{entry.domain}</Ltr>
              <StateBadge state={state} />
              <span className="sr-only">{t('search.howWeKnow')}</span>
            </button>
          )}
        >
          <DomainFacts entry={entry} isLive={isLive} />
        </Hint>
      </div>
      {state !== 'taken' && state !== 'sale' && <Price entry={entry} />}
      <div className="-me-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <DomainActions name={name} domain={entry} />
        <span className="ms-auto flex">{children}</span>
      </div>
    </div>
  )
}
