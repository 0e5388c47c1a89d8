/** One name under one suffix: sign, word and price. Screen readers get the full text. */
import type { DomainEntry } from 'namewright'
import { memo } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { useVerdict } from '../actions/recheck.ts'
import { trapOf } from '../result.ts'
import { COLOURS, shownStateOf, WORDS } from './state.ts'
import { StateSign } from './state-sign.tsx'

export const GridCell = memo(function GridCell({
  entry: suggested,
  isLive,
}: {
  readonly entry: DomainEntry
  readonly isLive: boolean
}) {
  const { t } = useText()
  const format = useFormat()
  const entry = useVerdict(suggested)
  const state = shownStateOf(entry, isLive)
  const { pricing } = entry
  const isOffered = state === 'free' || state === 'premium'
  return (
    <span className={classes('grid gap-0.5 text-sm', state === 'checking' && 'calm-pulse')}>
      <span className={classes('inline-flex items-center gap-1 font-medium', COLOURS[state])}>
        <StateSign state={state} size={14} />
        {t(WORDS[state])}
      </span>
      {isOffered && (
        <span className="inline-flex items-center gap-1 tabular-nums">
          {pricing ? format.money(pricing.registration_minor, pricing.currency) : entry.price}
          {trapOf(entry) !== undefined && (
            <span className="text-sale">
              <Icon name="warn" size={14} />
              <span className="sr-only">{t('search.trap')}</span>
            </span>
          )}
        </span>
      )}
    </span>
  )
})
