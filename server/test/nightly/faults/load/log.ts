/**
 * What the callers saw, as lines of JSON that are only ever added: before an operation is first sent, after each
 * attempt, and at its end. Times are milliseconds since 1970, of the one process that calls.
 *
 * An operation without an end was under way when its caller stopped: it may have happened or not.
 */
import { readFile } from 'node:fs/promises'

export type Kind = 'generate' | 'favorite' | 'read'

export interface Begun {
  readonly is: 'begin'
  readonly op: number
  readonly kind: Kind
  readonly account: string
  readonly key: string
  /** When it was due, whether or not it could be sent then. */
  readonly intended: number
  /** Absent where nothing is written. */
  readonly idempotencyKey?: string
  /** By which its effect is found again: the description of a generation, the domain of a favorite. */
  readonly mark?: string
}

export interface Attempted {
  readonly is: 'attempt'
  readonly op: number
  readonly sent: number
  readonly ended: number
  /** 0 where no answer came. */
  readonly status: number
  /** The error code of the service, or of the connection. */
  readonly code?: string
  readonly requestId?: string
  /** Seconds, from Retry-After. */
  readonly retryAfter?: number
  /** Sent once more, after the end, to get the same response again. */
  readonly again?: true
  /** Of the body of a success that has an effect. */
  readonly hash?: string
}

/** `refused`: the service said no and meant it. `given_up`: the caller's patience ended first. */
export type End = 'done' | 'refused' | 'given_up'

export interface Ended {
  readonly is: 'end'
  readonly op: number
  readonly ended: number
  readonly end: End
  readonly attempts: number
  readonly status: number
  readonly code?: string
  readonly hash?: string
  /** How many names a generation answered. */
  readonly suggestions?: number
}

export type Line = Begun | Attempted | Ended

/** One operation with all that was written of it. */
export interface Operation extends Omit<Begun, 'is'> {
  readonly attempts: readonly Attempted[]
  readonly end: Ended | undefined
}

export async function readLog(path: string): Promise<Operation[]> {
  return operationsOf(linesOf(await readFile(path, 'utf8')))
}

/** The last line may be half a line, of a process that was killed. */
export function linesOf(text: string): Line[] {
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

export function operationsOf(lines: readonly Line[]): Operation[] {
  const found = new Map<number, Begun & { attempts: Attempted[]; end: Ended | undefined }>()
  for (const line of lines) {
    const known = found.get(line.op)
    if (line.is === 'begin') found.set(line.op, { ...line, attempts: [], end: undefined })
    else if (line.is === 'attempt') known?.attempts.push(line)
    else if (known) known.end = line
  }
  return [...found.values()]
}
