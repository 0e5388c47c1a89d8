/** POST, GET, PATCH and DELETE /v1/favorites, and the changes of a watched favorite. */
import { domainToUnicode } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { addFavorite } from '../../flows/add-favorite.ts'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { FavoriteRow } from '../../library/favorites/favorites.ts'
import { behindLabel, findDomain } from '../../model/domain.ts'
import { isUuid } from '../../model/id.ts'
import { sessionOf } from '../auth.ts'
import type { RouteContext } from '../route-context.ts'
import { answerOnce } from '../once.ts'
import { pageOf } from '../page.ts'
import {
  ById,
  ChangesQuery,
  FavoriteBody,
  FavoriteChange,
  FavoriteChangePage,
  FavoriteOne,
  FavoritePage,
  FavoriteQuery,
  NoContent,
} from '../../wire/schemas.ts'
import { changeText, favoriteText, successOf } from '../../wire/texts.ts'

export function favoriteRoutes(app: FastifyInstance, ctx: Context, routeContext: RouteContext): void {
  app.post<{ Body: FavoriteBody }>(
    '/v1/favorites',
    {
      config: { priority: 'critical' },
      schema: {
        summary: 'Add to favorites',
        body: FavoriteBody,
        response: { 201: FavoriteOne, 200: FavoriteOne },
      },
    },
    (request, reply) => {
      const requested = parseRequest(ctx, request.body)
      return answerOnce(ctx, request, reply, { maxDurationMs: 2_500 }, async (storing) => {
        let answer = { status: 201, headers: {}, body: '' }
        const alongside = (row: FavoriteRow, created: boolean) => {
          answer = {
            status: created ? 201 : 200,
            headers: { location: `/v1/favorites/${row.id}` },
            body: successOf(`{"favorite":${favoriteText(row, ctx.prices)}}`),
          }
          return storing(answer)
        }
        await addFavorite(ctx, sessionOf(request).caller, requested, alongside, routeContext.disconnectSignalOf(reply))
        return answer
      })
    },
  )

  app.get<{ Querystring: FavoriteQuery }>(
    '/v1/favorites',
    {
      schema: { summary: 'Get the favorites list', querystring: FavoriteQuery, response: { 200: FavoritePage } },
    },
    async (request, reply) => {
      const { accountId: account } = sessionOf(request).caller
      const { limit, cursor, ...filter } = request.query
      const page = pageOf(routeContext, request, reply, { list: 'favorites', account, filter, limit, cursor })
      return page.send('favorites', await ctx.favorites.list(account, filter, page.window), (row) =>
        favoriteText(row, ctx.prices),
      )
    },
  )

  app.get<{ Params: { id: string } }>(
    '/v1/favorites/:id',
    {
      schema: { summary: 'Get one favorite', params: ById, response: { 200: FavoriteOne } },
    },
    async (request, reply) => {
      const { id } = request.params
      const row = isUuid(id) ? await ctx.favorites.find(sessionOf(request).caller.accountId, id) : undefined
      if (!row) throw new ApiError('not_found')
      return reply.send(successOf(`{"favorite":${favoriteText(row, ctx.prices)}}`))
    },
  )

  app.get<{ Params: { id: string }; Querystring: ChangesQuery }>(
    '/v1/favorites/:id/changes',
    {
      schema: {
        summary: 'List the changes of one favorite',
        params: ById,
        querystring: ChangesQuery,
        response: { 200: FavoriteChangePage },
      },
    },
    async (request, reply) => {
      const { accountId: account } = sessionOf(request).caller
      const { id } = request.params
      const { limit, cursor } = request.query
      if (!isUuid(id) || !(await ctx.favorites.find(account, id))) throw new ApiError('not_found')
      const page = pageOf(routeContext, request, reply, { list: 'changes', account, filter: { id }, limit, cursor })
      return page.send('changes', await ctx.changes.list(account, id, page.window), changeText)
    },
  )

  app.patch<{ Params: { id: string }; Body: FavoriteChange }>(
    '/v1/favorites/:id',
    {
      config: { priority: 'critical' },
      schema: { summary: 'Change one favorite', params: ById, body: FavoriteChange, response: { 200: FavoriteOne } },
    },
    async (request, reply) => {
      const { id } = request.params
      const { accountId } = sessionOf(request).caller
      const row = isUuid(id) ? await ctx.favorites.change(accountId, id, request.body) : undefined
      if (!row) throw new ApiError('not_found')
      return reply.send(successOf(`{"favorite":${favoriteText(row, ctx.prices)}}`))
    },
  )

  app.delete<{ Params: { id: string } }>(
    '/v1/favorites/:id',
    {
      config: { priority: 'critical' },
      schema: { summary: 'Delete one favorite', params: ById, response: { 204: NoContent } },
    },
    async (request, reply) => {
      const { id } = request.params
      const removed = isUuid(id) && (await ctx.favorites.remove(sessionOf(request).caller.accountId, id))
      if (!removed) throw new ApiError('not_found')
      return reply.code(204).send()
    },
  )
}

export function parseRequest(ctx: Context, body: FavoriteBody) {
  const refuse = (code: 'invalid_domain' | 'unknown_suffix', value: string) =>
    new ApiError('invalid_request', { fields: [{ pointer: '/domain', code, params: { value } }] })
  const domain = findDomain(body.domain)
  // The domain may itself be a suffix, such as co.uk, which nobody can register.
  if (!domain || ctx.prices.findSuffix(domain)) throw refuse('invalid_domain', body.domain)
  const suffix = ctx.prices.suffixOf(domain)
  if (!suffix) throw refuse('unknown_suffix', behindLabel(domain))
  const { name = readable(domain), note = null, tags = [], watch = false } = body
  return { domain, suffix, name, note, tags, watch }
}

/** The label in Unicode, as a person would write it. */
function readable(domain: string): string {
  return domainToUnicode(domain.slice(0, domain.indexOf('.')))
}
