/** The log of an account, newest first. The service does not sort by kind, so what was fetched is sorted here. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { auditQuery } from '../../api/audit.ts'
import { useText } from '../../i18n/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Fault } from '../../ui/fault.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Empty, Skeleton } from '../../ui/layout.tsx'
import { findAction, KIND_TEXTS, KINDS } from './actions.ts'
import type { Kind } from './actions.ts'
import { DownloadLog } from './download-log.tsx'
import { EventRow } from './event-row.tsx'

export function Events({ account }: { readonly account: string }) {
  const { t } = useText()
  const [kind, setKind] = useState<Kind | 'all'>('all')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(auditQuery(account))
  const all = data?.pages.flatMap(({ security_events: events }) => events)
  const shown = all?.filter(({ action }) => kind === 'all' || findAction(action)?.kind === kind)
  const more = async () => {
    const { data: next } = await fetchNextPage()
    announce(t('audit.loaded', { count: next?.pages.at(-1)?.security_events.length ?? 0 }))
  }
  return (
    <div className="grid gap-6">
      <DownloadLog account={account} />
      <SelectField
        className="max-w-xs"
        label={t('audit.kind')}
        value={kind}
        onChange={({ target }) => setKind(target.value as Kind | 'all')}
      >
        <option value="all">{t('audit.kindAll')}</option>
        {KINDS.map((value) => (
          <option key={value} value={value}>
            {t(KIND_TEXTS[value])}
          </option>
        ))}
      </SelectField>
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <div aria-busy="true" className="grid gap-2">
          {[0, 1, 2, 3, 4].map((row) => (
            <Skeleton key={row} className="h-16" />
          ))}
        </div>
      )}
      {shown?.length === 0 && (
        <Empty icon="shield" title={t('audit.empty')}>
          {t(hasNextPage ? 'audit.emptySoFar' : 'audit.emptyText')}
        </Empty>
      )}
      {shown && shown.length > 0 && (
        <ol aria-label={t('audit.title')} className="divide-y divide-line rounded-lg border border-line bg-card">
          {shown.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ol>
      )}
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void more()}>
            {t('audit.older')}
          </Button>
        </div>
      )}
    </div>
  )
}
