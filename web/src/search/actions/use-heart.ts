/** Whether a domain is kept, and the press that changes it: in the account for whoever is signed in, else in this browser. */
import { useQuery } from '@tanstack/react-query'
import type { DomainEntry } from 'namewright'
import { useClient } from '../../api/client.ts'
import { useAccount } from '../../api/session.ts'
import { useFavoriteHearts } from './favorite-hearts.ts'
import { favoriteIdsQuery } from './favorite-ids.ts'
import { hearts } from './hearts.ts'
import { useKeptHearts } from './kept-hearts.ts'
import { useStore } from '../../store.ts'

/** Keeps any domain, or lets it go. */
export function useHearting(): (name: string, domain: DomainEntry) => void {
  const account = useAccount()
  const favorite = useFavoriteHearts()
  const kept = useKeptHearts()
  return account === undefined ? kept : favorite
}

export function useIsHearted(domain: string): boolean {
  const account = useAccount()?.id
  const isKept = useStore(hearts).some((heart) => heart.domain === domain)
  const query = favoriteIdsQuery(account, useClient())
  const isFavorite = useQuery({ ...query, select: (ids) => ids[domain] !== undefined }).data ?? false
  return account === undefined ? isKept : isFavorite
}
