/** saved: GET and POST /v1/favorites for agents. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { shown } from './favorite.ts'
import { addFavorite } from './routes.ts'
import { favoritesLike } from './rows.ts'
import { FavoriteBody, FavoriteQuery, type Favorite } from './schemas.ts'
import { ofAccount } from '../../platform/db/db.ts'
import { closed } from '../../http/wire/schemas.ts'
import { cutPage } from '../../http/page.ts'
import { createCheck } from '../../http/validate.ts'
import { countFitting, shorten } from '../../http/mcp/output-limit.ts'
import { performTool } from '../../http/mcp/perform-tool.ts'
import { defineTool } from '../../http/mcp/tool.ts'
import type { Call, ToolAnswer } from '../../http/mcp/tool.ts'

const LINE_NOTE = 100

const Query = Type.Object(Type.Omit(FavoriteQuery, ['changed_since']).properties, closed)
const { domain, name, note, tags } = FavoriteBody.properties
const { q, tag, watch, limit, cursor } = Query.properties
const checkAdd = createCheck(FavoriteBody, { query: false })
const checkList = createCheck(Query, { query: false })

export const savedTool = defineTool({
  name: 'saved',
  description:
    'The saved domains (favorites, shortlist) of this account. ' +
    'list: newest first, with state and price when saved and now known. add: saves one domain; it registers and buys nothing, and changes nothing if it is saved already. Uses no quota.',
  annotations: { destructiveHint: false, idempotentHint: true },
  scopes: ['favorites:read', 'favorites:write'],
  scopeOf: ({ action }) => (action === 'add' ? 'favorites:write' : 'favorites:read'),
  input: Type.Object(
    {
      action: Type.Optional(Type.Enum(['list', 'add'])),
      domain: Type.Optional(domain),
      name,
      note,
      tags,
      watch,
      q,
      tag,
      limit,
      cursor,
    },
    closed,
  ),
  about: {
    action: 'Default list.',
    domain: 'add: mayfly.com.',
    name: 'add: the name behind it.',
    note: 'add: a note of the user.',
    tags: 'add: tags.',
    watch: 'add: check it regularly and report changes. list: only such.',
    q: 'list: only with this text.',
    tag: 'list: only with this tag.',
    limit: 'list: at most so many.',
    cursor: 'list: `next_cursor` of the page before.',
  },
  answer: ({ action, ...args }, call) => (action === 'add' ? add(args, call) : list(args, call)),
})

async function list(args: object, call: Call): Promise<ToolAnswer> {
  const { ctx, routeContext, session } = serviceOf(call)
  const { limit: most, cursor: after, ...filter } = checkList(args) as Static<typeof Query>
  const account = session.caller.accountId
  const page = cutPage(routeContext, { list: 'mcp favorites', account, filter, limit: most, cursor: after })
  const [{ rows }] = await ctx.db.read(account, [ofAccount(account, favoritesLike(filter, page.window))])
  const items = rows.map((row) => itemOf(shown(row, ctx.prices)))
  const { shown: first, next } = page.cut(rows, most ?? Math.min(page.window.limit, countFitting(items)))
  const found = items.slice(0, first.length)
  const lines = found.length === 0 ? ['none'] : found.map(({ line }) => line)
  return {
    data: { favorites: found.map(({ data }) => data), next_cursor: next },
    text: [...lines, ...(next === null ? [] : [`next_cursor: ${next}`])].join('\n'),
  }
}

async function add(args: object, call: Call): Promise<ToolAnswer> {
  const { data: saved, status } = await performTool(addFavorite, checkAdd(args), call)
  const { data, line } = itemOf(saved.favorite)
  const created = status === 201
  return { data: { favorite: data, created }, text: `${created ? 'saved' : 'already saved'}: ${line}` }
}

function serviceOf({ service }: Call): NonNullable<Call['service']> {
  if (!service) throw new Error('saved domains belong to an account of a service')
  return service
}

/** Without the id, because no tool takes the id of a favorite. */
function itemOf(favorite: Favorite) {
  const { id: _, ...data } = favorite
  const { saved, current, term_years: termYears } = data
  const years = termYears > 1 ? ` (${termYears} years minimum)` : ''
  const seen = ({ status, price, checked_at: at }: Favorite['saved']) => `${status}, ${price}${years} at ${at}`
  const line = [
    `${data.domain}: ${seen(current)}`,
    ...(saved.checked_at === current.checked_at ? [] : [`when saved: ${seen(saved)}`]),
    `name ${JSON.stringify(data.name)}`,
    ...(data.note === null ? [] : [`note ${JSON.stringify(shorten(data.note, LINE_NOTE))}`]),
    ...(data.tags.length === 0 ? [] : [`tags ${JSON.stringify(data.tags)}`]),
    ...(data.watch ? ['watched'] : []),
  ].join(', ')
  return { data, line }
}
