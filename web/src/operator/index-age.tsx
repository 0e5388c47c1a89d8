/** The index of registered names: how many of each suffix, and how old. */
import type { Health } from '../api/operator.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { Ltr, Section } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { NumberCell } from './number-cell.tsx'

export function IndexAge({ index }: { readonly index: Health['index'] }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <Section title={t('operator.indexTitle')} description={t('operator.indexText')}>
      {index.length === 0 ? (
        <p className="text-faint">{t('operator.noIndex')}</p>
      ) : (
        <Table
          caption={t('operator.indexTitle')}
          numeric={[1]}
          head={[t('operator.suffix'), t('operator.names'), t('operator.snapshot')]}
        >
          {index.map(({ suffix, names, snapshot_at: at }) => (
            <tr key={suffix}>
              <td>
                <Ltr className="font-mono">{`.${suffix}`}</Ltr>
              </td>
              <NumberCell value={names} />
              <td>
                <time dateTime={at} title={format.dateTime(at)}>
                  {format.ago(at)}
                </time>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  )
}
