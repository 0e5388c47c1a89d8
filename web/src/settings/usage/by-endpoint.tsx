/** Requests by day and by what was asked, and how many of them failed; for everything, or for one key. */
import { useMemo, useState } from 'react'
import type { Usage } from '../../api/settings-types.ts'
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { SelectField } from '../../ui/field.tsx'
import { Ltr, Section } from '../../ui/layout.tsx'
import { Table } from '../../ui/table.tsx'
import { Chart } from './chart.tsx'
import { DayTable } from './day-table.tsx'
import { daysOf, endpointTotals, seriesByEndpoint, withRest } from './series.ts'

export interface Named {
  readonly id: string
  readonly name: string
}

export function ByEndpoint({ of, names }: { readonly of: Usage; readonly names: readonly Named[] }) {
  const { t } = useText()
  const [key, setKey] = useState('')
  const rest = t('usage.others')
  const { days, series, shown } = useMemo(() => {
    const all = seriesByEndpoint(of, key)
    return { days: daysOf(of), series: all, shown: withRest(all, rest) }
  }, [of, key, rest])
  const asking = names.filter(({ id }) => of.endpoints.some(({ key_id }) => key_id === id))
  return (
    <Section
      title={t('usage.byEndpoint')}
      description={t('usage.byEndpointText')}
      actions={
        asking.length > 1 && (
          <SelectField label={t('usage.through')} value={key} onChange={({ target }) => setKey(target.value)}>
            <option value="">{t('usage.throughAll')}</option>
            {asking.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )
      }
    >
      {series.length === 0 ? (
        <p className="text-faint">{t('usage.noRequests')}</p>
      ) : (
        <>
          <Chart days={days} series={shown} />
          <Endpoints of={of} through={key} />
          <DayTable caption={t('usage.byEndpoint')} file="namewright-requests.csv" days={days} series={series} />
        </>
      )}
    </Section>
  )
}

function Endpoints({ of, through }: { readonly of: Usage; readonly through: string }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <Table
      caption={t('usage.endpoints')}
      head={[t('usage.endpoint'), t('usage.requests'), t('usage.ofThemFailed'), t('usage.failedShare')]}
      numeric={[1, 2, 3]}
    >
      {endpointTotals(of, through).map(({ endpoint, requests, failed }) => (
        <tr key={endpoint} className="whitespace-nowrap tabular-nums">
          <th scope="row" className="px-4 py-3 text-start font-mono text-sm font-normal">
            <Ltr>{endpoint}</Ltr>
          </th>
          <td className="text-end">{format.number(requests)}</td>
          <td className={`text-end ${failed > 0 ? 'text-wrong' : ''}`}>{format.number(failed)}</td>
          <td className="text-end">{format.percent(requests === 0 ? 0 : failed / requests)}</td>
        </tr>
      ))}
    </Table>
  )
}
