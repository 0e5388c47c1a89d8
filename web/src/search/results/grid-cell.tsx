/** One name under one suffix: sign, word and price. Screen readers get the full text. */
import type { DomainEntry } from '@namewright/client'
import { memo } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { trapOf } from '../result.ts'
import { MinimumTerm } from './minimum-term.tsx'
import { COLOURS, shownStateOf, WORDS } from './state.ts'
import { StateSign } from './state-sign.tsx'

export const GridCell = memo(function GridCell({
  entry,
  isLive,
}: {
  readonly entry: DomainEntry
  readonly isLive: boolean
}) {
  const { t } = useText()
  const format = useFormat()
  const state = shownStateOf(entry, isLive)
  const { pricing } = entry
  const isOffered = state === 'free' || state === 'premium'
  // Plain blocks with text in them, and the same ones whatever the state is: there are hundreds of these.
  return (
    <>
      <span className={classes('block font-medium', COLOURS[state], state === 'checking' && 'calm-pulse')}>
        <StateSign state={state} size={14} className="me-1 inline align-[-0.125em]" />
        {t(WORDS[state])}
      </span>
      <span className="block tabular-nums">
        {isOffered && (pricing ? format.money(pricing.due_minor, pricing.currency) : entry.price)}
        {isOffered && trapOf(entry) !== undefined && (
          <span className="ms-1 text-sale">
            <Icon name="warn" size={14} className="inline align-[-0.125em]" />
            <span className="sr-only">{t('search.trap')}</span>
          </span>
        )}
        {isOffered && <MinimumTerm years={pricing?.term_years} className="block text-xs text-faint" />}
      </span>
    </>
  )
})
