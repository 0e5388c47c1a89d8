/**
 * Sends files and pages that are the same for everybody: compressed if the client accepts that, and 304 if it has them.
 *
 * Each file has an ETag of its content, and each encoding of it an ETag of its own, because a cache that mixed them up
 * would serve bytes that do not match their description (RFC 9110 §8.8.3.3). A file is compressed once, when it is
 * prepared.
 */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

type Coding = 'br' | 'gzip'

export interface SentFile {
  readonly type: string
  readonly plain: Buffer
  /** Empty for a file that is already compressed, or too small to gain from it. */
  readonly packed: Readonly<Partial<Record<Coding, Buffer>>>
  /** Without quotes. */
  readonly tag: string
}

// Below this a compressed response needs as many packets as a plain one.
const LEAST_TO_PACK = 1_000
const PACKABLE = /^(?:text\/|image\/svg|application\/(?:json|manifest\+json|javascript|wasm))/
// Twenty times faster than the best level, and within a few per cent of it.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const ENDINGS: Readonly<Record<Coding, string>> = { br: '-br', gzip: '-gz' }

/** `ready`: variants that the build has already compressed. */
export async function readyFile(
  type: string,
  content: string | Buffer,
  ready: SentFile['packed'] = {},
): Promise<SentFile> {
  const plain = Buffer.from(content)
  const tag = hash('sha256', plain, 'base64url').slice(0, 22)
  if (!PACKABLE.test(type) || plain.length < LEAST_TO_PACK) return { type, plain, packed: {}, tag }
  const [br, zipped] = await Promise.all([
    ready.br ?? promisify(brotliCompress)(plain, BROTLI),
    ready.gzip ?? promisify(gzip)(plain, { level: 9 }),
  ])
  return { type, plain, packed: { br, gzip: zipped }, tag }
}

/** The caller sets Cache-Control. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: SentFile): FastifyReply {
  const { type, plain, packed, tag } = file
  const coding = (['br', 'gzip'] as const).find((one) => packed[one] !== undefined && takes(request, one))
  const ownTag = `"${tag}${coding === undefined ? '' : ENDINGS[coding]}"`
  // Also on a 304: a cache takes over its headers (RFC 9111 §4.3.4).
  reply.type(type).header('ETag', ownTag)
  if (Object.keys(packed).length > 0) vary(reply, 'Accept-Encoding')
  // RFC 9110 §13.1.2: a weak comparison, because a proxy that compresses a response marks its ETag as weak.
  const known = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  if (known.includes(ownTag) || known.includes('*')) return reply.code(304).send()
  if (coding === undefined) return reply.send(plain)
  return reply.header('Content-Encoding', coding).send(packed[coding])
}

export function vary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('Vary')
  reply.header('Vary', before === undefined ? name : `${String(before)}, ${name}`)
}

function takes({ headers }: FastifyRequest, coding: Coding): boolean {
  const wanted = new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`)
  return wanted.test(headers['accept-encoding'] ?? '')
}
