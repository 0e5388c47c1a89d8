/** How a source is: a sign, a word and a colour. */
import type { Source } from '../api/operator.ts'
import { useText } from '../i18n/i18n.ts'
import type { TextId } from '../i18n/i18n.ts'
import { Icon } from '../ui/icon.tsx'
import type { IconName } from '../ui/icon.tsx'
import { Badge } from '../ui/layout.tsx'
import type { BadgeTone } from '../ui/layout.tsx'

const STATES: Readonly<
  Record<Source['state'], { readonly tone: BadgeTone; readonly icon: IconName; readonly text: TextId }>
> = {
  well: { tone: 'free', icon: 'check', text: 'operator.healthy' },
  slow: { tone: 'sale', icon: 'clock', text: 'operator.slow' },
  unreliable: { tone: 'sale', icon: 'warn', text: 'operator.unreliable' },
  failing: { tone: 'wrong', icon: 'warn', text: 'operator.failing' },
  resting: { tone: 'unknown', icon: 'moon', text: 'operator.circuitOpen' },
  off: { tone: 'taken', icon: 'minus', text: 'operator.off' },
}

export function StateBadge({ state }: { readonly state: Source['state'] }) {
  const { t } = useText()
  const { tone, icon, text } = STATES[state]
  return (
    <Badge tone={tone}>
      <Icon name={icon} size={15} />
      {t(text)}
    </Badge>
  )
}
