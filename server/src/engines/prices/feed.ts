/** Fetches an external list as text, and keeps its last good copy on disk, for a start without internet access. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from './fields.ts'
import { ListRefused } from './price-list.ts'

/** The outbound request function; the sender enforces the limits. */
export type FetchFeed = (request: {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}) => Promise<
  | { readonly kind: 'answer'; readonly status: number; readonly body: string | Uint8Array }
  | { readonly kind: 'failed'; readonly reason: string }
>

// The price list is about 200 KB and grows with the number of suffixes; no caller waits for it.
const MAX_BYTES = 4 * 1024 * 1024
const TIMEOUT_MS = 30_000

/** Throws ListRefused if there is no response, or one that is not text. */
export async function fetchList(
  send: FetchFeed,
  { url, method, signal }: { url: string; method: 'GET' | 'POST'; signal: AbortSignal },
): Promise<string> {
  const posted = method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}
  const answer = await send({ url, method, ...posted, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal })
  if (answer.kind === 'failed') throw new ListRefused(`no response: ${answer.reason}`)
  if (answer.status !== 200) throw new ListRefused(`the response has the status ${answer.status}`)
  if (answer.body.length > MAX_BYTES) throw new ListRefused('the response is too long')
  if (typeof answer.body === 'string') return answer.body
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(answer.body)
  } catch {
    throw new ListRefused('the response is not UTF-8')
  }
}

export interface Copy {
  /** When the list was fetched. */
  readonly at: number
  readonly text: string
}

/** Undefined if there is no readable copy: a copy only saves time. */
export async function findCopy(folder: string | undefined, name: string): Promise<Copy | undefined> {
  if (folder === undefined) return undefined
  try {
    const copy = JSON.parse(await readFile(join(folder, name), 'utf8')) as unknown
    if (!isObject(copy) || !Number.isSafeInteger(copy.at) || typeof copy.text !== 'string') return undefined
    return { at: Number(copy.at), text: copy.text }
  } catch {
    return undefined
  }
}

/** Returns the problem, if there was one: a list without a copy is just as usable today. */
export async function keepCopy(folder: string | undefined, name: string, copy: Copy): Promise<string | undefined> {
  if (folder === undefined) return undefined
  // Renamed into place, so that a reader never sees a partial file.
  const draft = join(folder, `${name}.${process.pid}.new`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(draft, JSON.stringify(copy))
    await rename(draft, join(folder, name))
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
