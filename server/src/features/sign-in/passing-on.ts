/**
 * Forwards a request to the sign-in server and returns its response.
 *
 * The forwarded request is built anew. Its path is the one in our list of endpoints, never the one the caller wrote,
 * because a URL has many spellings and two parsers may disagree.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { headersOf } from '../../http/settings/session-auth.ts'
import { AUTH_PATH } from './people.ts'

/** The fields of a body that is forwarded unparsed. A repeated field is an array. Fails with invalid_json. */
export function formOf(request: FastifyRequest): ReadonlyMap<string, unknown> {
  if (typeof request.body !== 'string') return new Map()
  const text = request.body.replace(/^\uFEFF/, '')
  // PostgreSQL cannot store NUL, so no stored value can match.
  if (/\0|\\u0000|%00/.test(text)) throw new ApiError('invalid_json')
  if (/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) return fieldsOf(text)
  const body = parse(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError('invalid_json')
  return new Map(Object.entries(body))
}

function parse(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return undefined
  }
}

export function fieldsOf(form: string): ReadonlyMap<string, unknown> {
  const fields = new URLSearchParams(form)
  return new Map(
    [...new Set(fields.keys())].map((name) => {
      const values = fields.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}

/** The query string as it was written. The rest of the URL comes from our list of endpoints. */
export function queryOf(request: FastifyRequest): string {
  const at = request.url.indexOf('?')
  const query = at < 0 ? '' : request.url.slice(at + 1)
  if (/%00/.test(query)) throw new ApiError('invalid_request')
  return query
}

/** `path`: from our list of endpoints, with its parameter filled in. */
export function passedOn(ctx: Context, request: FastifyRequest, path: string, changed?: Changed): Request {
  const { query = queryOf(request), body = request.body } = changed ?? {}
  return new Request(`${ctx.publicUrl}${AUTH_PATH}${path}${query === '' ? '' : `?${query}`}`, {
    method: request.method,
    headers: headersOf(request),
    ...(request.method === 'GET' ? {} : { body: typeof body === 'string' ? body : '' }),
  })
}

/** Replacements for what the caller sent. */
interface Changed {
  readonly query?: string
  readonly body?: string
}

/** Removes the session token from the body. It belongs only in the cookie, where no script can read it. */
export async function withoutToken(response: Response): Promise<Response> {
  const text = response.headers.get('content-type')?.includes('json') ? await response.clone().text() : ''
  if (text === '') return response
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return Response.json(shownOf(JSON.parse(text)), { status: response.status, headers })
}

function shownOf(said: unknown): unknown {
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return said
  const { token: _token, ...rest } = said as Record<string, unknown>
  return 'session' in rest ? { ...rest, session: shownOf(rest['session']) } : rest
}

/** Sends the response unchanged and uncached. Cookies are copied separately, because there may be several. */
export async function answer(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  reply.code(response.status).header('Cache-Control', 'no-store')
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie' && name !== 'content-length') reply.header(name, value)
  }
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  return reply.send(await response.text())
}
