/**
 * The state file of `batch run`, beside the results, from which the next run resumes.
 *
 * **Invariant:** an Idempotency-Key is on disk before the request that carries it is sent. After a crash, the next run
 * sends the same request with the same key, and the service returns the existing batch. The file is kept after the run:
 * the same command then writes the same results again and is not charged.
 */
import { createHash, randomUUID } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { replaceFile } from './config.ts'
import { CliError, EXIT, isCode, usageError } from './exit.ts'
import type { BatchRow } from './batch-file.ts'

/** One batch on the service, with the rows `from` to `from + count`. */
export interface Part {
  readonly from: number
  readonly count: number
  readonly idempotency_key: string
  readonly id?: string | undefined
}

export interface BatchState {
  readonly version: 1
  readonly url: string
  /** Hash of the requests, to detect a changed file. */
  readonly sha256: string
  readonly created_at: number
  readonly parts: readonly Part[]
}

export interface StateFile {
  readonly state: BatchState
  /** The file existed: this run resumes it. */
  readonly isOld: boolean
  keepId(part: Part, id: string): Promise<void>
}

// The maximum of a batch, and of its bytes: a request body may have 4 MiB.
const MAX_ROWS = 1_000
const MAX_BYTES = 3 * 1024 * 1024
// The service stores an Idempotency-Key for 24 hours; after that the same request creates a new batch.
const KEY_LIVES_MS = 23 * 3_600_000

export function statePath(results: string): string {
  return `${results}.namewright-batch.json`
}

export async function openState(
  path: string,
  { rows, url, now, isNew }: { rows: readonly BatchRow[]; url: string; now: () => number; isNew: boolean },
): Promise<StateFile> {
  const sha256 = hashOf(rows)
  const fresh: BatchState = { version: 1, url, sha256, created_at: now(), parts: partsOf(rows) }
  const old = isNew ? undefined : await readState(path)
  let state = old ?? fresh
  if (old) refuseOther(old, fresh, path)
  else if (isNew) await replaceFile(path, textOf(fresh))
  else {
    // Two runs at once: the second finds the file of the first and shares its batches.
    const first = await createState(path, fresh)
    state = first
    if (first !== fresh) refuseOther(first, fresh, path)
  }
  if (state.parts.some(({ id }) => id === undefined) && now() - state.created_at > KEY_LIVES_MS)
    throw new CliError(
      EXIT.usage,
      `${path} belongs to a run that stopped while sending, more than 23 hours ago. It is no longer known whether the service received the batch.`,
      'Check “namewright batch status”. If the batch is not listed, start again with --restart.',
    )
  return {
    get state() {
      return state
    },
    isOld: state !== fresh,
    async keepId(part, id) {
      const parts = state.parts.map((one) => (one.from === part.from ? { ...one, id } : one))
      state = { ...state, parts }
      await replaceFile(path, textOf(state))
    },
  }
}

function refuseOther(state: BatchState, fresh: BatchState, path: string): void {
  if (state.url !== fresh.url)
    throw usageError(
      `The previous run used ${state.url}, not ${fresh.url}.`,
      `Use that --url, or start again with --restart. State file: ${path}`,
    )
  if (state.sha256 !== fresh.sha256)
    throw usageError(
      'The file or the options have changed since the previous run.',
      `Restore them to resume, choose another --out, or start again with --restart, which is charged again. State file: ${path}`,
    )
}

async function readState(path: string): Promise<BatchState | undefined> {
  try {
    const state = JSON.parse(await readFile(path, 'utf8')) as Partial<BatchState>
    if (state.version === 1 && Array.isArray(state.parts) && typeof state.created_at === 'number')
      return state as BatchState
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    if (!(error instanceof SyntaxError)) throw error
  }
  throw usageError(`${path} is not a batch state file.`, 'Move the file, or choose another --out.')
}

async function createState(path: string, fresh: BatchState): Promise<BatchState> {
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(textOf(fresh))
      await file.sync()
    } finally {
      await file.close()
    }
    return fresh
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    return (await readState(path)) ?? fresh
  }
}

function partsOf(rows: readonly BatchRow[]): Part[] {
  const parts: { from: number; count: number; idempotency_key: string }[] = []
  let bytes = 0
  for (const [i, { request }] of rows.entries()) {
    const size = Buffer.byteLength(JSON.stringify(request)) + 1
    const last = parts.at(-1)
    if (last && last.count < MAX_ROWS && bytes + size <= MAX_BYTES) {
      last.count += 1
      bytes += size
    } else {
      parts.push({ from: i, count: 1, idempotency_key: `cli-${randomUUID()}` })
      bytes = size
    }
  }
  return parts
}

function hashOf(rows: readonly BatchRow[]): string {
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex')
}

function textOf(state: BatchState): string {
  return `${JSON.stringify(state, undefined, 2)}\n`
}
