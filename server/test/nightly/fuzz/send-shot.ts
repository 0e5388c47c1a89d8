/**
 * Writes a shot to a socket of its own, in the pieces it wants, and reads whatever comes back as HTTP/1.1.
 *
 * fetch would mend or refuse half of what is to be sent, so nothing here goes through it. A stream that has no end of
 * its own is left after a moment.
 */
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Answer } from '../../world.ts'
import type { Shot } from './shots.ts'

export interface Exchange {
  /** Complete ones, in their order. Interim ones (1xx) are none. */
  readonly answers: readonly Answer[]
  /** The beginning of one more, of which the rest did not come. */
  readonly broken: Answer | undefined
  readonly ms: number
  /** Neither side had closed when time was up. */
  readonly isLate: boolean
  /** The connection broke instead of being closed. */
  readonly isReset: boolean
}

/** What follows a pipelined shot. */
export const FOLLOWER = 'GET /v1/status'
// A drip sends so many single bytes, then the rest: each is a turn of both loops.
const DRIPS = 60
// How long a stream is listened to: the progress of a batch that nobody works on never ends.
const STREAM_MS = 400

export async function sendShot(
  port: number,
  shot: Shot,
  fill: (text: string) => string,
  mostMs: number,
): Promise<Exchange> {
  const pieces = piecesOf(shot, fill)
  const startedAt = performance.now()
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  let received = Buffer.alloc(0)
  let isReset = false
  let isLate = false
  const methods = [shot.method, 'GET']
  const wanted = shot.delivery.how === 'pipelined' ? 2 : 1
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => {
    isLate = true
    socket.destroy()
  }, mostMs)
  let streaming: NodeJS.Timeout | undefined
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    const { answers, broken } = parseAnswers(received, methods)
    if (answers.length >= wanted && shot.delivery.how !== 'lie' && shot.delivery.how !== 'mess') socket.end()
    else if (broken && isStream(broken)) streaming ??= setTimeout(() => socket.destroy(), STREAM_MS)
  })
  socket.on('error', () => (isReset = true))
  socket.once('close', () => resolve())
  await write(socket, pieces, shot.delivery.how === 'drip')
  if (shot.delivery.how === 'hang up') socket.destroy()
  else if (['cut', 'lie', 'mess'].includes(shot.delivery.how)) socket.end()
  await closed
  clearTimeout(timer)
  clearTimeout(streaming)
  return { ...parseAnswers(received, methods), ms: performance.now() - startedAt, isLate, isReset }
}

async function write(socket: Socket, pieces: readonly Buffer[], isDrip: boolean): Promise<void> {
  const all = isDrip ? pieces.flatMap(dripsOf) : pieces
  for (const piece of all) {
    if (socket.destroyed) return
    socket.write(piece)
    if (all.length > 1) await turn()
  }
}

function dripsOf(piece: Buffer): Buffer[] {
  const from = Math.max(0, piece.length - DRIPS)
  const last = Array.from(piece.subarray(from), (byte) => Buffer.from([byte]))
  return [piece.subarray(0, from), ...last].filter(({ length }) => length > 0)
}

/** Marks are filled in first, so that every length is of what is really sent. */
function piecesOf(
  { method, target, headers, body, encoding, delivery }: Shot,
  fill: (text: string) => string,
): Buffer[] {
  const content = body === undefined ? undefined : encodedAs(encoding, fill(body))
  const lines = headers.map(([name, value]) => `${name}: ${fill(value)}`)
  if (encoding === 'gzip') lines.push('Content-Encoding: gzip')
  const version = delivery.how === 'old' ? '1.0' : '1.1'
  const isLast = delivery.how !== 'pipelined'
  const start = [
    `${method} ${fill(target)} HTTP/${version}`,
    'Host: 127.0.0.1',
    ...(isLast ? ['Connection: close'] : []),
    ...lines,
  ]
  const head = (...more: string[]) => Buffer.from(`${[...start, ...more].join('\r\n')}\r\n\r\n`, 'latin1')
  if (delivery.how === 'mess') return [Buffer.concat([head(...delivery.headers), Buffer.from(delivery.body)])]
  if (delivery.how === 'chunked' && content) return [head('Transfer-Encoding: chunked'), ...chunksOf(content)]
  const length = content === undefined ? [] : [`Content-Length: ${content.length}`]
  if (delivery.how === 'lie')
    length.splice(0, 1, `Content-Length: ${BigInt(content?.length ?? 0) + BigInt(delivery.by)}`)
  if (delivery.how === 'expect') length.push('Expect: 100-continue')
  const whole = Buffer.concat([head(...length), content ?? Buffer.alloc(0)])
  switch (delivery.how) {
    case 'pipelined': {
      const follower = `${FOLLOWER} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${fill('@@key@@')}\r\nConnection: close\r\n\r\n`
      return [Buffer.concat([whole, Buffer.from(follower)])]
    }
    case 'cut':
    case 'hang up':
      return [whole.subarray(0, Math.ceil(whole.length * delivery.part))]
    case 'pieces': {
      const at = [
        0,
        ...delivery.at.map((part) => Math.round(part * whole.length)).toSorted((a, b) => a - b),
        whole.length,
      ]
      return at
        .slice(1)
        .map((end, i) => whole.subarray(at[i], end))
        .filter((piece) => piece.length > 0)
    }
    default:
      return [whole]
  }
}

function chunksOf(content: Buffer): Buffer[] {
  const size = Math.max(1, Math.ceil(content.length / 3))
  const chunks: Buffer[] = []
  for (let at = 0; at < content.length; at += size) {
    const piece = content.subarray(at, at + size)
    chunks.push(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]))
  }
  return [...chunks, Buffer.from('0\r\n\r\n')]
}

function encodedAs(encoding: Shot['encoding'], text: string): Buffer {
  const plain = Buffer.from(text)
  const middle = Math.floor(plain.length / 2)
  const inserted = (...bytes: number[]) =>
    Buffer.concat([plain.subarray(0, middle), Buffer.from(bytes), plain.subarray(middle)])
  switch (encoding) {
    case 'byte order mark':
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain])
    case 'utf-16':
      return Buffer.from(text, 'utf16le')
    case 'latin1':
      return Buffer.from(text, 'latin1')
    case 'broken':
      return inserted(0xff, 0xc3)
    // A slash and a NUL in more bytes than they need, and half a pair as UTF-8 would have it.
    case 'overlong':
      return inserted(0xc0, 0xaf, 0xc0, 0x80, 0xed, 0xa0, 0x80)
    case 'gzip':
      return gzipSync(plain)
    default:
      return plain
  }
}

export function isStream({ headers }: Answer): boolean {
  return /event-stream|ndjson/.test(headers.get('content-type') ?? '')
}

function parseAnswers(received: Buffer, methods: readonly string[]): Pick<Exchange, 'answers' | 'broken'> {
  const answers: Answer[] = []
  let rest = received
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return { answers, broken: rest.length === 0 ? undefined : answerOf(rest, Buffer.alloc(0)) }
    const head = rest.subarray(0, end)
    const answer = answerOf(head, Buffer.alloc(0))
    if (answer.status >= 100 && answer.status < 200) {
      rest = rest.subarray(end + 4)
      continue
    }
    // A request that was no whole one is answered as if it were none, also where it might have become a HEAD.
    const isHead = methods[answers.length] === 'HEAD' && !rest.subarray(end + 4, end + 5).equals(Buffer.from('{'))
    const isBare = isHead || answer.status === 204 || answer.status === 304
    const { body, next } = isBare ? { body: Buffer.alloc(0), next: end + 4 } : bodyAfter(rest, end + 4, answer.headers)
    if (next === undefined) return { answers, broken: answerOf(head, body) }
    answers.push(answerOf(head, body))
    rest = rest.subarray(next)
  }
}

/** `next` is undefined where the body has not ended. */
function bodyAfter(bytes: Buffer, from: number, headers: Headers): { body: Buffer; next: number | undefined } {
  const length = headers.get('content-length')
  if (length !== null) {
    const to = from + Number(length)
    return { body: bytes.subarray(from, to), next: bytes.length >= to ? to : undefined }
  }
  // Without either, it ends with the connection; nothing of ours is sent so, but to HTTP/1.0.
  if (headers.get('transfer-encoding') !== 'chunked') return { body: bytes.subarray(from), next: bytes.length }
  const pieces: Buffer[] = []
  for (let at = from; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = lineEnd === -1 ? NaN : Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    const to = lineEnd + 2 + size
    if (Number.isNaN(size) || bytes.length < to + 2) return { body: Buffer.concat(pieces), next: undefined }
    if (size === 0) return { body: Buffer.concat(pieces), next: to + 2 }
    pieces.push(bytes.subarray(lineEnd + 2, to))
    at = to + 2
  }
}

function answerOf(head: Buffer, body: Buffer): Answer {
  const [statusLine = '', ...lines] = head.toString('latin1').split('\r\n')
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const text = body.toString('utf8')
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, text, json: jsonOf(text) }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
