/** How a state is called and coloured. While a search is under way, an unknown domain is still being checked. */
import type { DomainEntry } from '@namewright/client'
import type { TextId } from '../../i18n/i18n.ts'
import { stateOf } from '../result.ts'
import type { ShownState } from './state-sign.tsx'

export const WORDS = {
  free: 'search.stateFree',
  taken: 'search.stateTaken',
  premium: 'search.statePremium',
  sale: 'search.stateSale',
  unknown: 'search.stateUnknown',
  checking: 'search.stateChecking',
} as const satisfies Record<ShownState, TextId>

export const COLOURS: Readonly<Record<ShownState, string>> = {
  free: 'text-free',
  taken: 'text-taken',
  premium: 'text-premium',
  sale: 'text-sale',
  unknown: 'text-unknown',
  checking: 'text-faint',
}

export const SURFACES: Readonly<Record<ShownState, string>> = {
  free: 'bg-free-soft text-free',
  taken: 'bg-taken-soft text-taken',
  premium: 'bg-premium-soft text-premium',
  sale: 'bg-sale-soft text-sale',
  unknown: 'bg-unknown-soft text-unknown',
  checking: 'bg-sunken text-faint',
}

export function shownStateOf(entry: DomainEntry, isLive: boolean): ShownState {
  const state = stateOf(entry)
  return isLive && state === 'unknown' ? 'checking' : state
}
