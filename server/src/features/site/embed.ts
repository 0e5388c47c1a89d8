/**
 * /embed/namewright-search.js: the element `<namewright-search>`, for pages of any origin.
 *
 * The file is read at the first request and sent with an ETag. A browser runs a module of another origin only if CORS
 * allows reading it, so it is allowed.
 */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../model/errors.ts'
import { showToPages } from '../../http/gate.ts'
import { readyFile, sendFile } from '../../http/sent-files.ts'
import type { SentFile } from '../../http/sent-files.ts'

const FILE = new URL('../../../build/namewright-search.js', import.meta.url)
// Pages get the new version an hour after a release, and old versions keep working meanwhile.
const CACHED = 'public, max-age=3600'

export function embedRoute(app: FastifyInstance): void {
  let opened: Promise<SentFile> | undefined

  async function open(): Promise<SentFile> {
    try {
      return await (opened ??= read())
    } catch (error) {
      opened = undefined
      // Not built: the file does not exist here, and everything else works.
      throw error instanceof Error && 'code' in error && error.code === 'ENOENT' ? new ApiError('not_found') : error
    }
  }

  app.get('/embed/namewright-search.js', async (request, reply) => {
    const file = await open()
    showToPages(reply)
    reply.header('Cross-Origin-Resource-Policy', 'cross-origin').header('Cache-Control', CACHED)
    return sendFile(request, reply, file)
  })
}

async function read(): Promise<SentFile> {
  return readyFile('text/javascript; charset=utf-8', await readFile(FILE))
}
