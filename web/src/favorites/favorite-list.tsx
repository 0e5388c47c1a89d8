/** Favorites one under the other; some can be chosen, to be shared for votes. */
import type { Favorite } from '@namewright/client'
import { useRef, useState } from 'react'
import { useClient } from '../api/client.ts'
import { useForgetFavorite } from '../api/favorites.ts'
import { useText } from '../i18n/i18n.ts'
import { focusNeighbour } from '../ui/focus-neighbour.ts'
import { removeLater } from '../ui/removals.ts'
import { ChoiceBar } from './choice-bar.tsx'
import { FavoriteRow } from './favorite-row.tsx'
import { ShareDialog } from './share-dialog.tsx'

export function FavoriteList({
  account,
  favorites,
  changedIds,
  knownTags,
  mayChange,
}: {
  readonly account: string
  readonly favorites: readonly Favorite[]
  readonly changedIds: readonly string[]
  readonly knownTags: readonly string[]
  readonly mayChange: boolean
}) {
  const { t } = useText()
  const client = useClient()
  const forget = useForgetFavorite()
  const list = useRef<HTMLUListElement>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [sharing, setSharing] = useState<readonly string[]>()
  // What a filter hides or has been deleted is not shared with the rest.
  const shown = favorites.filter(({ id }) => chosen.has(id)).map(({ id }) => id)
  const choose = (id: string, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((one) => one !== id)))
  const remove = ({ id, domain }: Favorite) => {
    focusNeighbour(list.current, `[data-favorite="${id}"]`, '[data-favorite]')
    choose(id, false)
    removeLater({
      id,
      text: t('favorites.deleted', { domain }),
      backText: t('favorites.restored', { domain }),
      run: async () => {
        await client?.favorites.delete(id)
        await forget(id)
      },
    })
  }
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label={t('favorites.title')} className="grid gap-4 outline-none">
        {favorites.map((favorite) => (
          <li key={favorite.id}>
            <FavoriteRow
              favorite={favorite}
              knownTags={knownTags}
              isChanged={changedIds.includes(favorite.id)}
              isChosen={chosen.has(favorite.id)}
              mayChange={mayChange}
              onChoose={(isChosen) => choose(favorite.id, isChosen)}
              onDelete={() => remove(favorite)}
            />
          </li>
        ))}
      </ul>
      {shown.length > 0 && (
        <ChoiceBar count={shown.length} onShare={() => setSharing(shown)} onClear={() => setChosen(new Set())} />
      )}
      {sharing && (
        <ShareDialog
          account={account}
          favoriteIds={sharing}
          onShared={() => setChosen(new Set())}
          onClose={() => setSharing(undefined)}
        />
      )}
    </>
  )
}
