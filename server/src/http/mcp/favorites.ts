/** list_favorites and add_favorite: GET and POST /v1/favorites for agents. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { addFavorite } from '../../add-favorite.ts'
import type { FavoriteRow } from '../../favorites/favorites.ts'
import { cutPage } from '../page.ts'
import { parseWish } from '../routes/favorites.ts'
import { closed, FavoriteBody, FavoriteOne, FavoritePage, FavoriteQuery } from '../../wire/schemas.ts'
import { favoriteText } from '../../wire/texts.ts'
import { countFitting, shorten } from './room.ts'
import { defineTool } from './tool.ts'

const LINE_NOTE = 100

// No tool takes the id of a favorite.
const Favorite = Type.Omit(FavoriteOne.properties.data.properties.favorite, ['id'], closed)
type Favorite = Static<typeof Favorite>

export const listFavoritesTool = defineTool({
  name: 'list_favorites',
  title: 'List saved domains',
  description:
    'Lists the domains that were saved in this account, newest first: its favorites, with note, tags and whether each is watched. ' +
    'Use it when somebody asks which domains they have saved or bookmarked, which are being watched, what is on their shortlist, ' +
    'or says to show or list their favorites. ' +
    '`saved` is what was known when a domain was added and `current` what was found out last, each with its `checked_at`; ' +
    'for what is true this minute use check_domains. ' +
    '`next_cursor`, given as `cursor`, brings the next page; null is the end. Costs none of the budget.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  scope: 'favorites:read',
  input: FavoriteQuery,
  about: {
    limit: 'How many at once. Default: as many as make a short answer, at most 20.',
    cursor: '`next_cursor` of the page before, with the same other arguments.',
    q: 'Only those with this in domain, name or note.',
    tag: 'Only those with this tag.',
    watch: 'true: only watched ones; false: only others.',
    changed_since:
      'Only watched ones whose availability or price has changed after this moment, such as 2026-01-31T00:00:00Z.',
  },
  output: Type.Object(
    { favorites: Type.Array(Favorite), next_cursor: FavoritePage.properties.data.properties.next_cursor },
    closed,
  ),
  async answer({ limit, cursor, ...filter }, { ctx, doors, session }) {
    const account = session.caller.accountId
    const page = cutPage(doors, { list: 'mcp favorites', account, filter, limit, cursor })
    const rows = await ctx.favorites.list(account, filter, page.window)
    const items = rows.map((row) => itemOf(row))
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
    'Adds one domain, such as example.com, to the favorites of this account, with what is known of it now. ' +
    'Use it when somebody says to save, keep, bookmark or remember a domain, to put it on the shortlist, to note something about it, or to watch it. ' +
    'It does not register, reserve or buy anything. ' +
    'A domain that is there already stays as it is, and `created` is false. Costs none of the budget.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  scope: 'favorites:write',
  input: FavoriteBody,
  about: {
    domain: 'The whole domain with its suffix, such as mayfly.com.',
    name: 'The name it stands for, as people write it: Mayfly. Default: made from the domain.',
    note: 'What the person wants to remember about it.',
    tags: 'Words to find it by.',
    watch: 'true: look again from time to time and report changes. Default false.',
  },
  output: Type.Object({ favorite: Favorite, created: Type.Boolean() }, closed),
  async answer(args, { ctx, session, signal }) {
    const wish = parseWish(ctx, args)
    let kept: { row: FavoriteRow; created: boolean } | undefined
    const note = (row: FavoriteRow, created: boolean) => {
      kept = { row, created }
      return []
    }
    await addFavorite(ctx, session.caller, wish, note, signal)
    if (!kept) throw new Error(`${wish.domain} was added and not shown`)
    const { data, line } = itemOf(kept.row)
    return {
      data: { favorite: data, created: kept.created },
      text: `${kept.created ? 'saved' : 'saved already'}: ${line}`,
    }
  },
})

function itemOf(row: FavoriteRow): { data: Favorite; line: string } {
  const { id: _, ...data } = JSON.parse(favoriteText(row)) as Favorite & { id: string }
  const { domain, name, note, tags, watch, current } = data
  const { available, price, checked_at: at } = current
  const line = [
    `${domain}: ${available ? `available ${price}` : 'not available'} at ${at}`,
    `name ${JSON.stringify(name)}`,
    ...(note === null ? [] : [`note ${JSON.stringify(shorten(note, LINE_NOTE))}`]),
    ...(tags.length === 0 ? [] : [`tags ${JSON.stringify(tags)}`]),
    ...(watch ? ['watched'] : []),
  ].join(', ')
  return { data, line }
}
