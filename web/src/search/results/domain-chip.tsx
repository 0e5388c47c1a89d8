/** One of the further domains of a name: its sign, suffix and price. Pressed, it is the one that the card is about. */
import type { DomainEntry } from '@namewright/client'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { classes } from '../../ui/classes.ts'
import { Hint } from '../../ui/hint.tsx'
import { Ltr } from '../../ui/layout.tsx'
import { useVerdict } from '../actions/recheck.ts'
import { suffixOf } from '../result.ts'
import { DomainFacts } from './domain-facts.tsx'
import { MinimumTerm } from './minimum-term.tsx'
import { COLOURS, shownStateOf, WORDS } from './state.ts'
import { StateSign } from './state-sign.tsx'

export function DomainChip({
  entry: suggested,
  isLive,
  isShown,
  onShow,
}: {
  readonly entry: DomainEntry
  readonly isLive: boolean
  readonly isShown: boolean
  readonly onShow: () => void
}) {
  const { t } = useText()
  const format = useFormat()
  const entry = useVerdict(suggested)
  const state = shownStateOf(entry, isLive)
  const { pricing } = entry
  return (
    <Hint
      lazy
      about={(hinted) => (
        <button
          type="button"
          aria-pressed={isShown}
          onClick={onShow}
          {...hinted}
          className={classes(
            'inline-flex min-h-9 items-center gap-1.5 rounded-sm border px-2 text-sm pointer-coarse:min-h-11 transition-colors duration-150 hover:bg-sunken',
            isShown ? 'border-accent bg-accent-soft' : 'border-line',
            state === 'checking' && 'calm-pulse',
          )}
        >
          <span className={COLOURS[state]}>
            <StateSign state={state} size={14} />
          </span>
          <Ltr className="font-mono">{`.${suffixOf(entry.domain)}`}</Ltr>
          <span className="sr-only">{t(WORDS[state])}</span>
          {(state === 'free' || state === 'premium') && (
            <span className="text-faint tabular-nums">
              {pricing ? format.money(pricing.due_minor, pricing.currency) : entry.price}{' '}
              <MinimumTerm years={pricing?.term_years} />
            </span>
          )}
        </button>
      )}
    >
      <DomainFacts entry={entry} isLive={isLive} />
    </Hint>
  )
}
