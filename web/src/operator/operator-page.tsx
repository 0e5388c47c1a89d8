/** For the operator; for everybody else the page does not exist. It refreshes every ten seconds. */
import { useQuery } from '@tanstack/react-query'
import { healthQuery } from '../api/operator.ts'
import { useSession } from '../api/session.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { NotFound } from '../pages/not-found.tsx'
import { Fault } from '../ui/fault.tsx'
import { PageTitle, Skeleton } from '../ui/layout.tsx'
import { Accounts } from './accounts.tsx'
import { Accuracy } from './accuracy.tsx'
import { IndexAge } from './index-age.tsx'
import { NodeFacts } from './node-facts.tsx'
import { Queues } from './queues.tsx'
import { Sources } from './sources.tsx'

export default function OperatorPage() {
  return useSession().person?.is_operator === true ? <Operation /> : <NotFound />
}

function Operation() {
  const { t } = useText()
  const format = useFormat()
  const { data, error, refetch, dataUpdatedAt } = useQuery(healthQuery)
  return (
    <>
      <PageTitle
        actions={
          data && (
            <p className="text-sm text-faint">
              {t('operator.asOf', {
                time: format.dateTime(dataUpdatedAt),
              })}
            </p>
          )
        }
      >
        {t('operator.title')}
      </PageTitle>
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <div aria-busy="true" className="grid gap-4">
          <Skeleton className="h-28" />
          <Skeleton className="h-72" />
        </div>
      )}
      {data && (
        <>
          <div className="mb-10">
            <NodeFacts health={data} />
          </div>
          <Sources sources={data.sources} />
          <Accuracy measured={data.audit} />
          <IndexAge index={data.index} />
        </>
      )}
      <Queues />
      <Accounts />
    </>
  )
}
