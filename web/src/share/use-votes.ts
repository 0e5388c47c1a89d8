/**
 * Votes, shown at once. They are sent one after the other, and what the service answers is shown when the last of them has
 * been: an earlier answer does not know of a later press.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ballotQuery, giveVotes } from '../api/shares.ts'
import type { Ballot, Vote } from '../api/shares.ts'
import { faultText } from '../ui/fault.tsx'
import { showToast } from '../ui/toast.tsx'
import { keepVoter, useVoter } from './voter.ts'

export function useVotes(token: string): (item: string, vote: Vote | null) => void {
  const queries = useQueryClient()
  const voter = useVoter()
  const { queryKey } = ballotQuery(token, voter.id)
  const mutationKey = ['votes', token]
  const voting = useMutation({
    mutationKey,
    scope: { id: `votes ${token}` },
    mutationFn: ({ item, vote }: { item: string; vote: Vote | null }) =>
      giveVotes(token, voter.id, { ...(voter.name === '' ? {} : { name: voter.name }), votes: { [item]: vote } }),
    onMutate: async ({ item, vote }) => {
      keepVoter()
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, (ballot) => ballot && withVote(ballot, item, vote))
    },
    onSuccess: (ballot) => {
      if (queries.isMutating({ mutationKey }) === 1) queries.setQueryData(queryKey, ballot)
    },
    onError: async (error) => {
      showToast({ kind: 'failed', text: faultText(error) })
      await queries.invalidateQueries({ queryKey })
    },
  })
  return (item, vote) => voting.mutate({ item, vote })
}

export function withVote({ share, mine }: Ballot, item: string, vote: Vote | null): Ballot {
  const before = mine[item]
  const { [item]: _before, ...others } = mine
  const items = share.items.map((one) => {
    if (one.id !== item) return one
    const count = (way: Vote) => one.votes[way] - Number(before === way) + Number(vote === way)
    return { ...one, votes: { up: count('up'), down: count('down') } }
  })
  const after = vote === null ? others : { ...others, [item]: vote }
  const joined = Number(Object.keys(after).length > 0) - Number(Object.keys(mine).length > 0)
  return { share: { ...share, items, voters: share.voters + joined }, mine: after }
}
