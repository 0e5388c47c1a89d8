/**
 * What is known of a domain that was put aside: a sign, a word and a colour, never a colour alone. As in the results of a
 * search, but for one case: where all that was kept is that it was not free, no more than that is said.
 */
import type { DomainEntry } from 'namewright'
import { useText } from '../i18n/i18n.ts'
import { StateSign } from '../search/results/state-sign.tsx'
import { COLOURS, SURFACES, WORDS } from '../search/results/state.ts'
import { stateOf } from '../search/result.ts'
import type { CellState } from '../search/result.ts'

export type KnownState = CellState | 'notFree'

type Told = Pick<DomainEntry, 'available' | 'status' | 'confidence'>

export function knownStateOf(told: Told): KnownState {
  return !told.available && told.status === undefined ? 'notFree' : stateOf({ domain: '', price: '', ...told })
}

const lookOf = (state: KnownState) => (state === 'notFree' ? 'taken' : state)
export const wordOf = (state: KnownState) => (state === 'notFree' ? 'favorites.stateNotFree' : WORDS[state])

export function StateBadge({ state }: { readonly state: KnownState }) {
  const { t } = useText()
  const look = lookOf(state)
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-sm font-medium whitespace-nowrap ${SURFACES[look]}`}
    >
      <StateSign state={look} size={14} />
      {t(wordOf(state))}
    </span>
  )
}

/** Only the sign is seen, and the word heard: for lists of many. */
export function StateMark({ state }: { readonly state: KnownState }) {
  const { t } = useText()
  const look = lookOf(state)
  return (
    <span title={t(wordOf(state))} className={COLOURS[look]}>
      <StateSign state={look} />
      <span className="sr-only">{t(wordOf(state))}</span>
    </span>
  )
}
