/** What a domain costs: the first year, and beside it what every later one does. A trap is named in words. */
import type { DomainEntry } from 'namewright'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { trapOf } from '../result.ts'

export function Price({ entry }: { readonly entry: DomainEntry }) {
  const { t } = useText()
  const format = useFormat()
  const { pricing, price } = entry
  if (!pricing) return <p className="font-medium">{price}</p>
  const trap = trapOf(entry)
  const renewal = format.money(pricing.renewal_minor, pricing.currency)
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-lg font-semibold tabular-nums">
          {format.money(pricing.registration_minor, pricing.currency)}
        </span>
        <span className="text-sm text-faint">{t('search.priceFirst', { years: pricing.years })}</span>
      </p>
      {trap === undefined ? (
        <p className="text-sm text-faint">{t('search.priceRenewal', { price: renewal })}</p>
      ) : (
        <p className="flex items-start gap-1.5 text-sm font-medium text-sale">
          <Icon name="warn" size={16} className="mt-0.5" />
          {t('search.priceTrap', { price: renewal, times: trap })}
        </p>
      )}
    </div>
  )
}
