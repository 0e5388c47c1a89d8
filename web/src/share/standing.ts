/** How the names of a room stand: their order, and which of them are a match. */
import type { Share, ShareItem } from '../api/shares.ts'

/** More likes than dislikes first, then more likes; the rest stays in its order. */
export function ranked(items: readonly ShareItem[]): readonly ShareItem[] {
  const scoreOf = ({ votes }: ShareItem) => votes.up - votes.down
  return items.toSorted((one, other) => scoreOf(other) - scoreOf(one) || other.votes.up - one.votes.up)
}

/** Liked by at least two people, and by more than half of those in the room. */
export const isMatch = ({ votes }: Pick<ShareItem, 'votes'>, voters: number): boolean =>
  votes.up >= 2 && votes.up * 2 > voters

export const matchesOf = ({ items, voters }: Pick<Share, 'items' | 'voters'>): readonly ShareItem[] =>
  items.filter((item) => isMatch(item, voters))

/** A change has only the items and comments that are new or different. */
export function withChange(before: Share, change: Share): Share {
  const items = new Map([...before.items, ...change.items].map((item) => [item.id, item]))
  const comments = new Map([...before.comments, ...change.comments].map((comment) => [comment.id, comment]))
  return { ...change, items: [...items.values()], comments: [...comments.values()] }
}
