/** A fixed number of calls by callers who each wait for their answer: for races, not for latency. */
import { openLine } from './line.ts'
import { operationsOf } from './log.ts'
import type { Begun, Line, Operation } from './log.ts'
import { operate } from './operation.ts'
import type { Patience, Request } from './operation.ts'

export interface Shot {
  readonly begun: Begun
  readonly request: Request
}

export interface Volley {
  readonly urls: readonly string[]
  readonly callers: number
  readonly patience: Patience
  /** In turn, by whoever is free; none is the end. */
  readonly next: () => Shot | undefined
}

export async function fireVolley({ urls, callers, patience, next }: Volley): Promise<Operation[]> {
  const lines: Line[] = []
  const write = (line: Line) => void lines.push(line)
  await using line = openLine(urls, callers)
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let shot = next(); shot; shot = next()) {
        write(shot.begun)
        await operate(shot.begun, shot.request, { send: line.send, write, patience })
      }
    }),
  )
  return operationsOf(lines)
}

/** A generate of one name, as the log and the wire want it. */
export function generateOnce(of: {
  readonly op: number
  readonly account: string
  readonly key: { readonly id: string; readonly secret: string }
  readonly idempotencyKey: string
  readonly mark: string
}): Shot {
  const { op, account, key, idempotencyKey, mark } = of
  const intended = Date.now()
  const begun = { is: 'begin', op, kind: 'generate', account, key: key.id, intended, idempotencyKey, mark } as const
  const body = JSON.stringify({ description: mark, count: 1 })
  const request = { method: 'POST', path: '/v1/generate', secret: key.secret, body, idempotencyKey } as const
  return { begun, request }
}
