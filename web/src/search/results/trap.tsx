/** A renewal price that is many times the first year's, named in words. */
import type { DomainEntry } from '@namewright/client'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { trapOf } from '../result.ts'

export function Trap({ entry }: { readonly entry: DomainEntry }) {
  const { t } = useText()
  const format = useFormat()
  const times = trapOf(entry)
  if (times === undefined || !entry.pricing) return null
  const { renewal_minor: renewal, currency } = entry.pricing
  return (
    <p className="flex items-start gap-1.5 font-medium text-sale">
      <Icon name="warn" size={16} className="mt-0.5" />
      {t('search.priceTrap', { price: format.money(renewal, currency), times })}
    </p>
  )
}
