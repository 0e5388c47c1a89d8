/** Names by day and by key or app. */
import { useMemo } from 'react'
import type { Usage } from '../../api/settings-types.ts'
import { useText } from '../../i18n/i18n.ts'
import { Section } from '../../ui/layout.tsx'
import { Chart } from './chart.tsx'
import { DayTable } from './day-table.tsx'
import { daysOf, seriesByKey, withRest } from './series.ts'

export function ByKey({ of }: { readonly of: Usage }) {
  const { t } = useText()
  const rest = t('usage.others')
  const { days, series, shown } = useMemo(() => {
    const all = seriesByKey(of)
    return { days: daysOf(of), series: all, shown: withRest(all, rest) }
  }, [of, rest])
  return (
    <Section title={t('usage.byKey')} description={t('usage.byKeyText')}>
      {series.length === 0 ? (
        <p className="text-faint">{t('usage.nothing')}</p>
      ) : (
        <>
          <Chart days={days} series={shown} />
          <DayTable caption={t('usage.byKey')} file="namewright-names-by-key.csv" days={days} series={series} />
        </>
      )}
    </Section>
  )
}
