/** The queues: webhooks to deliver, batches to run, favorites to check. */
import { useQuery } from '@tanstack/react-query'
import { queuesQuery } from '../api/operator.ts'
import { useText } from '../i18n/i18n.ts'
import { Fault } from '../ui/fault.tsx'
import { Ltr, Section, Skeleton } from '../ui/layout.tsx'
import { Table } from '../ui/table.tsx'
import { NumberCell } from './number-cell.tsx'

export function Queues() {
  const { t } = useText()
  const { data, error, refetch } = useQuery(queuesQuery)
  return (
    <Section title={t('operator.queues')} description={t('operator.queuesText')}>
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <div aria-busy="true">
          <Skeleton className="h-40" />
        </div>
      )}
      {data?.length === 0 && <p className="text-faint">{t('operator.noQueues')}</p>}
      {data && data.length > 0 && (
        <Table
          caption={t('operator.queues')}
          numeric={[1, 2, 3, 4, 5]}
          head={[
            t('operator.queue'),
            t('operator.waiting'),
            t('operator.scheduled'),
            t('operator.active'),
            t('operator.retried'),
            t('operator.dead'),
            t('operator.oldest'),
          ]}
        >
          {data.map(({ name, waiting, later, active, failed, dead, oldest_waiting_seconds: oldest }) => (
            <tr key={name}>
              <td>
                <Ltr className="font-mono">{name}</Ltr>
              </td>
              <NumberCell value={waiting} />
              <NumberCell value={later} />
              <NumberCell value={active} />
              <NumberCell value={failed} />
              <NumberCell value={dead} />
              <td className="whitespace-nowrap text-faint">
                {oldest === null ? t('operator.nothing') : t('operator.seconds', { count: Math.round(oldest) })}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  )
}
