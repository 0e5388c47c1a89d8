/** /openapi.json, /docs and /docs/errors: the contract for programs and for people, without a login or another host. */
import type { FastifyInstance } from 'fastify'
import type { Doors } from '../doors.ts'
import { errorPage, referencePage } from '../docs-page.ts'
import type { Document } from '../openapi.ts'

// The pages carry no script and load nothing.
const CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function docsRoutes(app: FastifyInstance, doors: Doors, documentOf: () => Document): void {
  let reference: string | undefined
  app.get('/openapi.json', (_request, reply) => reply.send(JSON.stringify(documentOf())))
  app.get('/docs', (_request, reply) => {
    reference ??= referencePage(documentOf())
    return reply.type('text/html; charset=utf-8').header('Content-Security-Policy', CSP).send(reference)
  })
  app.get('/docs/errors', (request, reply) => {
    const language = doors.languageOf(request)
    const page = errorPage(language, doors.messagesFor(language))
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'Content-Security-Policy': CSP, 'Content-Language': language, Vary: 'Accept-Language' })
      .send(page)
  })
}
