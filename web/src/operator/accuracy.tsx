/** How right the node was: what it called free, asked again later elsewhere. */
import type { Measured } from '../api/operator.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { Ltr, Section } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { NumberCell } from './number-cell.tsx'

export function Accuracy({ measured }: { readonly measured: readonly Measured[] }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <Section title={t('operator.accuracy')} description={t('operator.accuracyText')}>
      {measured.length === 0 ? (
        <p className="text-faint">{t('operator.notMeasured')}</p>
      ) : (
        <Table
          caption={t('operator.accuracy')}
          numeric={[2, 3, 4, 5]}
          head={[
            t('operator.suffix'),
            t('operator.source'),
            t('operator.precision'),
            t('operator.confirmed'),
            t('operator.contradicted'),
            t('operator.unanswered'),
          ]}
        >
          {measured.map(({ suffix, source, confirmed, contradicted, unanswered, precision }) => (
            <tr key={`${suffix} ${source}`}>
              <td>
                <Ltr className="font-mono">{`.${suffix}`}</Ltr>
              </td>
              <td>
                <Ltr>{source}</Ltr>
              </td>
              <td className="text-end tabular-nums">
                {precision === null ? t('operator.notYet') : format.percent(precision)}
              </td>
              <NumberCell value={confirmed} />
              <NumberCell value={contradicted} />
              <NumberCell value={unanswered} />
            </tr>
          ))}
        </Table>
      )}
    </Section>
  )
}
