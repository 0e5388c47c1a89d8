/** When something was last used, by colour and by word. An unused credential is a risk that nobody notices. */
import { useText } from '../../i18n/i18n.ts'
import type { TextId } from '../../i18n/i18n.ts'
import { useFormat } from '../../i18n/format.ts'

const DAY_MS = 86_400_000

export type Freshness = 'today' | 'week' | 'month' | 'long' | 'never'

export function freshnessOf(lastUsed: string | null, created: string, now: number): Freshness {
  const since = now - Date.parse(lastUsed ?? created)
  if (since >= 30 * DAY_MS) return 'long'
  if (lastUsed === null) return 'never'
  return since < DAY_MS ? 'today' : since < 7 * DAY_MS ? 'week' : 'month'
}

const STYLES: Readonly<Record<Freshness, { readonly text: TextId; readonly dot: string }>> = {
  today: { text: 'keys.usedToday', dot: 'bg-free border-free' },
  week: { text: 'keys.usedThisWeek', dot: 'bg-free-soft border-free' },
  month: { text: 'keys.usedThisMonth', dot: 'bg-transparent border-taken' },
  long: { text: 'keys.unusedLong', dot: 'bg-sale border-sale' },
  never: { text: 'keys.neverUsed', dot: 'bg-transparent border-taken' },
}

export function LastUsed({ lastUsed, created }: { readonly lastUsed: string | null; readonly created: string }) {
  const { t } = useText()
  const format = useFormat()
  const { text, dot } = STYLES[freshnessOf(lastUsed, created, Date.now())]
  return (
    <span className="inline-flex items-baseline gap-2">
      <span aria-hidden="true" className={`size-2.5 shrink-0 rounded-full border-2 ${dot}`} />
      <span>
        {t(text)}
        {lastUsed !== null && (
          <span className="block text-sm text-faint" title={format.dateTime(lastUsed)}>
            {format.ago(lastUsed)}
          </span>
        )}
      </span>
    </span>
  )
}
