/** Votes, shown at once. They are sent one after the other; the service answers with the votes of all on that name. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ballotQuery, giveVotes } from '../api/shares.ts'
import type { Ballot, ShareItem, Vote } from '../api/shares.ts'
import { faultText } from '../ui/fault.tsx'
import { showToast } from '../ui/toast.tsx'
import { keepVoter, useVoter } from './voter.ts'

export const votesKey = (token: string) => ['votes', token]

export function useVotes(token: string): (item: string, vote: Vote | null) => void {
  const queries = useQueryClient()
  const voter = useVoter()
  const { queryKey } = ballotQuery(token, voter.id)
  const mutationKey = votesKey(token)
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
    onSuccess: ({ items }, { item }) => {
      const isLast = queries.isMutating({ mutationKey, predicate: ({ state }) => isOf(state.variables, item) }) === 1
      if (isLast) queries.setQueryData(queryKey, (ballot) => ballot && withCounts(ballot, items))
    },
    onError: async (error) => {
      showToast({ kind: 'failed', text: faultText(error) })
      await queries.invalidateQueries({ queryKey })
    },
  })
  return (item, vote) => voting.mutate({ item, vote })
}

/** An answer does not know of a later press on the same name. */
const isOf = (variables: unknown, item: string) => (variables as { item: string } | undefined)?.item === item

function withCounts(ballot: Ballot, counted: readonly Pick<ShareItem, 'id' | 'votes'>[]): Ballot {
  const byId = new Map(counted.map(({ id, votes }) => [id, votes]))
  const items = ballot.share.items.map((item) => ({ ...item, votes: byId.get(item.id) ?? item.votes }))
  return { ...ballot, share: { ...ballot.share, items } }
}

function withVote({ share, mine }: Ballot, item: string, vote: Vote | null): Ballot {
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
