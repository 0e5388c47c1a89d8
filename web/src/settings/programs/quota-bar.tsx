/** How much of a budget is used: a bar, and the same in words. Without a limit there is nothing to fill. */
import { useText } from '../../i18n/i18n.ts'
import { useFormat } from '../../i18n/format.ts'

const NEARLY = 0.8

export function QuotaBar({
  label,
  used,
  limit,
}: {
  readonly label: string
  readonly used: number
  readonly limit: number | null
}) {
  const { t } = useText()
  const format = useFormat()
  const share = limit === null ? 0 : limit === 0 ? 1 : Math.min(1, used / limit)
  const color = share >= 1 ? 'bg-wrong' : share >= NEARLY ? 'bg-sale' : 'bg-accent'
  return (
    <div className="grid content-start gap-1 text-sm">
      <div className="flex flex-wrap justify-between gap-x-3">
        <span className="text-faint">{label}</span>
        <span className="tabular-nums">
          {limit === null
            ? t('usage.unlimited', { count: used })
            : t('usage.ofLimit', { used: format.number(used), limit: format.number(limit) })}
        </span>
      </div>
      {limit !== null && (
        <div
          aria-hidden="true"
          className="h-2 overflow-hidden rounded-full bg-sunken outline-1 -outline-offset-1 outline-line"
        >
          <div
            className={`h-full rounded-full forced-colors:bg-[CanvasText] ${color}`}
            style={{ inlineSize: `${share * 100}%` }}
          />
        </div>
      )}
      {share >= 1 && <p className="text-wrong">{t('usage.usedUp')}</p>}
      {share >= NEARLY && share < 1 && <p className="text-sale">{t('usage.nearlyUsedUp')}</p>}
    </div>
  )
}
