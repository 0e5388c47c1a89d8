/** What went wrong outside our own code, in our own words: the framework's refusals and broken HTTP. */
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, ERRORS } from '../errors.ts'
import type { ErrorCode } from '../errors.ts'
import type { Logger } from '../log.ts'
import { BODY_LIMIT } from './body.ts'
import type { ErrorAnswer } from './problem.ts'

export function apiErrorOf(error: unknown, bodyLimit: number = BODY_LIMIT): ApiError {
  if (error instanceof ApiError) return error
  switch (codeOf(error)) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('body_too_large', { params: { limit: `${bodyLimit / 1024} KiB` } })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    // QUERY is the one method that must not come without it (RFC 10008 §2).
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return new ApiError('unsupported_media_type')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
    case 'ECONNRESET':
      return new ApiError('malformed_http')
    default:
      return new ApiError('internal', { cause: error })
  }
}

/** What a caller is told of it; what only the operator should know goes to the log. */
export function noteFault(log: Logger, error: unknown, request: FastifyRequest, reply: FastifyReply): ApiError {
  const known = apiErrorOf(error, request.routeOptions?.bodyLimit)
  // Work that was stopped because the caller has gone: nothing failed, and nobody is there to be told.
  const isHangUp = reply.raw.destroyed && error instanceof Error && error.name === 'AbortError'
  if (known.code === 'internal' && !isHangUp)
    log.error({ err: error, request_id: request.id, route: request.routeOptions?.url }, 'failed')
  else if (known.code === 'unavailable' || known.code === 'storage_full')
    log.warn({ err: known.cause, request_id: request.id }, 'a dependency is away')
  return known
}

/** The parser gave up before there was a request; what can still be said goes straight to the socket. */
export function answerClientError(error: Error, socket: Socket, answerOf: (code: ErrorCode) => ErrorAnswer): void {
  // Only the parser's own complaints can be answered; to a broken handshake or connection nothing can be said.
  if (!/^(HPE|ERR_HTTP)_/.test(codeOf(error)) || !socket.writable) {
    socket.destroy()
    return
  }
  const code = faultOf(codeOf(error))
  const { headers, body } = answerOf(code)
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${ERRORS[code].status} ${code}\r\n${head}\r\n${body}`)
}

function faultOf(code: string): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_http'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
