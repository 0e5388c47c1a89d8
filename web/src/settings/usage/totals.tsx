/** The whole in four numbers. */
import type { Usage } from '../../api/settings-types.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { endpointTotals, sum } from './series.ts'

export function Totals({ of }: { readonly of: Usage }) {
  const { t } = useText()
  const format = useFormat()
  const totals = endpointTotals(of, '')
  const requests = sum(totals.map((one) => one.requests))
  const failed = sum(totals.map((one) => one.failed))
  const facts: readonly (readonly [string, string, string])[] = [
    [t('usage.inPeriod'), format.number(sum(of.account.days.map(({ suggestions }) => suggestions))), t('usage.names')],
    [t('usage.today'), format.number(of.account.today), t('usage.names')],
    [t('usage.thisMonth'), format.number(of.account.this_month), t('usage.names')],
    [t('usage.requests'), format.number(requests), t('usage.failed', { count: failed })],
  ]
  return (
    <dl className="grid grid-cols-2 gap-3 xl:grid-cols-4">
      {facts.map(([label, value, unit]) => (
        <div key={label} className="rounded-lg border border-line bg-card p-4">
          <dt className="text-sm text-faint">{label}</dt>
          <dd>
            <span className="block font-display text-2xl font-semibold tabular-nums">{value}</span>
            <span className="text-sm text-faint">{unit}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
