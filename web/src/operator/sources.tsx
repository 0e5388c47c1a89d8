/** The external services that the node uses, failing ones first. */
import type { Source } from '../api/operator.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import type { TextId } from '../i18n/i18n.ts'
import { Ltr, Section } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { Detail } from './detail.tsx'
import { NumberCell } from './number-cell.tsx'
import { StateBadge } from './state-badge.tsx'

const KINDS: Readonly<Record<Source['kind'], TextId>> = {
  registry: 'operator.registry',
  registrar: 'operator.registrar',
  dns: 'operator.dns',
  index: 'operator.index',
  namespace: 'operator.namespace',
  cache: 'operator.cache',
  language_model: 'operator.languageModel',
}
const ORDER: readonly Source['state'][] = ['failing', 'unreliable', 'slow', 'resting', 'well', 'off']

export function Sources({ sources }: { readonly sources: readonly Source[] }) {
  const { t } = useText()
  const format = useFormat()
  const sorted = sources.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
  return (
    <Section title={t('operator.sources')} description={t('operator.sourcesText')}>
      <Table
        caption={t('operator.sources')}
        numeric={[2, 3, 4]}
        head={[
          t('operator.source'),
          t('operator.state'),
          t('operator.asked'),
          t('operator.answered'),
          t('operator.failed'),
          t('operator.lastAnswer'),
        ]}
      >
        {sorted.map(({ name, kind, state, asked, answered, failed, last_answer_at: last, detail }) => (
          <tr key={`${kind} ${name}`}>
            <td className="min-w-44">
              <Ltr className="font-medium">{name}</Ltr>
              <p className="text-sm text-faint">{t(KINDS[kind])}</p>
            </td>
            <td>
              <StateBadge state={state} />
              <Detail said={detail} />
            </td>
            <NumberCell value={asked} />
            <NumberCell value={answered} />
            <NumberCell value={failed} />
            <td className="whitespace-nowrap text-faint">
              {last === null ? t('operator.never') : <time dateTime={last}>{format.ago(last)}</time>}
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  )
}
