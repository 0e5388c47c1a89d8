/** How the names of a shared list stand: their order, and which of them are a match. */
import type { Share, ShareItem } from '../api/shares.ts'

/** More likes than dislikes first, then more likes; the rest stays in its order. */
export function ranked(items: readonly ShareItem[]): readonly ShareItem[] {
  const scoreOf = ({ votes }: ShareItem) => votes.up - votes.down
  return items.toSorted((one, other) => scoreOf(other) - scoreOf(one) || other.votes.up - one.votes.up)
}

/** Liked by at least two people, and by more than half of the voters. */
export const isMatch = ({ votes }: Pick<ShareItem, 'votes'>, voters: number): boolean =>
  votes.up >= 2 && votes.up * 2 > voters

export const matchesOf = ({ items, voters }: Pick<Share, 'items' | 'voters'>): readonly ShareItem[] =>
  items.filter((item) => isMatch(item, voters))
