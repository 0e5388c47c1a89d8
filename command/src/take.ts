/** Lists with --limit and --all; prints a note when there are more results. */
import { clean } from './clean.ts'
import type { Page } from '../../sdk/src/pages.ts'
import type { Invocation } from './spec.ts'

const DEFAULT_LIMIT = 20
// The maximum of a page.
const MAX_PER_PAGE = 100

export async function* take<Item>(
  { options, say }: Invocation,
  pageAt: (query: { readonly limit: number; readonly cursor?: string | undefined }) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  const most = options.flag('all') ? Infinity : (options.number('limit') ?? DEFAULT_LIMIT)
  let left = most
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await pageAt({ limit: Math.min(left, MAX_PER_PAGE), cursor })
    yield* items
    left -= items.length
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined && left > 0)
  if (cursor !== undefined) say('There are more results. Show them with --limit N or --all.')
}

export function dateText(time: string): string {
  return clean(time.slice(0, 16).replace('T', ' '))
}
