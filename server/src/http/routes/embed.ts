/**
 * /embed/namewright-search.js: the element `<namewright-search>`, for pages of any origin.
 *
 * The file is read when it is first asked for, and sent with a tag of its content. A browser runs a module of another
 * origin only when it may read it, so it may.
 */
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../errors.ts'
import { showToPages } from '../cors.ts'

const FILE = new URL('../../../build/namewright-search.js', import.meta.url)
// Pages have the new one an hour after a release, and old ones go on working meanwhile.
const CACHED = 'public, max-age=3600'

interface Script {
  readonly plain: Buffer
  readonly zipped: Buffer
  readonly tag: string
}

export function embedRoute(app: FastifyInstance): void {
  let opened: Promise<Script> | undefined

  async function open(): Promise<Script> {
    try {
      return await (opened ??= read())
    } catch (error) {
      opened = undefined
      // Not built: there is no such page here, and everything else works.
      throw error instanceof Error && 'code' in error && error.code === 'ENOENT' ? new ApiError('not_found') : error
    }
  }

  app.get('/embed/namewright-search.js', async (request, reply) => {
    const { plain, zipped, tag } = await open()
    const isZipped = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(request.headers['accept-encoding'] ?? '')
    const ownTag = `"${tag}${isZipped ? '-gz' : ''}"`
    showToPages(reply)
    reply
      .type('text/javascript; charset=utf-8')
      .header('Cross-Origin-Resource-Policy', 'cross-origin')
      .header('Cache-Control', CACHED)
      .header('Vary', 'Accept-Encoding')
      .header('ETag', ownTag)
    // RFC 9110 §13.1.2: compared weakly, because a proxy that packs an answer marks its tag.
    const known = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
    if (known.includes(ownTag) || known.includes('*')) return reply.code(304).removeHeader('Content-Type').send()
    if (!isZipped) return reply.send(plain)
    return reply.header('Content-Encoding', 'gzip').send(zipped)
  })
}

async function read(): Promise<Script> {
  const plain = await readFile(FILE)
  return { plain, zipped: gzipSync(plain, { level: 9 }), tag: hash('sha256', plain, 'base64url').slice(0, 22) }
}
