/**
 * Reads the requests of a batch, each by itself: beside valid ones a wrong one becomes an error of its own. A list
 * without one valid request refuses the whole batch, so that nothing that costs nothing is stored.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { ItemError, NewChunk } from './batch.ts'
import { ApiError } from '../../model/errors.ts'
import type { FieldError } from '../../model/errors.ts'

/** One job per chunk: large enough that claiming it costs little, small enough that a worker that dies loses little. */
const CHUNK_SIZE = 100

// Many requests can be wrong in the same way, and the errors of each are stored.
const MAX_FIELDS = 5
const MAX_TEXT_LENGTH = 100
const MAX_PROBLEMS = 20
// Explaining an error costs a hundred times as much as detecting it. Beyond this many the error has no details.
const MAX_EXPLAINED = 100

export interface ReadRequests {
  readonly chunks: readonly NewChunk[]
  readonly wrong: readonly { readonly n: number; readonly error: ItemError }[]
  /** The most suggestions of all items, and the domains that they have checked. */
  readonly units: number
  readonly checks: number
}

/**
 * Returns what a request can cost. Fails with what is wrong with it or, if that is not to be explained, with a bare
 * invalid_request.
 */
export type CostOf = (request: unknown, isExplained: boolean) => Pick<ReadRequests, 'units' | 'checks'>

export async function readRequests(requests: readonly unknown[], costOf: CostOf): Promise<ReadRequests> {
  const wrong: { n: number; error: ItemError }[] = []
  const texts: string[] = []
  let [units, checks] = [0, 0]
  for (const [n, request] of requests.entries()) {
    const isExplained = wrong.length < MAX_EXPLAINED
    try {
      const cost = costOf(request, isExplained)
      units += cost.units
      checks += cost.checks
      texts.push(JSON.stringify(request))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      wrong.push({ n, error: errorOf(error) })
      texts.push('null')
      // An explanation takes milliseconds, so other requests of the node get a turn in between.
      if (isExplained) await turn()
    }
  }
  if (wrong.length === requests.length) {
    const fields = wrong.flatMap(({ n, error }) =>
      (error.fields ?? []).map((field) => ({ ...field, pointer: `/requests/${n}${field.pointer}` })),
    )
    throw new ApiError('invalid_request', { fields: fields.slice(0, MAX_PROBLEMS) })
  }
  const chunks: NewChunk[] = []
  for (let from = 0; from < texts.length; from += CHUNK_SIZE) {
    const some = texts.slice(from, from + CHUNK_SIZE)
    const wrongHere = wrong.filter(({ n }) => n >= from && n < from + CHUNK_SIZE).length
    chunks.push({ size: some.length, requests: `[${some.join()}]`, wrong: wrongHere })
  }
  return { chunks, wrong, units, checks }
}

function errorOf({ code, detail }: ApiError): ItemError {
  const { fields, params } = detail
  return {
    code,
    ...(params ? { params } : {}),
    ...(fields ? { fields: fields.slice(0, MAX_FIELDS).map(shortened) } : {}),
  }
}

function shortened({ pointer, code, params }: FieldError): FieldError {
  const short = Object.entries(params ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? cut(value) : value,
  ])
  return { pointer: cut(pointer), code, ...(params ? { params: Object.fromEntries(short) as typeof params } : {}) }
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`
}
