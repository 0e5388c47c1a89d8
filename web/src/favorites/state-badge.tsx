/**
 * What is known of a domain that was put aside: a sign, a word and a colour, never a colour alone. As in the results of a
 * search, but for one case: where all that was kept is that it was not free, no more than that is said.
 */
import type { DomainEntry } from '@namewright/client'
import { useText } from '../i18n/i18n.ts'
import { StateSign } from '../search/results/state-sign.tsx'
import { COLOURS, SURFACES, WORDS } from '../search/results/state.ts'
import { stateOf } from '../search/result.ts'
import type { CellState } from '../search/result.ts'

export type KnownState = CellState | 'notFree'

type KnownFields = Pick<DomainEntry, 'available' | 'status' | 'confidence'>

export function knownStateOf(known: KnownFields): KnownState {
  return !known.available && known.status === undefined ? 'notFree' : stateOf({ domain: '', price: '', ...known })
}

const signOf = (state: KnownState) => (state === 'notFree' ? 'taken' : state)
export const wordOf = (state: KnownState) => (state === 'notFree' ? 'favorites.stateNotFree' : WORDS[state])

export function StateBadge({ state }: { readonly state: KnownState }) {
  const { t } = useText()
  const sign = signOf(state)
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-sm font-medium whitespace-nowrap ${SURFACES[sign]}`}
    >
      <StateSign state={sign} size={14} />
      {t(wordOf(state))}
    </span>
  )
}

/** The sign is visible, and the word is for screen readers: for long lists. */
export function StateMark({ state }: { readonly state: KnownState }) {
  const { t } = useText()
  const sign = signOf(state)
  return (
    <span title={t(wordOf(state))} className={COLOURS[sign]}>
      <StateSign state={sign} />
      <span className="sr-only">{t(wordOf(state))}</span>
    </span>
  )
}
