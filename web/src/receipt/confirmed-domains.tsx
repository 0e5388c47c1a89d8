/** Who confirmed what, and when: a row for each domain. */
import type { ConfirmedDomain } from '../api/receipts.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { sourceNames } from '../search/results/domain-facts.tsx'
import { StateBadge } from '../search/results/state-badge.tsx'
import { Ltr } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { receiptStateOf } from './entry-of-receipt.ts'

export function ConfirmedDomains({ domains }: { readonly domains: readonly ConfirmedDomain[] }) {
  const { t } = useText()
  const format = useFormat()
  const head = [t('receipt.domain'), t('receipt.status'), t('receipt.by'), t('receipt.when')]
  return (
    <Table caption={t('receipt.confirmed')} head={head}>
      {domains.map((one) => (
        <tr key={one.domain}>
          <th scope="row" className="px-4 py-3 text-start align-top font-medium">
            <Ltr className="font-mono">{one.domain}</Ltr>
          </th>
          <td>
            <StateBadge state={receiptStateOf(one)} />
          </td>
          <td>{one.sources.length === 0 ? t('receipt.noSource') : format.list(sourceNames(t, one.sources))}</td>
          <td>
            <time dateTime={one.checked_at}>{format.dateTime(one.checked_at)}</time>
          </td>
        </tr>
      ))}
    </Table>
  )
}
