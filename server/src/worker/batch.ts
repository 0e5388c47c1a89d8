/**
 * A chunk of a batch: its items, each through the same flow as a request of its own.
 *
 * An item ends with one commit: its history, its result, the count of its chunk and what it cost, or none of it. So a
 * chunk can be taken up again by anybody at any time; what has ended is skipped, and what two workers do at once the
 * database lets happen once.
 *
 * What is wrong with an item is that item's end. What is wrong with us (`unavailable`, `internal`) is tried again with
 * the chunk, later, and is the item's end only when there is no later. A job without a number looks whether its batch
 * still goes on, and gives chunks whose jobs have died a new one.
 */
import { LOOK_AFTER_MS } from '../accept-batch.ts'
import type { Chunk, ItemError } from '../batches/batch.ts'
import { createFairPlaces } from '../batches/fair-places.ts'
import type { FairPlaces } from '../batches/fair-places.ts'
import type { Context } from '../context.ts'
import { isViolationOf } from '../db/db.ts'
import { ApiError, ERRORS } from '../errors.ts'
import { generate } from '../generate.ts'
import type { Generated } from '../generate.ts'
import { isNotOurs } from '../jobs/jobs.ts'
import type { Handler, Job } from '../jobs/jobs.ts'
import type { AccountId } from '../model/caller.ts'
import { isUuid } from '../model/id.ts'
import { parseAsk } from '../wire/ask.ts'
import { chooseLanguage, readMessages } from '../wire/language.ts'
import type { AllMessages } from '../wire/language.ts'
import type { GenerateBody } from '../wire/schemas.ts'
import { generatedText, suggestionsText } from '../wire/texts.ts'

// Most of an item's time is spent waiting for registries and for the commit; what computes, computes in threads.
export const ITEMS_AT_ONCE = 16
// Nobody waits for the answer, so it may take longer to look for it.
const ITEM_DEADLINE_MS = 10_000
// A chunk that was taken up so often kills its workers: what is left of it ends here. Twice what one job is tried.
const MOST_TAKEN = 12

export function batch(ctx: Context): Handler {
  const places = createFairPlaces(ITEMS_AT_ONCE)
  const reading = readMessages()
  return async (job) => {
    const { batchId, n } = parseData(job)
    if (n === undefined) return lookAfter(ctx, job, batchId)
    await runChunk({ ctx, places, messages: await reading }, job, { account: accountOf(job), batchId, n })
  }
}

interface Tools {
  readonly ctx: Context
  readonly places: FairPlaces
  readonly messages: AllMessages
}

type Place = Pick<Chunk, 'account' | 'batchId' | 'n'>

async function runChunk(tools: Tools, job: Job, place: Place): Promise<void> {
  const { ctx } = tools
  const chunk = await ctx.batches.take(place)
  if (!chunk) return
  const isGivenUp = chunk.taken > MOST_TAKEN
  const isLast = job.isLast || chunk.taken >= MOST_TAKEN
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
        await tools.places.hold(chunk.account, signal, () =>
          isGivenUp
            ? endItem(ctx, chunk, item, { code: 'internal' })
            : runItem(tools, chunk, item, body, isLast, signal),
        )
      } catch (error) {
        failures.push(error)
        if (signal.aborted) return
        // Canceled, deleted, or ended by somebody else: then nothing of it is of use any more. And what cannot be
        // written now will not be a moment later.
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

async function runItem(
  { ctx, messages }: Tools,
  chunk: Chunk,
  item: number,
  body: GenerateBody,
  isLast: boolean,
  signal: AbortSignal,
): Promise<void> {
  const language = chooseLanguage({ body: body.language, account: chunk.caller.language })
  const texts = messages.get(language)
  if (!texts) throw new Error(`no messages in ${language}`)
  try {
    const ask = parseAsk(body, {
      prices: ctx.prices,
      suffixes: ctx.config.suffixes,
      withModel: ctx.languageModel !== undefined,
      deadlineMs: ITEM_DEADLINE_MS,
      language,
      currency: chunk.caller.currency,
    })
    const present = (result: Generated) => {
      const suggestions = suggestionsText(result, ask, texts)
      return { suggestions, alongside: ctx.batches.succeeding(chunk, item, generatedText(result, suggestions)) }
    }
    // Not put off: an item ends in the database or not at all.
    const flow = { ...ctx, quota: ctx.quota.held(chunk.block), journal: undefined }
    await generate(flow, chunk.caller, ask, present, signal)
  } catch (error) {
    if (hasEnded(error)) return
    if (signal.aborted || (isOurs(error) && !isLast)) throw error
    if (isOurs(error)) ctx.log.error({ err: error, batch: chunk.batchId, item }, 'an item failed for the last time')
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

/** With the last chunk the batch ends, and what was set aside for it and not spent goes back. */
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
    // Somebody else has it and will end it.
    if (!isNotOurs(error)) throw error
  }
}

async function lookAfter(ctx: Context, job: Job, batchId: string): Promise<void> {
  const account = accountOf(job)
  await ctx.db.transaction(account, async (tx) => {
    const stalled = await ctx.batches.reviveStalled(tx, account, batchId)
    if (!stalled) return
    const again = [
      ...stalled.map((n) => ({ data: { batch_id: batchId, n } })),
      { data: { batch_id: batchId }, afterMs: LOOK_AFTER_MS },
    ]
    await tx.run(ctx.jobs.enqueuing('batch', again))
    await tx.run(job.finishing())
  })
}

/** Not the caller's fault: it may be otherwise next time. */
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
