/** GET /v1/tlds */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { successOf } from '../../wire/texts.ts'
import { TldAnswer, TldQuery, tldsOf } from '../tlds.ts'

export function tldRoutes(app: FastifyInstance, ctx: Context): void {
  app.get<{ Querystring: TldQuery }>(
    '/v1/tlds',
    {
      schema: { summary: 'Get the suffix catalogue', querystring: TldQuery, response: { 200: TldAnswer } },
    },
    async (request, reply) => {
      return reply.send(successOf(JSON.stringify(tldsOf(ctx.prices, request.query, ctx.now()))))
    },
  )
}
