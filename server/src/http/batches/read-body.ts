/**
 * Reads the body of POST /v1/batches as it arrives and validates it item by item.
 *
 * A wrong envelope refuses the whole batch, with pointers, and so does a list without one valid item: nothing that costs
 * nothing is stored. Beside valid items a wrong one becomes an error of its own, and the others are processed. Only the text of an item is kept; its parsed value is released before the next item. So a body costs a
 * small multiple of its size in memory while it is read and written, whatever its structure.
 *
 * A refused body is still read to its end, because many clients look for a response only after they have sent
 * everything. Only a body that is too large is not read on.
 */
import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { ItemError, NewChunk } from '../../automation/batches/batch.ts'
import { ApiError } from '../../errors.ts'
import type { FieldError } from '../../errors.ts'
import { isUuid } from '../../model/id.ts'
import { BODY_LIMIT, DEPTH_LIMIT, parseBody } from '../body.ts'
import { createSplitter } from './split.ts'

/** Ten thousand requests of two kilobytes, which is a long description. */
export const BATCH_BODY_LIMIT = 20 * 1024 * 1024
const BATCH_BODY_LIMIT_TEXT = '20 MiB'
export const MAX_REQUESTS = 10_000
/** One job per chunk: large enough that claiming it costs little, small enough that a worker that dies loses little. */
const CHUNK_SIZE = 100

// Thousands of items can be wrong in the same way, and the errors of each are stored.
const MAX_FIELDS = 5
const MAX_TEXT_LENGTH = 100
// Explaining an error costs a hundred times as much as detecting it. Beyond this many items the error has no details.
const MAX_EXPLAINED = 100
const MAX_PROBLEMS = 20
const DEPTH_TEXT = `at most ${DEPTH_LIMIT} levels`

export interface BatchBody {
  readonly chunks: readonly NewChunk[]
  readonly wrong: readonly { readonly n: number; readonly error: ItemError }[]
  readonly webhookId: string | null
  /** Suggestions that the items ask for in total. */
  readonly units: number
  /** A hash of the bytes: the same for the same body. */
  readonly digest: string
}

/**
 * Returns how many suggestions an item asks for. Fails with the errors of the item or, if these are not to be
 * explained, with a bare invalid_request.
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
    // One piece can hold hundreds of items, so yield to the event loop before the next.
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
    if (problems.length < MAX_PROBLEMS) problems.push({ pointer: pointerTo(name), ...field })
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
        if (++total > MAX_REQUESTS || problems.length > 0) return
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

  /** Returns the text that is stored. */
  function item(text: string | undefined): string {
    try {
      if (text === undefined) throw new ApiError('body_too_large', { params: { limit: '64 KiB' } })
      const body = parseBody(text)
      units += checkItem(body, wrong.length < MAX_EXPLAINED)
      // Serialized anew: without its whitespace, and without characters that PostgreSQL cannot store.
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
      else if (total > MAX_REQUESTS) report('requests', { code: 'too_many', params: { limit: MAX_REQUESTS } })
      else if (total === 0 && problems.length === 0) report('requests', { code: 'too_few', params: { limit: 1 } })
      if (problems.length > 0) throw invalid(problems)
      if (wrong.length === total) throw invalid(wrong.flatMap(fieldsOf).slice(0, MAX_PROBLEMS))
      if (texts.length > 0) closeChunk()
    },
    gathered: () => ({ chunks, wrong, webhookId, units }),
  }
}

/** What is wrong with an item, with pointers into the whole body. */
function fieldsOf({ n, error }: { readonly n: number; readonly error: ItemError }): readonly FieldError[] {
  const pointer = `/requests/${n}`
  if (error.code === 'body_too_large') return [{ pointer, code: 'too_long', params: { limit: BODY_LIMIT } }]
  if (error.code === 'body_too_deep') return [{ pointer, code: 'bad_format', params: { expected: DEPTH_TEXT } }]
  return (error.fields ?? []).map((field) => ({ ...field, pointer: `${pointer}${field.pointer}` }))
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

/** RFC 6901 §3: "~" and "/" must be escaped. */
function pointerTo(name: string): string {
  return cut(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`
}

function invalid(fields: readonly FieldError[]): ApiError {
  return new ApiError('invalid_request', { fields })
}

function tooLarge(): ApiError {
  return new ApiError('body_too_large', { params: { limit: BATCH_BODY_LIMIT_TEXT } })
}
