/** Maps errors from outside our own code (the framework's refusals, malformed HTTP) to ApiErrors. */
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { planLimitOf } from '../platform/db/plan-limit.ts'
import { ApiError, ERRORS } from '../model/errors.ts'
import type { ErrorCode } from '../model/errors.ts'
import type { Logger } from '../platform/log.ts'
import { BODY_LIMIT } from './validate.ts'
import type { ErrorAnswer } from './problem.ts'

export function apiErrorOf(error: unknown, bodyLimit: number = BODY_LIMIT): ApiError {
  if (error instanceof ApiError) return error
  const beyondPlan = planLimitOf(error)
  if (beyondPlan) return beyondPlan
  switch (codeOf(error)) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('body_too_large', { params: { limit: sizeText(bodyLimit) } })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    // Content-Type is required only for the method QUERY (RFC 10008 §2).
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

function sizeText(bytes: number): string {
  const kib = bytes / 1024
  return kib % 1024 === 0 ? `${kib / 1024} MiB` : `${kib} KiB`
}

/** Returns the error for the caller. Details for the operator go to the log. */
export function noteFault(log: Logger, error: unknown, request: FastifyRequest, reply: FastifyReply): ApiError {
  const known = apiErrorOf(error, request.routeOptions?.bodyLimit)
  // Work that was stopped because the caller disconnected: nothing failed, and no response can be sent.
  const isGone = reply.raw.destroyed || reply.raw.socket?.writable === false
  const isHangUp = isGone && error instanceof Error && error.name === 'AbortError'
  if (known.code === 'internal' && !isHangUp)
    log.error({ err: error, request_id: request.id, route: request.routeOptions?.url }, 'request failed')
  else if (known.code === 'unavailable' || known.code === 'storage_full')
    log.warn({ err: known.cause, request_id: request.id }, 'dependency unavailable')
  return known
}

/** The parser failed before there was a request, so the response is written straight to the socket. */
export function answerClientError(error: Error, socket: Socket, answerOf: (code: ErrorCode) => ErrorAnswer): void {
  // Only parser errors can be answered. A broken handshake or connection gets no response.
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
