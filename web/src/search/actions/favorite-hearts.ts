/**
 * Hearts of somebody who is signed in: favorites of their account. They show at once; what the service refuses is taken
 * back and said.
 *
 * Filling a heart also rechecks the domain, and one toast reports both. A domain that cannot be registered is watched.
 * Taking one out can be undone, with its note, its
 * tags and its watch.
 */
import type { QueryClient } from '@tanstack/react-query'
import type { DomainEntry, FavoriteRequest } from '@namewright/client'
import { findClient } from '../../api/client.ts'
import { findAccount } from '../../api/session.ts'
import { notifyTabs } from '../../api/tabs.ts'
import { say } from '../../i18n/i18n.ts'
import type { TextId } from '../../i18n/i18n.ts'
import { faultText } from '../../ui/fault.tsx'
import { showToast } from '../../ui/toast.tsx'
import { favoriteIdsQuery } from './favorite-ids.ts'
import type { FavoriteIds } from './favorite-ids.ts'
import { recheck } from './recheck.ts'
import type { Recheck } from './recheck.ts'
import type { Outcome } from './verdict.ts'

const KEPT: Readonly<Record<Outcome, TextId>> = {
  same: 'actions.kept',
  freed: 'actions.keptFreed',
  gone: 'actions.keptGone',
  premium: 'actions.keptPremium',
  unseen: 'actions.keptUnseen',
}

// One after the other for each domain, so that a quick second press finds what the first has done.
const turns = new Map<string, Promise<void>>()

function inTurn(domain: string, act: () => Promise<void>): void {
  const failed = (error: unknown) => showToast({ kind: 'failed', text: faultText(error) })
  const turn = (turns.get(domain) ?? Promise.resolve()).then(act).catch(failed)
  turns.set(domain, turn)
}

export function toggleFavorite(queries: QueryClient, of: string, entry: DomainEntry): void {
  const client = findClient(queries)
  const { queryKey } = favoriteIdsQuery(findAccount(queries)?.id, client)

  const idOf = (domain: string) => queries.getQueryData<FavoriteIds>(queryKey)?.[domain]
  const show = (domain: string, id: string | undefined) => {
    // An answer that is on its way would show the state before.
    void queries.cancelQueries({ queryKey })
    queries.setQueryData<FavoriteIds>(queryKey, (ids = {}) => {
      const { [domain]: _, ...others } = ids
      return id === undefined ? others : { ...others, [domain]: id }
    })
  }
  const refreshLists = () => {
    notifyTabs('favorites')
    return queries.invalidateQueries({ queryKey: ['favorites'], predicate: (query) => query.queryKey[2] !== 'ids' })
  }

  const add = (request: FavoriteRequest, checking?: Promise<Recheck>) => {
    const { domain } = request
    show(domain, '')
    inTurn(domain, async () => {
      try {
        show(domain, (await client?.favorites.add(request))?.id)
      } catch (error) {
        show(domain, undefined)
        throw error
      }
      await refreshLists()
      const checked = await checking
      if (checked === undefined) return
      const kept = request.watch && checked.outcome === 'same' ? 'actions.watched' : KEPT[checked.outcome]
      const text = say(kept, { domain, price: checked.domain.price })
      showToast({ text, many: 'actions.keptMany', onUndo: () => remove(domain) })
    })
  }
  const remove = (domain: string) => {
    inTurn(domain, async () => {
      const id = idOf(domain)
      show(domain, undefined)
      if (!id || client === undefined) return
      try {
        const { name, note, tags, watch } = await client.favorites.get(id)
        await client.favorites.delete(id)
        await refreshLists()
        showToast({
          text: say('actions.notKept', { domain }),
          many: 'actions.notKeptMany',
          onUndo: () => add({ domain, name, note, tags, watch }),
        })
      } catch (error) {
        show(domain, id)
        throw error
      }
    })
  }
  if (idOf(entry.domain) !== undefined) return remove(entry.domain)
  add({ domain: entry.domain, name: of, watch: !entry.available }, recheck(queries, entry))
}
