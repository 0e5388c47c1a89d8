/**
 * POST /v1/batches: accepts many generate requests as one batch.
 *
 * Each request is read by itself: beside valid ones a wrong one becomes an item with an error. A list without one valid
 * request refuses the whole batch, so that nothing that costs nothing is stored.
 *
 * One commit reserves the quota of all items, writes the batch and enqueues its first chunks. So a caller with a
 * success response has a batch that will be processed, and any other caller has no batch and is charged nothing.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Ask } from '../../http/ask.ts'
import { answer, type App } from '../../http/route.ts'
import { ApiError, type FieldError } from '../../model/errors.ts'
import type { ItemError, NewBatch, NewChunk } from './batch.ts'
import { ITEM_BYTES } from './batches.ts'
import { shown } from './shown.ts'

/** This long after a batch started, and repeatedly until it has ended, a job checks its progress. */
export const CHECK_AFTER_MS = 600_000

/** One job per chunk: large enough that claiming it costs little, small enough that a worker that dies loses little. */
const CHUNK_SIZE = 100

// Many requests can be wrong in the same way, and the errors of each are stored.
const MAX_FIELDS = 5
const MAX_TEXT_LENGTH = 100
const MAX_PROBLEMS = 20
// Explaining an error costs a hundred times as much as detecting it. Beyond this many the error has no details.
const MAX_EXPLAINED = 100

/** The most suggestions of all items, and the domains that they have checked. */
export interface Cost {
  readonly units: number
  readonly checks: number
}

/**
 * Returns what a request can cost. Fails with what is wrong with it or, if that is not to be explained, with a bare
 * invalid_request.
 */
type CostOf = (request: unknown, isExplained: boolean) => Cost

export async function readRequests(
  requests: readonly unknown[],
  costOf: CostOf,
): Promise<Pick<NewBatch, 'chunks' | 'wrong'> & Cost> {
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

/** Fails with quota_exceeded, checks_exceeded and storage_limit. */
export async function acceptBatch(ask: Ask, app: App, { units, checks, ...batch }: NewBatch & Cost) {
  const { caller } = ask
  const { accountId: account } = caller
  if (checks > 0) await app.quota.takeChecks(caller, checks)
  await app.batches.takeBytes(caller, bytesOf(batch))
  const accept = () =>
    ask.transaction(async (tx) => {
      // First, so that no large write is rolled back. A refusal has closed blocks on the way, which is kept.
      const block = await app.quota.reserveBlock(tx, caller, units, app.batches.keptUntil())
      if (block instanceof ApiError) return block
      const { row, statements, queued } = app.batches.accept(caller, batch, block)
      for (const statement of statements) await tx.run(statement)
      const priority = await app.batches.priorityOf(tx, { account, batchId: row.id, n: 0 })
      const jobs = queued.map((n) => ({ data: { batch_id: row.id, n }, priority: priority - n }))
      await tx.run(app.jobs.enqueuing('batch', [...jobs, { data: { batch_id: row.id }, afterMs: CHECK_AFTER_MS }]))
      return answer(202, { batch: shown(row) }, [], { location: `/v1/batches/${row.id}` })
    })
  try {
    return await accept()
  } catch (error) {
    const isRefused = error instanceof ApiError && error.code === 'quota_exceeded'
    if (!isRefused || !(await app.quota.settleLostCommits(account))) throw error
    return accept()
  }
}

/** What it stores when it is accepted. Results are counted as they come. */
function bytesOf({ chunks, wrong }: Pick<NewBatch, 'chunks' | 'wrong'>): number {
  const texts = [...chunks.map(({ requests }) => requests), JSON.stringify(wrong)]
  const items = chunks.reduce((sum, { size }) => sum + size, 0)
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), items * ITEM_BYTES)
}
