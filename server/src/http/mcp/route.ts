/**
 * POST /mcp: the Model Context Protocol, for agents. One message in, one JSON answer out; nothing is remembered.
 *
 *   own address → token for /mcp, rate → body (size, depth, JSON) → one message → scope → which revision → tool → answer
 *
 * Up to the body a refusal is one of ours, with its HTTP status; from there on it is the protocol's. A tool that
 * refuses answers 200 and says so in its result. GET and DELETE have no route, because there is no stream to listen to
 * and no session to end: they get 405.
 */
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { ErrorCode } from '../../errors.ts'
import { kindOf } from '../../model/credential-text.ts'
import { requireScope, sessionOf } from '../auth.ts'
import type { Doors } from '../doors.ts'
import { apiErrorOf } from '../faults.ts'
import type { ErrorAnswer } from '../../wire/schemas.ts'
import { serve } from './serve.ts'
import { TOOLS } from './tools.ts'

// Batches went out of the protocol in 2025, and would be many requests at the rate of one.
const Message = Type.Object({}, { description: 'One JSON-RPC message.' })

/** What is wrong with a body, as JSON-RPC 2.0 §5.1 has it. */
const RPC_CODES: Partial<Record<ErrorCode, number>> = {
  invalid_json: -32_700,
  body_too_deep: -32_600,
  invalid_request: -32_600,
}

export function mcpRoute(app: FastifyInstance, ctx: Context, doors: Doors, version: string): void {
  app.post<{ Body: Record<string, unknown> }>(
    '/mcp',
    {
      // Which tool it is stands in the body, so all of them are counted as what costs most.
      config: { audience: 'mcp', ownAddress: true, lane: 'naming' },
      schema: { body: Message },
      errorHandler(error, request, reply) {
        const known = apiErrorOf(error)
        const code = RPC_CODES[known.code]
        // The next handler is the one of all routes.
        if (code === undefined) throw error
        const language = doors.languageOf(request)
        const { status, headers, body } = doors.answerOf(known, { language, requestId: request.id, accept: undefined })
        const { error: data } = JSON.parse(body) as Static<typeof ErrorAnswer>
        const message = `${data.message} ${data.hint ?? ''}`
        reply
          .code(status)
          .headers(headers)
          .send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, data } }))
      },
    },
    async (request, reply) => {
      const session = sessionOf(request)
      // An application can come back with more, if it is asked for by a 403 (authorization, "Runtime Insufficient Scope
      // Errors"). Whoever has a key cannot, and its agent is told by the tool.
      const tool = calledTool(request.body)
      if (tool && isOfApplication(request.headers.authorization)) requireScope(session.caller, tool.scope)
      const visit = {
        ctx,
        doors,
        session,
        requestId: request.id,
        acceptLanguage: request.headers['accept-language'],
        signal: doors.hangUpOf(reply),
      }
      const answer = await serve(visit, { headers: request.headers, message: request.body, version })
      reply.code(answer.status).header('Cache-Control', 'no-store')
      const type = answer.headers.get('content-type')
      // A notification is only acknowledged.
      if (type === null) return reply.removeHeader('Content-Type').send()
      return reply.type(type).send(await answer.text())
    },
  )
}

function calledTool({ method, params }: Record<string, unknown>) {
  if (method !== 'tools/call') return undefined
  return TOOLS.find(({ name }) => name === (params as { name?: unknown } | undefined)?.name)
}

function isOfApplication(authorization = ''): boolean {
  return kindOf(authorization.split(' ').at(-1) ?? '') === 'nwa'
}
