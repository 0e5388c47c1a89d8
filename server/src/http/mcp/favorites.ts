/** list_favorites and add_favorite: GET and POST /v1/favorites for agents. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { addFavorite } from '../../flows/add-favorite.ts'
import type { FavoriteRow } from '../../library/favorites/favorites.ts'
import { cutPage } from '../page.ts'
import { parseRequest } from '../routes/favorites.ts'
import { closed, FavoriteBody, FavoriteOne, FavoritePage, FavoriteQuery } from '../../wire/schemas.ts'
import type { Prices } from '../../prices/prices.ts'
import { favoriteText } from '../../wire/texts.ts'
import { countFitting, shorten } from './output-limit.ts'
import { priceText } from './price-text.ts'
import { defineTool } from './tool.ts'

const LINE_NOTE = 100

// Without the id, because no tool takes the id of a favorite.
const Favorite = Type.Omit(FavoriteOne.properties.data.properties.favorite, ['id'], closed)
type Favorite = Static<typeof Favorite>

export const listFavoritesTool = defineTool({
  name: 'list_favorites',
  title: 'List saved domains',
  description:
    'Lists the domains that were saved in this account, newest first: its favorites, with note, tags and whether each is watched. ' +
    'Use it when somebody asks which domains they have saved or bookmarked, which are being watched, what is on their shortlist, ' +
    'or says to show or list their favorites. ' +
    '`saved` is the state when the domain was added and `current` the latest known state, each with its `checked_at`; ' +
    'for a live check use check_domains. ' +
    'Pass `next_cursor` as `cursor` to get the next page; null means the last page. Uses no quota.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  scope: 'favorites:read',
  input: FavoriteQuery,
  about: {
    limit: 'Maximum number of favorites. Default: as many as fit a short response, at most 20.',
    cursor: '`next_cursor` of the previous page. Keep the other arguments the same.',
    q: 'Only favorites that contain this text in the domain, name or note.',
    tag: 'Only favorites with this tag.',
    watch: 'true: only watched favorites; false: only unwatched favorites.',
    changed_since:
      'Only watched favorites whose availability or price changed after this time, such as 2026-01-31T00:00:00Z.',
  },
  output: Type.Object(
    { favorites: Type.Array(Favorite), next_cursor: FavoritePage.properties.data.properties.next_cursor },
    closed,
  ),
  async answer({ limit, cursor, ...filter }, { ctx, routeContext, session }) {
    const account = session.caller.accountId
    const page = cutPage(routeContext, { list: 'mcp favorites', account, filter, limit, cursor })
    const rows = await ctx.favorites.list(account, filter, page.window)
    const items = rows.map((row) => itemOf(row, ctx.prices))
    const { shown, next } = page.cut(rows, limit ?? Math.min(page.window.limit, countFitting(items)))
    const found = items.slice(0, shown.length)
    const lines = found.length === 0 ? ['none'] : found.map(({ line }) => line)
    return {
      data: { favorites: found.map(({ data }) => data), next_cursor: next },
      text: [...lines, ...(next === null ? [] : [`next_cursor: ${next}`])].join('\n'),
    }
  },
})

export const addFavoriteTool = defineTool({
  name: 'add_favorite',
  title: 'Save a domain',
  description:
    'Adds one domain, such as example.com, to the favorites of this account, with its current availability and price. ' +
    'Use it when somebody says to save, keep, bookmark or remember a domain, to put it on the shortlist, to note something about it, or to watch it. ' +
    'It does not register, reserve or buy anything. ' +
    'If the domain is already saved, it does not change, and `created` is false. Uses no quota.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  scope: 'favorites:write',
  input: FavoriteBody,
  about: {
    domain: 'The full domain with its suffix, such as mayfly.com.',
    name: 'The name behind the domain, as people write it: Mayfly. Default: derived from the domain.',
    note: 'A note of the user about the domain.',
    tags: 'Tags to find the domain by.',
    watch: 'true: check the domain regularly and report changes. Default false.',
  },
  output: Type.Object({ favorite: Favorite, created: Type.Boolean() }, closed),
  async answer(args, { ctx, session, signal }) {
    const requested = parseRequest(ctx, args)
    let kept: { row: FavoriteRow; created: boolean } | undefined
    const note = (row: FavoriteRow, created: boolean) => {
      kept = { row, created }
      return []
    }
    await addFavorite(ctx, session.caller, requested, note, signal)
    if (!kept) throw new Error(`${requested.domain} was added and not shown`)
    const { data, line } = itemOf(kept.row, ctx.prices)
    return {
      data: { favorite: data, created: kept.created },
      text: `${kept.created ? 'saved' : 'already saved'}: ${line}`,
    }
  },
})

function itemOf(row: FavoriteRow, prices: Pick<Prices, 'termOf'>): { data: Favorite; line: string } {
  const { id: _, ...data } = JSON.parse(favoriteText(row, prices)) as Favorite & { id: string }
  const { domain, name, note, tags, watch, term_years: termYears, current } = data
  const { available, status, price, checked_at: at } = current
  const line = [
    `${domain}: ${available ? `available ${priceText(price, termYears)}` : status} at ${at}`,
    `name ${JSON.stringify(name)}`,
    ...(note === null ? [] : [`note ${JSON.stringify(shorten(note, LINE_NOTE))}`]),
    ...(tags.length === 0 ? [] : [`tags ${JSON.stringify(tags)}`]),
    ...(watch ? ['watched'] : []),
  ].join(', ')
  return { data, line }
}
