/**
 * Hearts that were kept in this browser before somebody signed in become favorites of their account, once.
 *
 * Each leaves the browser only when the account has it, so that one which fails is tried at the next visit. Where several
 * tabs are open, one of them does it.
 */
import { useQueryClient } from '@tanstack/react-query'
import type { Namewright } from '@namewright/client'
import { useEffect } from 'react'
import { useClient } from '../../api/client.ts'
import { isAtLeast, useAccount } from '../../api/session.ts'
import { say } from '../../i18n/i18n.ts'
import { showToast } from '../../ui/toast.tsx'
import { hearts, removeHeart } from './hearts.ts'

export default function MoveHearts() {
  const client = useClient()
  const account = useAccount()
  const queries = useQueryClient()
  const mayKeep = isAtLeast(account?.role, 'member')
  useEffect(() => {
    if (!mayKeep || client === undefined || hearts.get().length === 0) return
    void oneTab(async () => {
      const count = await move(client)
      if (count === 0) return
      await queries.invalidateQueries({ queryKey: ['favorites'] })
      showToast({ text: say('actions.heartsMoved', { count }) })
    })
  }, [mayKeep, client, account?.id, queries])
  return null
}

async function move(client: Namewright): Promise<number> {
  let count = 0
  // The oldest first, so that they stand in the order in which they were kept.
  for (const { domain, name } of hearts.get().toReversed()) {
    try {
      await client.favorites.add({ domain, name })
    } catch {
      return count
    }
    removeHeart(domain)
    count++
  }
  return count
}

async function oneTab(act: () => Promise<void>): Promise<void> {
  await navigator.locks.request('namewright.hearts', { ifAvailable: true }, async (lock) => {
    if (lock) await act()
  })
}
