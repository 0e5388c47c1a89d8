/** A room as it is now: read once, then kept current by its events, or by reading it again while there are none. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ballotQuery, followShare } from '../api/shares.ts'
import type { Share } from '../api/shares.ts'
import { useText } from '../i18n/i18n.ts'
import { showToast } from '../ui/toast.tsx'
import { matchesOf, withChange } from './standing.ts'
import { useVoter } from './voter.ts'

export function useRoom(token: string) {
  const { id } = useVoter()
  const queries = useQueryClient()
  const [isLive, setLive] = useState(false)
  const query = ballotQuery(token, id, isLive)
  const ballot = useQuery(query)
  const isThere = ballot.data !== undefined
  const onShare = useEffectEvent((share: Share, isWhole: boolean) =>
    queries.setQueryData(
      query.queryKey,
      (known) => known && { ...known, share: isWhole ? share : withChange(known.share, share) },
    ),
  )
  const onEnd = useEffectEvent(() => void queries.invalidateQueries({ queryKey: query.queryKey }))
  useEffect(() => (isThere ? followShare(token, { onLive: setLive, onShare, onEnd }) : undefined), [token, isThere])
  useMatches(ballot.data?.share)
  return { ballot, isLive }
}

/** Says every match that comes up while the room is open, once. */
function useMatches(share: Share | undefined): void {
  const { t } = useText()
  const known = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    if (!share) return
    const matches = matchesOf(share)
    for (const { id, name, votes } of matches)
      if (known.current && !known.current.has(id)) showToast({ text: t('room.matched', { name, count: votes.up }) })
    known.current = new Set([...(known.current ?? []), ...matches.map(({ id }) => id)])
  }, [share, t])
}
