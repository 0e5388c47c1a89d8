/** What has become of a domain since it was kept, newest first; its last line is the keeping itself. */
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Favorite } from '@namewright/client'
import { useClient } from '../api/client.ts'
import { changesQuery } from '../api/favorites.ts'
import { useFormat } from '../i18n/format.ts'
import { useText } from '../i18n/i18n.ts'
import { Button } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { Skeleton } from '../ui/layout.tsx'
import { changeText } from './change-text.ts'

export function Timeline({ favorite }: { readonly favorite: Favorite }) {
  const { t } = useText()
  const format = useFormat()
  const changes = useInfiniteQuery(changesQuery(useClient(), favorite.id))
  if (changes.isPending)
    return (
      <div aria-busy="true" className="grid gap-2">
        <Skeleton className="h-5 w-72 max-w-full" />
        <Skeleton className="h-5 w-56 max-w-full" />
      </div>
    )
  if (!changes.data) return <Fault error={changes.error} onRetry={() => void changes.refetch()} />
  const items = changes.data.pages.flatMap((page) => page.items)
  const { saved, created_at } = favorite
  return (
    <div className="grid gap-3">
      {items.length === 0 && (
        <p className="text-faint">{t(favorite.watch ? 'favorites.noChanges' : 'favorites.notWatched')}</p>
      )}
      <ol aria-label={t('favorites.timeline')} className="grid border-s-2 border-line">
        {items.map((change) => (
          <Moment key={change.id} at={change.created_at}>
            {changeText(change, format.ago(change.created_at), t)}
          </Moment>
        ))}
        {!changes.hasNextPage && (
          <Moment at={created_at}>
            {t(saved.available ? 'favorites.keptFree' : 'favorites.keptNotFree', {
              when: format.ago(created_at),
              price: saved.price,
            })}
          </Moment>
        )}
      </ol>
      {changes.hasNextPage && (
        <Button
          small
          className="justify-self-start"
          busy={changes.isFetchingNextPage}
          onClick={() => void changes.fetchNextPage()}
        >
          {t('favorites.olderChanges')}
        </Button>
      )}
    </div>
  )
}

function Moment({ at, children }: { readonly at: string; readonly children: string }) {
  const format = useFormat()
  return (
    <li className="relative grid gap-x-4 py-1.5 ps-5 before:absolute before:-start-[5px] before:top-3.5 before:size-2 before:rounded-full before:bg-edge sm:flex sm:justify-between">
      <span>{children}</span>
      <time dateTime={at} className="text-sm text-faint">
        {format.dateTime(at)}
      </time>
    </li>
  )
}
