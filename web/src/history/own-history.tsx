/** The history of the current account: filtered, by day, a page at a time. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from '../api/client.ts'
import { historyDaysQuery, historyQuery, originsQuery } from '../api/history.ts'
import { isAtLeast } from '../api/session.ts'
import type { Account } from '../api/session.ts'
import { useText } from '../i18n/i18n.ts'
import { Rich } from '../i18n/rich.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { Empty, Notice, PageTitle, Skeleton } from '../ui/layout.tsx'
import { ClearHistory } from './clear-history.tsx'
import { DayList } from './day-list.tsx'
import { Filters, NOTHING_CHOSEN } from './filters.tsx'
import { rangeOf } from './when.ts'

export function OwnHistory({ account }: { readonly account: Account }) {
  const { t } = useText()
  const client = useClient()
  const queries = useQueryClient()
  const [chosen, setChosen] = useState(NOTHING_CHOSEN)
  const { data: days } = useQuery(historyDaysQuery(account.id))
  const { data: origins = [] } = useQuery(originsQuery(account.id))
  const filter = {
    ...(chosen.q === '' ? {} : { q: chosen.q }),
    ...(chosen.origin === '' ? {} : { key_id: chosen.origin }),
    ...rangeOf(chosen.when, new Date()),
  }
  const history = useInfiniteQuery(historyQuery(client, account.id, filter))
  const records = history.data?.pages.flatMap(({ items }) => items) ?? []
  const isFiltered = chosen !== NOTHING_CHOSEN && Object.keys(filter).length > 0
  const isOff = days === 0
  const mayDelete = isAtLeast(account.role, 'member')
  return (
    <>
      <PageTitle actions={mayDelete && records.length > 0 && <ClearHistory />}>{t('history.title')}</PageTitle>
      {isOff && (
        <div className="mb-8">
          <Notice title={t('history.off')}>
            <Rich id="history.offText" parts={[<Link key="0" to="/settings/data" className="underline" />]} />
          </Notice>
        </div>
      )}
      {(records.length > 0 || isFiltered) && <Filters chosen={chosen} origins={origins} onChange={setChosen} />}
      {history.isPending ? (
        <Waiting />
      ) : history.isError && records.length === 0 ? (
        <Fault error={history.error} onRetry={() => void history.refetch()} />
      ) : records.length === 0 ? (
        isFiltered ? (
          <Empty
            icon="search"
            title={t('history.nothingFound')}
            action={<Button onClick={() => setChosen(NOTHING_CHOSEN)}>{t('history.showEverything')}</Button>}
          >
            {t('history.nothingFoundText')}
          </Empty>
        ) : isOff ? null : (
          <Empty
            icon="clock"
            title={t('history.empty')}
            action={
              <Link to="/" className={buttonClass('main')}>
                {t('history.toSearch')}
              </Link>
            }
          >
            {t('history.emptyText')}
          </Empty>
        )
      ) : (
        <div className="grid gap-8">
          <DayList
            records={records}
            origins={origins}
            mayDelete={mayDelete}
            onDeleted={() => queries.invalidateQueries({ queryKey: ['history', account.id] })}
          />
          {history.isFetchNextPageError && <Fault error={history.error} />}
          {history.hasNextPage && (
            <Button
              className="justify-self-center"
              busy={history.isFetchingNextPage}
              onClick={() => void history.fetchNextPage()}
            >
              {t('history.more')}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

function Waiting() {
  return (
    <div aria-busy="true" className="grid gap-4">
      <Skeleton className="h-6 w-28" />
      {[1, 2, 3].map((one) => (
        <div key={one} className="grid gap-4 rounded-lg border border-line bg-card p-5">
          <Skeleton className="h-5 w-3/4" />
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-9 w-full" />
        </div>
      ))}
    </div>
  )
}
