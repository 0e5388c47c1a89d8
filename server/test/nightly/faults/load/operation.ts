/**
 * One operation as a careful caller does it: the same request with the same Idempotency-Key until it succeeds, is
 * refused for good, or the caller's patience ends.
 *
 * Between attempts it waits a random time out of a growing span, so that callers who failed together do not come back
 * together, and at least as long as `Retry-After` says.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attempted, Begun, Ended, Line } from './log.ts'

export interface Request {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly secret: string
  readonly body?: string
  readonly idempotencyKey?: string
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Fails where no answer comes in time. */
export type Send = (request: Request, timeoutMs: number) => Promise<Reply>

export interface Patience {
  /** For the whole operation, from when it was due. */
  readonly budgetMs: number
  readonly attemptMs: number
  /** Without it only time ends an operation. */
  readonly mostAttempts?: number
}

export const USUAL_PATIENCE: Patience = { budgetMs: 30_000, attemptMs: 8_000 }

const FIRST_SPAN_MS = 100
const MAX_SPAN_MS = 2_000
/** Refusals that pass by themselves; `quota_exceeded` does not before the day is over. */
const PASSING = new Set(['request_timeout', 'idempotency_in_progress', 'rate_limited'])

export async function operate(
  begun: Begun,
  request: Request,
  { send, write, patience }: { send: Send; write: (line: Line) => void; patience: Patience },
): Promise<Ended> {
  const endsAt = begun.intended + patience.budgetMs
  for (let attempts = 1; ; attempts++) {
    const left = endsAt - Date.now()
    const attempt = await tryOnce(begun, request, send, Math.max(1, Math.min(patience.attemptMs, left)))
    write(attempt.line)
    const { status, code, retryAfter = 0 } = attempt.line
    const waitMs = Math.max(retryAfter * 1000, Math.random() * spanAfter(attempts))
    const verdict = isSuccess(status)
      ? 'done'
      : !mayPass(status, code)
        ? 'refused'
        : Date.now() + waitMs >= endsAt || attempts === patience.mostAttempts
          ? 'given_up'
          : undefined
    if (verdict !== undefined) {
      const ended: Ended = {
        is: 'end',
        op: begun.op,
        ended: attempt.line.ended,
        end: verdict,
        attempts,
        status,
        ...(code === undefined ? {} : { code }),
        ...(attempt.line.hash === undefined ? {} : { hash: attempt.line.hash }),
        ...(verdict === 'done' && begun.kind === 'generate' ? { suggestions: attempt.suggestions } : {}),
      }
      write(ended)
      return ended
    }
    await sleep(waitMs)
  }
}

/** Asks for what is done already, and notes what came: it must be the same text. */
export async function askAgain(begun: Begun, request: Request, send: Send, write: (line: Line) => void): Promise<void> {
  const { line } = await tryOnce(begun, request, send, USUAL_PATIENCE.attemptMs)
  write({ ...line, again: true })
}

async function tryOnce(
  begun: Begun,
  request: Request,
  send: Send,
  timeoutMs: number,
): Promise<{ line: Attempted; suggestions: number }> {
  const sent = Date.now()
  const base = { is: 'attempt', op: begun.op, sent } as const
  try {
    const reply = await send(request, timeoutMs)
    const ended = Date.now()
    const isWrite = request.method === 'POST' && isSuccess(reply.status)
    const code = isSuccess(reply.status) ? undefined : codeIn(reply.text)
    const requestId = headerOf(reply, 'x-request-id')
    const retryAfter = Number(headerOf(reply, 'retry-after'))
    return {
      suggestions: isWrite && begun.kind === 'generate' ? suggestionsIn(reply.text) : 0,
      line: {
        ...base,
        ended,
        status: reply.status,
        ...(code === undefined ? {} : { code }),
        ...(requestId === undefined ? {} : { requestId }),
        ...(retryAfter > 0 ? { retryAfter } : {}),
        ...(isWrite ? { hash: hashOf(reply.text) } : {}),
      },
    }
  } catch (error) {
    return { suggestions: 0, line: { ...base, ended: Date.now(), status: 0, code: reasonOf(error) } }
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function mayPass(status: number, code: string | undefined): boolean {
  return status === 0 || status >= 500 || (code !== undefined && PASSING.has(code))
}

function spanAfter(attempts: number): number {
  return Math.min(MAX_SPAN_MS, FIRST_SPAN_MS * 2 ** attempts)
}

function headerOf({ headers }: Reply, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** What a proxy answers by itself is a page. */
function codeIn(text: string): string {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code ?? 'no_code'
  } catch {
    return 'not_json'
  }
}

function suggestionsIn(text: string): number {
  return (JSON.parse(text) as { data: { suggestions: unknown[] } }).data.suggestions.length
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : error.name
}
