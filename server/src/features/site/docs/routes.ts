/**
 * /docs, /llms.txt and /openapi.json: the manual and the contract, for people and for programs, without a login or
 * another host.
 *
 * The pages are read and rendered, and the search index is built, once: at the first request, so that a node whose
 * manual nobody reads pays nothing. Each page has an ETag, so a client that has it already gets 304.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../../model/errors.ts'
import type { RouteContext } from '../../../http/route-context.ts'
import { ERRORS_PATH, openSite } from './site.ts'
import type { Site } from './site.ts'
import { missingSheet, searchSheet } from './search-sheet.ts'
import type { Document } from '../../../http/openapi.ts'
import { readyFile, sendFile, vary } from '../../../http/sent-files.ts'
import type { SentFile } from '../../../http/sent-files.ts'

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'
// A release changes the pages; after five minutes no cache serves the old ones.
const CACHED = 'public, max-age=300'
const BULK = { config: { priority: 'bulk' } } as const

interface DocsText {
  readonly type: string
  readonly text: string
}

export function docsRoutes(app: FastifyInstance, routeContext: RouteContext, documentOf: () => Document): void {
  let opened: Promise<Site> | undefined
  const made = new Map<string, Promise<SentFile>>()

  async function open(): Promise<Site> {
    opened ??= openSite(documentOf())
    try {
      return await opened
    } catch (error) {
      // The disk may be readable again the next time.
      opened = undefined
      throw error
    }
  }

  async function sendOnce(request: FastifyRequest, reply: FastifyReply, name: string, make: () => DocsText) {
    let file = made.get(name)
    if (!file) {
      const { type, text } = make()
      file = readyFile(type, text)
      made.set(name, file)
    }
    return sendFile(request, reply.header('Cache-Control', CACHED), await file)
  }

  async function show(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const site = await open()
    const path = pathIn(request)
    const source = site.sources.get(path)
    if (source !== undefined) return sendOnce(request, reply, path, () => ({ type: MARKDOWN, text: source }))
    reply.headers(site.frame.headers)
    const page = site.pages.get(path)
    if (!page) {
      if (!request.headers.accept?.includes('text/html')) throw new ApiError('not_found')
      return reply.code(404).type(HTML).send(site.frame.draw(missingSheet()))
    }
    // All pages are in English. The page of errors also has the messages in the reader's language.
    const language = path === ERRORS_PATH ? routeContext.languageOf(request) : 'en'
    reply.header('Content-Language', language === 'en' ? 'en' : `${language}, en`)
    if (path === ERRORS_PATH) vary(reply, 'Accept-Language')
    return sendOnce(request, reply, `${path} ${language}`, () => ({
      type: HTML,
      text: site.draw(page, language, routeContext.messagesFor(language)),
    }))
  }

  app.get('/openapi.json', BULK, (_request, reply) => reply.send(JSON.stringify(documentOf())))
  app.get('/docs', BULK, show)
  app.get('/docs/*', BULK, show)
  app.get('/docs/search', BULK, async (request, reply) => {
    const { frame, search } = await open()
    const typed = typedIn(request)
    const page = frame.draw(searchSheet(typed, search(typed)))
    return reply.type(HTML).headers(frame.headers).header('Cache-Control', 'no-store').send(page)
  })
  app.get('/docs/search.json', BULK, async (request, reply) => {
    const { search } = await open()
    return reply.header('Cache-Control', 'no-store').send(JSON.stringify({ found: search(typedIn(request)) }))
  })
  app.get('/llms.txt', BULK, async (request, reply) => {
    const site = await open()
    return sendOnce(request, reply, '/llms.txt', () => ({ type: TEXT, text: site.llms(routeContext.publicUrl) }))
  })
  app.get('/llms-full.txt', BULK, async (request, reply) => {
    const site = await open()
    return sendOnce(request, reply, '/llms-full.txt', () => ({
      type: TEXT,
      text: site.llmsFull(routeContext.publicUrl),
    }))
  })
}

/** Without a trailing slash. */
function pathIn({ url }: FastifyRequest): string {
  const [path = ''] = url.split('?')
  return path.replace(/\/$/, '')
}

function typedIn({ query }: FastifyRequest): string {
  const typed = [(query as { q?: string | string[] }).q].flat().at(-1)
  return (typed ?? '').trim().slice(0, 100)
}
