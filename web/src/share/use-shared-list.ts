/** A shared list as it is now: read again every few seconds while the page is seen. */
import { useIsMutating, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ballotQuery } from '../api/shares.ts'
import type { Share } from '../api/shares.ts'
import { useText } from '../i18n/i18n.ts'
import { showToast } from '../ui/toast.tsx'
import { matchesOf } from './standing.ts'
import { votesKey } from './use-votes.ts'
import { useVoter } from './voter.ts'

export function useSharedList(token: string) {
  const { id } = useVoter()
  // An answer from before a vote would take it back for a moment.
  const isVoting = useIsMutating({ mutationKey: votesKey(token) }) > 0
  const ballot = useQuery({ ...ballotQuery(token, id), enabled: !isVoting })
  useMatches(ballot.data?.share)
  return ballot
}

/** Says every match that comes up while the list is open, once. */
function useMatches(share: Share | undefined): void {
  const { t } = useText()
  const known = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    if (!share) return
    const matches = matchesOf(share)
    for (const { id, name, votes } of matches)
      if (known.current && !known.current.has(id)) showToast({ text: t('share.matched', { name, count: votes.up }) })
    known.current = new Set([...(known.current ?? []), ...matches.map(({ id }) => id)])
  }, [share, t])
}
