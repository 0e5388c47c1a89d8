/** Whether a domain is kept, and the press that changes it: in the account for whoever is signed in, else in this browser. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { DomainEntry } from '@namewright/client'
import { useClient } from '../../api/client.ts'
import { findAccount, useAccount } from '../../api/session.ts'
import { toggleFavorite } from './favorite-hearts.ts'
import { favoriteIdsQuery } from './favorite-ids.ts'
import { hearts } from './hearts.ts'
import { toggleKept } from './kept-hearts.ts'
import { useStore } from '../../store.ts'

/** Keeps any domain, or lets it go. */
export function useHearting(): (name: string, domain: DomainEntry) => void {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (name, domain) => {
    if (findAccount(queries) !== undefined) toggleFavorite(queries, name, domain)
    else toggleKept(queries, name, domain, () => void navigate({ to: '/welcome' }))
  }
}

export function useIsHearted(domain: string): boolean {
  const account = useAccount()?.id
  const isKept = useStore(hearts).some((heart) => heart.domain === domain)
  const query = favoriteIdsQuery(account, useClient())
  const isFavorite = useQuery({ ...query, select: (ids) => ids[domain] !== undefined }).data ?? false
  return account === undefined ? isKept : isFavorite
}
