/**
 * POST /mcp: the Model Context Protocol, for agents. One message in, one JSON response out; it is stateless.
 *
 *   own address → token for /mcp, rate → body (size, depth, JSON) → one message → scope → which revision → tool → response
 *
 * Up to the body an error is one of ours, with its HTTP status; from there on it is one of the protocol. A tool that
 * fails responds with 200 and reports the error in its result. GET and DELETE have no route, because there is no stream
 * to open and no session to end: they get 405.
 */
import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { ErrorCode } from '../../model/errors.ts'
import { kindOf } from '../../model/credential-text.ts'
import { requireScope, sessionOf } from '../auth.ts'
import type { RouteContext } from '../route-context.ts'
import { apiErrorOf } from '../faults.ts'
import type { ErrorAnswer } from '../wire/schemas.ts'
import type { Tool, ToolCall } from './tool.ts'

// The protocol removed JSON-RPC batches in 2025, and a batch would count as one request for the rate limit.
const Message = Type.Object({}, { description: 'One JSON-RPC message.' })

/** The JSON-RPC 2.0 §5.1 codes for errors in a body. */
const RPC_CODES: Partial<Record<ErrorCode, number>> = {
  invalid_json: -32_700,
  body_too_deep: -32_600,
  invalid_request: -32_600,
}

export interface McpParts {
  readonly routeContext: RouteContext
  readonly version: string
  /** In the order agents see them. */
  readonly tools: readonly Tool[]
}

export function mcpRoute(app: FastifyInstance, ctx: Context, { routeContext, version, tools }: McpParts): void {
  app.post<{ Body: Record<string, unknown> }>(
    '/mcp',
    {
      // The tool is named in the body, so every call counts as the most expensive one.
      config: { ownAddress: true, pool: 'naming' },
      schema: { body: Message },
      errorHandler(error, request, reply) {
        const known = apiErrorOf(error)
        const code = RPC_CODES[known.code]
        // The next error handler is the one of all routes.
        if (code === undefined) throw error
        const language = routeContext.languageOf(request)
        const { status, headers, body } = routeContext.answerOf(known, {
          language,
          requestId: request.id,
          accept: undefined,
        })
        const { error: data } = JSON.parse(body) as Static<typeof ErrorAnswer>
        const message = [data.message, ...(data.hint === undefined ? [] : [data.hint])].join(' ')
        reply
          .code(status)
          .headers(headers)
          .send(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message, data } }))
      },
    },
    async (request, reply) => {
      const session = sessionOf(request)
      // An application can get more scopes if a 403 asks for them (authorization, "Runtime Insufficient Scope Errors").
      // An API key cannot, so the tool reports the missing scope to the agent.
      const scope = scopeOfCall(tools, request.body)
      if (scope && isOfApplication(request.headers.authorization)) requireScope(session.caller, scope)
      const { caller } = session
      const visit: ToolCall = {
        ctx,
        routeContext,
        caller,
        requireScope: (needed) => requireScope(caller, needed),
        takeChecks: (domains) => ctx.quota.takeChecks(caller, domains),
        onFault(tool, error, code) {
          const about = { err: error, request_id: request.id, tool }
          if (code === 'internal') ctx.log.error(about, 'request failed')
          else if (code === 'unavailable') ctx.log.warn(about, 'dependency unavailable')
        },
        service: { ctx, routeContext, session, ip: request.ip },
        requestId: request.id,
        acceptLanguage: request.headers['accept-language'],
        signal: routeContext.disconnectSignalOf(reply),
      }
      // Imported with the first message, because its libraries would add a tenth to every start.
      const { serve } = await import('./serve.ts')
      const answer = await serve(visit, { headers: request.headers, message: request.body, version, tools })
      reply.code(answer.status).header('Cache-Control', 'no-store')
      const type = answer.headers.get('content-type')
      // A notification gets an empty response.
      if (type === null) return reply.removeHeader('Content-Type').send()
      return reply.type(type).send(await answer.text())
    },
  )
}

function scopeOfCall(tools: readonly Tool[], { method, params }: Record<string, unknown>) {
  if (method !== 'tools/call') return undefined
  const { name: called, arguments: args } = (params ?? {}) as { name?: unknown; arguments?: unknown }
  return tools.find(({ name }) => name === called)?.scopeOf(args)
}

function isOfApplication(authorization = ''): boolean {
  return kindOf(authorization.split(' ').at(-1) ?? '') === 'nwa'
}
