/**
 * The HTTP functions that the index needs. The sender is passed in, because this folder must never open network
 * connections itself; undici's `request` has this shape, redirects unfollowed.
 */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

export interface HttpAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: AsyncIterable<Uint8Array>
}

export type HttpRequest = (
  url: string,
  options: {
    method: 'GET' | 'POST'
    headers: Record<string, string>
    body?: string
    headersTimeout: number
    bodyTimeout: number
    signal?: AbortSignal
  },
) => Promise<HttpAnswer>

export interface Download {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly toPath: string
  readonly maxBytes: number
  readonly signal?: AbortSignal
}

export interface Downloaded {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
}

export class TooLarge extends Error {}

// Between two chunks, not for the whole: a zone may take an hour, but never a minute without a byte.
const SILENCE_MS = 60_000
// Enough for any useful error page.
const TEXT_MAX = 10 << 20

/** Only the body of a 200 response is written; any other is discarded and its status returned. */
export async function download(request: HttpRequest, ask: Download): Promise<Downloaded> {
  const { statusCode, headers, body } = await send(request, 'GET', ask)
  if (statusCode === 200) {
    await pipeline(limited(body, ask.maxBytes), createWriteStream(ask.toPath))
  } else await drain(body)
  return { statusCode, headers }
}

export async function fetchText(
  request: HttpRequest,
  method: 'GET' | 'POST',
  ask: Omit<Download, 'toPath' | 'maxBytes'> & { readonly body?: string },
): Promise<Downloaded & { readonly text: string }> {
  const { statusCode, headers, body } = await send(request, method, ask)
  const pieces: Uint8Array[] = []
  for await (const piece of limited(body, TEXT_MAX)) pieces.push(piece)
  return { statusCode, headers, text: Buffer.concat(pieces).toString('utf8') }
}

async function send(
  request: HttpRequest,
  method: 'GET' | 'POST',
  { url, headers = {}, body, signal }: Pick<Download, 'url' | 'headers' | 'signal'> & { body?: string },
) {
  const answer = await request(url, {
    method,
    headers: { ...headers },
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  })
  const flat = Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), String(value)])
  const named = Object.fromEntries(flat) as Record<string, string>
  return { statusCode: answer.statusCode, headers: named, body: answer.body }
}

async function* limited(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > maxBytes) throw new TooLarge(`more than ${maxBytes} bytes`)
    yield piece
  }
}

/** An unread body would keep its connection open. */
async function drain(body: AsyncIterable<Uint8Array>): Promise<void> {
  let left = TEXT_MAX
  for await (const piece of body) if ((left -= piece.length) < 0) break
}
