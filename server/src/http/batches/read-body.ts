/**
 * The body of POST /v1/batches, read as it arrives and checked item by item.
 *
 * A wrong frame refuses the whole, with pointers. A wrong item does not: it ends as an error of its own, and the others
 * are worked off. What is kept of an item is its text; what it was parsed into is let go before the next one comes. So
 * a body costs some times its size in memory while it is read and written, however it is built.
 *
 * What is refused is read to its end all the same, because many clients look for an answer only when they have sent
 * everything. Only a body that is too large is left standing.
 */
import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { ItemError, NewChunk } from '../../batches/batch.ts'
import { ApiError } from '../../errors.ts'
import type { FieldError } from '../../errors.ts'
import { isUuid } from '../../model/id.ts'
import { BODY_LIMIT, parseBody } from '../body.ts'
import { createSplitter } from './split.ts'

/** Ten thousand requests of two kilobytes, which is a long description. */
export const BATCH_BODY_LIMIT = 20 * 1024 * 1024
const BATCH_BODY_LIMIT_TEXT = '20 MiB'
export const MOST_REQUESTS = 10_000
/** A job: long enough that taking it costs little beside it, short enough that a worker that dies loses little. */
const CHUNK_SIZE = 100

// Thousands of items can be wrong in the same way, and what is said of each is kept.
const MOST_FIELDS = 5
const LONGEST_TEXT = 200
// To say what is wrong costs a hundred times what it costs to see that something is: beyond so many, only that is said.
const MOST_EXPLAINED = 1_000
const MOST_PROBLEMS = 20

export interface BatchBody {
  readonly chunks: readonly NewChunk[]
  readonly wrong: readonly { readonly n: number; readonly error: ItemError }[]
  readonly webhookId: string | null
  /** Suggestions that its items ask for. */
  readonly units: number
  /** Of the bytes: the same body again has the same. */
  readonly digest: string
}

/**
 * How many suggestions an item asks for. Fails with what is wrong with it, or where that is not to be explained any
 * more, with nothing but invalid_request.
 */
export type CheckItem = (body: unknown, isExplained: boolean) => number

export async function readBatchBody(
  pieces: AsyncIterable<Buffer>,
  announced: string | undefined,
  checkItem: CheckItem,
): Promise<BatchBody> {
  if (Number(announced ?? 0) > BATCH_BODY_LIMIT) throw tooLarge()
  const gathering = gather(checkItem)
  const hash = createHash('sha256')
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let bytes = 0
  let failure: unknown
  const attempt = (work: () => void) => {
    if (failure !== undefined) return
    try {
      work()
    } catch (error) {
      failure = error
    }
  }
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > BATCH_BODY_LIMIT) throw tooLarge()
    hash.update(piece)
    attempt(() => gathering.push(decoder.decode(piece, { stream: true })))
    // A piece can hold hundreds of items: others have their turn before the next.
    await turn()
  }
  attempt(() => gathering.push(decoder.decode()))
  attempt(() => gathering.end())
  if (failure !== undefined) throw failure
  return { ...gathering.gathered(), digest: hash.digest('hex') }
}

function gather(checkItem: CheckItem) {
  const problems: FieldError[] = []
  const chunks: NewChunk[] = []
  const wrong: { n: number; error: ItemError }[] = []
  const seen = new Set<string>()
  let webhookId: string | null = null
  let texts: string[] = []
  let wrongInChunk = 0
  let total = 0
  let units = 0

  const report = (name: string, field: Omit<FieldError, 'pointer'>) => {
    if (problems.length < MOST_PROBLEMS) problems.push({ pointer: pointerTo(name), ...field })
  }
  const isFirst = (name: string) => {
    if (seen.has(name)) report(name, { code: 'repeated' })
    return seen.size !== seen.add(name).size
  }

  const splitter = createSplitter(
    'requests',
    { mostLength: BODY_LIMIT },
    {
      onOther() {
        throw invalid([{ pointer: '', code: 'wrong_type', params: { expected: 'object' } }])
      },
      onList: () => void isFirst('requests'),
      onElement(text) {
        if (++total > MOST_REQUESTS || problems.length > 0) return
        texts.push(item(text))
        if (texts.length === CHUNK_SIZE) closeChunk()
      },
      onField(name, text) {
        const value = text === undefined ? undefined : parseBody(text)
        if (!isFirst(name)) return
        if (name === 'requests') report(name, { code: 'wrong_type', params: { expected: 'array' } })
        else if (name !== 'webhook_id') report(name, { code: 'unknown_field' })
        else if (typeof value !== 'string') report(name, { code: 'wrong_type', params: { expected: 'string' } })
        else if (!isUuid(value)) report(name, { code: 'bad_format', params: { expected: 'uuid' } })
        else webhookId = value
      },
    },
  )

  /** Its text as it is kept. */
  function item(text: string | undefined): string {
    try {
      if (text === undefined) throw new ApiError('body_too_large', { params: { limit: '64 KiB' } })
      const body = parseBody(text)
      units += checkItem(body, wrong.length < MOST_EXPLAINED)
      // Written anew: without the spaces it came with, and without what PostgreSQL cannot keep.
      return JSON.stringify(body)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'invalid_json') throw error
      wrong.push({ n: total - 1, error: errorOf(error) })
      wrongInChunk++
      return 'null'
    }
  }

  function closeChunk(): void {
    chunks.push({ size: texts.length, requests: `[${texts.join()}]`, wrong: wrongInChunk })
    texts = []
    wrongInChunk = 0
  }

  return {
    push: (piece: string) => splitter.push(piece),
    end() {
      splitter.end()
      if (!seen.has('requests')) report('requests', { code: 'required' })
      else if (total > MOST_REQUESTS) report('requests', { code: 'too_many', params: { limit: MOST_REQUESTS } })
      else if (total === 0 && problems.length === 0) report('requests', { code: 'too_few', params: { limit: 1 } })
      if (problems.length > 0) throw invalid(problems)
      if (texts.length > 0) closeChunk()
    },
    gathered: () => ({ chunks, wrong, webhookId, units }),
  }
}

function errorOf({ code, detail }: ApiError): ItemError {
  const { fields, params } = detail
  return {
    code,
    ...(params ? { params } : {}),
    ...(fields ? { fields: fields.slice(0, MOST_FIELDS).map(shortened) } : {}),
  }
}

function shortened({ pointer, code, params }: FieldError): FieldError {
  const short = Object.entries(params ?? {}).map(([name, value]) => [
    name,
    typeof value === 'string' ? cut(value) : value,
  ])
  return { pointer: cut(pointer), code, ...(params ? { params: Object.fromEntries(short) as typeof params } : {}) }
}

/** RFC 6901 §3: "~" and "/" have a meaning of their own. */
function pointerTo(name: string): string {
  return cut(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}

function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`
}

function invalid(fields: readonly FieldError[]): ApiError {
  return new ApiError('invalid_request', { fields })
}

function tooLarge(): ApiError {
  return new ApiError('body_too_large', { params: { limit: BATCH_BODY_LIMIT_TEXT } })
}
