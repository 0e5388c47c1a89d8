/** The favorites of the current account, and the lists shared for votes. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useClient } from '../api/client.ts'
import { changedQuery, favoritesQuery } from '../api/favorites.ts'
import { isAtLeast, useSession } from '../api/session.ts'
import type { Account } from '../api/session.ts'
import { useText } from '../i18n/i18n.ts'
import { ExportMenu } from '../search/export/export-menu.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { Fault } from '../ui/fault.tsx'
import { Empty, PageTitle } from '../ui/layout.tsx'
import { useRemoved } from '../ui/removals.ts'
import { ChangeEmails } from './change-emails.tsx'
import { suggestionsOf } from './entry-of.ts'
import { FavoriteList } from './favorite-list.tsx'
import { FavoritesWaiting } from './favorites-waiting.tsx'
import { Filters, isFiltered, NOTHING_CHOSEN } from './filters.tsx'
import { SharedList } from './shared-list.tsx'
import { beginVisit } from './visits.ts'

export function OwnFavorites({ account }: { readonly account: Account }) {
  const { t } = useText()
  const client = useClient()
  const { mail } = useSession()
  const removed = useRemoved()
  const since = useVisit(account.id)
  const [chosen, setChosen] = useState(NOTHING_CHOSEN)
  const { data: changedIds = [] } = useQuery(changedQuery(client, account.id, since))
  // All of them as well, for the tags to choose from.
  const all = useInfiniteQuery(favoritesQuery(client, account.id, {}))
  const filter = {
    ...(chosen.q === '' ? {} : { q: chosen.q }),
    ...(chosen.tag === '' ? {} : { tag: chosen.tag }),
    ...(chosen.watched ? { watch: true } : {}),
    ...(chosen.changed ? { changed_since: since } : {}),
  }
  const listed = useInfiniteQuery(favoritesQuery(client, account.id, filter))
  const favoritesOf = ({ data }: typeof listed) =>
    (data?.pages ?? []).flatMap(({ items }) => items).filter(({ id }) => !removed.has(id))
  const favorites = favoritesOf(listed)
  const tags = [...new Set([...favoritesOf(all).flatMap((one) => one.tags), chosen.tag])].filter(Boolean).toSorted()
  const hasFilter = isFiltered(chosen)
  return (
    <>
      <PageTitle actions={favorites.length > 0 && <ExportMenu results={suggestionsOf(favorites)} asked={{}} />}>
        {t('favorites.title')}
      </PageTitle>
      {(favorites.length > 0 || hasFilter) && (
        <Filters chosen={chosen} tags={tags} changedCount={changedIds.length} onChange={setChosen} />
      )}
      {mail && favoritesOf(all).some(({ watch }) => watch) && <ChangeEmails account={account.id} />}
      {listed.isPending ? (
        <FavoritesWaiting />
      ) : listed.isError && favorites.length === 0 ? (
        <Fault error={listed.error} onRetry={() => void listed.refetch()} />
      ) : favorites.length === 0 ? (
        hasFilter ? (
          <Empty
            icon="search"
            title={t('favorites.nothingFound')}
            action={<Button onClick={() => setChosen(NOTHING_CHOSEN)}>{t('favorites.showEverything')}</Button>}
          >
            {t('favorites.nothingFoundText')}
          </Empty>
        ) : (
          <Empty
            icon="heart"
            title={t('favorites.empty')}
            action={
              <Link to="/" className={buttonClass('main')}>
                {t('favorites.toSearch')}
              </Link>
            }
          >
            {t('favorites.emptyText')}
          </Empty>
        )
      ) : (
        <div className="grid gap-6">
          <FavoriteList
            account={account.id}
            favorites={favorites}
            changedIds={changedIds}
            knownTags={tags}
            mayChange={isAtLeast(account.role, 'member')}
          />
          {listed.isFetchNextPageError && <Fault error={listed.error} />}
          {listed.hasNextPage && (
            <Button
              className="justify-self-center"
              busy={listed.isFetchingNextPage}
              onClick={() => void listed.fetchNextPage()}
            >
              {t('favorites.more')}
            </Button>
          )}
        </div>
      )}
      <div className="mt-12">
        <SharedList account={account} />
      </div>
    </>
  )
}

/** Since when things are new to this visit. */
function useVisit(account: string): string | undefined {
  const [since, setSince] = useState<string>()
  useEffect(() => setSince(beginVisit(account, Date.now())), [account])
  return since
}
