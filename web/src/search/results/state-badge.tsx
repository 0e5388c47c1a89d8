import { useText } from '../../i18n/i18n.ts'
import { classes } from '../../ui/classes.ts'
import { SURFACES, WORDS } from './state.ts'
import { StateSign } from './state-sign.tsx'
import type { ShownState } from './state-sign.tsx'

export function StateBadge({ state }: { readonly state: ShownState }) {
  const { t } = useText()
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1 rounded-full px-2.5 py-0.5 text-sm font-medium whitespace-nowrap',
        state === 'checking' && 'calm-pulse',
        SURFACES[state],
      )}
    >
      <StateSign state={state} size={14} />
      {t(WORDS[state])}
    </span>
  )
}
