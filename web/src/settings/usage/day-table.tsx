/** The numbers of a chart as a table that everybody can open and take along. */
import { useFormat } from '../../i18n/format.ts'
import { useText } from '../../i18n/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Table } from '../../ui/table.tsx'
import { download } from '../../ui/download.ts'
import { Fold } from '../programs/fold.tsx'
import { csvOf } from './csv.ts'
import { useDayText } from './day-text.ts'
import { sum } from './series.ts'
import type { Series } from './series.ts'

export function DayTable({
  caption,
  file,
  days,
  series,
}: {
  readonly caption: string
  /** What the file is called. */
  readonly file: string
  readonly days: readonly string[]
  readonly series: readonly Series[]
}) {
  const { t } = useText()
  const format = useFormat()
  const dayText = useDayText()
  const names = series.map(({ name }) => name)
  const rows = days.map((day, at) => ({ day, values: series.map(({ values }) => values[at] ?? 0) })).toReversed()
  const save = () =>
    download(
      csvOf([
        [t('usage.day'), ...names, t('usage.total')],
        ...rows.map(({ day, values }) => [day, ...values, sum(values)]),
      ]),
      { name: file, type: 'text/csv' },
    )
  return (
    <div className="grid grid-cols-1 gap-3">
      <Fold title={t('usage.asTable')}>
        <Table
          caption={caption}
          head={[t('usage.day'), ...names.map((name) => <bdi key={name}>{name}</bdi>), t('usage.total')]}
          numeric={[...names.keys(), names.length].map((at) => at + 1)}
        >
          {rows.map(({ day, values }) => (
            <tr key={day} className="whitespace-nowrap tabular-nums">
              <th scope="row" className="px-4 py-3 text-start font-normal whitespace-nowrap">
                {dayText.long(day)}
              </th>
              {values.map((value, at) => (
                <td key={series[at]?.id} className="text-end">
                  {format.number(value)}
                </td>
              ))}
              <td className="text-end font-medium">{format.number(sum(values))}</td>
            </tr>
          ))}
        </Table>
      </Fold>
      <div>
        <Button small icon="download" onClick={save}>
          {t('usage.downloadCsv')}
        </Button>
      </div>
    </div>
  )
}
