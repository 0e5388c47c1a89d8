/**
 * Runs a chunk of a batch: each item through the same flow as a single request.
 *
 * An item ends with one commit: its history, its result, the count of its chunk and its cost, or none of it. So any
 * worker can take up a chunk again at any time: ended items are skipped, and the database accepts the same item only
 * once.
 *
 * An error of the item ends that item. An error of the service (`unavailable`, `internal`) is retried later with the
 * chunk, and ends the item only when no retries are left. A job without a chunk number checks whether its batch still
 * runs, and creates new jobs for chunks whose jobs have died.
 *
 * If the account is suspended meanwhile, items that have not begun end with `account_suspended` and cost nothing.
 */
import { CHECK_AFTER_MS } from './accept.ts'
import { requestIdOf } from './batch.ts'
import type { Chunk, ItemError } from './batch.ts'
import { createFairPlaces } from './fair-places.ts'
import type { FairPlaces } from './fair-places.ts'
import type { Context } from '../../context.ts'
import { isViolationOf } from '../../platform/db/db.ts'
import { ApiError, ERRORS } from '../../model/errors.ts'
import { generateItem } from '../generate/index.ts'
import { isNotOurs } from '../../platform/jobs/jobs.ts'
import type { Handler, Job } from '../../platform/jobs/jobs.ts'
import type { AccountId } from '../../model/caller.ts'
import { isUuid } from '../../model/id.ts'
import { perform } from '../../http/commit.ts'
import { chooseLanguage, readMessages } from '../../http/wire/language.ts'
import type { AllMessages } from '../../http/wire/language.ts'
import type { GenerateBody } from '../../http/wire/schemas.ts'

// Most of an item's time is spent waiting for registries and for the commit; computation runs in threads.
export const ITEMS_AT_ONCE = 16
// A chunk that was taken up this often crashes its workers: its remaining items end here. Twice the tries of one job.
const MAX_TAKEN = 12
const SUSPENSION_MS = 500

export function batch(ctx: Context): Handler {
  const places = createFairPlaces(ITEMS_AT_ONCE)
  const messages = readMessages()
  return async (job) => {
    const { batchId, n } = parseData(job)
    if (n === undefined) return checkAfter(ctx, job, batchId)
    await runChunk({ ctx, places, messages }, job, { account: accountOf(job), batchId, n })
  }
}

interface BatchTools {
  readonly ctx: Context
  readonly places: FairPlaces
  readonly messages: AllMessages
}

type WorkerPlace = Pick<Chunk, 'account' | 'batchId' | 'n'>

async function runChunk(tools: BatchTools, job: Job, place: WorkerPlace): Promise<void> {
  const { ctx } = tools
  const chunk = await ctx.batches.take(place)
  if (!chunk) return
  const isGivenUp = chunk.taken > MAX_TAKEN
  const isLast = job.isLast || chunk.taken >= MAX_TAKEN
  const isSuspended = createSuspensionCheck(ctx, chunk)
  const stopping = new AbortController()
  const signal = AbortSignal.any([job.signal, stopping.signal])
  const failures: unknown[] = []
  let isOver = false
  const bodies = JSON.parse(chunk.requests) as readonly (GenerateBody | null)[]
  await Promise.all(
    bodies.map(async (body, at) => {
      const item = chunk.first + at
      if (body === null || chunk.ended.has(item)) return
      try {
        // Before the item has a slot, which another account can use meanwhile.
        await ctx.namingTime.wait({ kind: 'account', id: chunk.account }, signal)
        await tools.places.runInSlot(chunk.account, signal, async () => {
          if (isGivenUp) await endItem(ctx, chunk, item, { code: 'internal' })
          else if (await isSuspended()) await endItem(ctx, chunk, item, { code: 'account_suspended' })
          else await runItem(tools, chunk, item, body, isLast, signal)
        })
      } catch (error) {
        failures.push(error)
        if (signal.aborted) return
        // The batch was canceled, deleted, or ended by another worker: the rest of the work is useless. And if the
        // database is unavailable now, the next item would fail too.
        isOver ||= !(await ctx.batches.isRunning(place).catch(() => true))
        if (isOver || isUnavailable(error)) stopping.abort(error)
      }
    }),
  )
  if (isOver) return
  job.signal.throwIfAborted()
  if (failures.length > 0) throw failures[0]
  await endChunk(ctx, job, chunk)
}

/** Queried at most twice a second, however fast the items are. */
function createSuspensionCheck(ctx: Context, chunk: Chunk): () => Promise<boolean> {
  let asked = { at: ctx.now(), answer: Promise.resolve(chunk.isSuspended) }
  return () => {
    if (ctx.now() - asked.at > SUSPENSION_MS) {
      const answer = ctx.accounts.standingOf(chunk.account).then(({ suspension }) => suspension !== undefined)
      asked = { at: ctx.now(), answer }
    }
    return asked.answer
  }
}

async function runItem(
  { ctx, messages }: BatchTools,
  chunk: Chunk,
  item: number,
  body: GenerateBody,
  isLast: boolean,
  signal: AbortSignal,
): Promise<void> {
  const language = chooseLanguage({ body: body.language, account: chunk.caller.language })
  const texts = messages.get(language)
  if (!texts) throw new Error(`no messages in ${language}`)
  const { caller } = chunk
  const use = {
    operation: `item of batch ${chunk.batchId}`,
    body,
    caller,
    language,
    messages: texts,
    signal,
    quota: ctx.quota.fromReservedBlock(chunk.block),
    async with(result: string) {
      await ctx.batches.takeBytes(caller, Buffer.byteLength(result))
      return ctx.batches.succeeding(chunk, item, result)
    },
  }
  try {
    await perform(generateItem, use, ctx)
  } catch (error) {
    if (hasEnded(error)) return
    if (signal.aborted || (isOurs(error) && !isLast)) throw error
    if (isOurs(error)) {
      const where = { request_id: requestIdOf(chunk.batchId, item), batch: chunk.batchId, item }
      ctx.log.error({ err: error, ...where }, 'batch item failed, no retries left')
    }
    await endItem(ctx, chunk, item, errorOf(error))
  }
}

async function endItem(ctx: Context, chunk: Chunk, item: number, error: ItemError): Promise<void> {
  try {
    await ctx.db.as(chunk.account, ctx.batches.failing(chunk, item, error))
  } catch (failure) {
    if (!hasEnded(failure)) throw failure
  }
}

/** The last chunk ends the batch and releases the unspent reservation. */
async function endChunk(ctx: Context, job: Job, { account, batchId, n }: Chunk): Promise<void> {
  try {
    await ctx.db.transaction(account, async (tx) => {
      const end = await ctx.batches.end(tx, { account, batchId, n })
      if (end?.completed?.block) {
        const { keyId, block } = end.completed
        for (const statement of ctx.quota.releasing({ accountId: account, keyId }, block)) await tx.run(statement)
      }
      if (end?.next !== undefined) {
        const priority = await ctx.batches.priorityOf(tx, { account, batchId, n: end.next })
        await tx.run(ctx.jobs.enqueuing('batch', [{ data: { batch_id: batchId, n: end.next }, priority }]))
      }
      await tx.run(job.finishing())
    })
  } catch (error) {
    // Another worker has the chunk and will end it.
    if (!isNotOurs(error)) throw error
  }
}

async function checkAfter(ctx: Context, job: Job, batchId: string): Promise<void> {
  const account = accountOf(job)
  await ctx.db.transaction(account, async (tx) => {
    const stalled = await ctx.batches.reviveStalled(tx, account, batchId)
    if (!stalled) return
    const again = [
      ...stalled.map((n) => ({ data: { batch_id: batchId, n } })),
      { data: { batch_id: batchId }, afterMs: CHECK_AFTER_MS },
    ]
    await tx.run(ctx.jobs.enqueuing('batch', again))
    await tx.run(job.finishing())
  })
}

/** A fault of the service, not of the caller: a retry may succeed. */
function isOurs(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code === 'internal' || isUnavailable(error)
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && ERRORS[error.code].status === 503
}

/** Another worker was faster. */
function hasEnded(error: unknown): boolean {
  return isViolationOf(error, 'batch_item_once')
}

function errorOf(error: unknown): ItemError {
  if (!(error instanceof ApiError)) return { code: 'internal' }
  const { fields, params } = error.detail
  return { code: error.code, ...(fields ? { fields } : {}), ...(params ? { params } : {}) }
}

function accountOf({ account }: Job): AccountId {
  if (account === undefined) throw new Error('a batch belongs to an account')
  return account
}

function parseData({ data }: Job): { batchId: string; n: number | undefined } {
  const { batch_id: batchId, n } = data as { batch_id?: unknown; n?: unknown }
  if (typeof batchId !== 'string' || !isUuid(batchId)) throw new Error('a job without a batch')
  return { batchId, n: typeof n === 'number' ? n : undefined }
}
