/**
 * Who may call from a page of another origin: everybody, where a credential is sent in a header.
 *
 * CORS protects what a browser adds by itself, which is cookies, and /v1 takes none: a page that has a key could as well
 * be a program. So the API and the endpoint for tokens are open, without `Allow-Credentials`. Everything that goes by the
 * cookie of a person (/settings, the pages, the rest of /auth) stays closed, and /mcp has its own rule
 * (`own-address.ts`).
 *
 * A preflight says nothing about anybody: it needs no credential, asks nobody and counts in no quota.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'

const TOKEN = '/auth/oauth2/token'

const ALLOWED_METHODS = 'GET, POST, PATCH, DELETE'
const ALLOWED_HEADERS =
  'authorization, content-type, accept, accept-language, idempotency-key, last-event-id, x-request-id'
const EXPOSED_HEADERS =
  'x-request-id, ratelimit, ratelimit-policy, retry-after, idempotent-replayed, content-language, link, location'
// As long as Chromium remembers one; a search that follows within two hours costs one trip less.
const REMEMBERED_SECONDS = 7200

export function openToPages(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ url }, reply) => {
    const [path = ''] = url.split('?')
    if (path.startsWith('/v1/') || path === TOKEN) showToPages(reply)
  })
  for (const path of ['/v1/*', TOKEN]) {
    app.options(path, (_request, reply) =>
      reply
        .code(204)
        .header('Access-Control-Allow-Methods', ALLOWED_METHODS)
        .header('Access-Control-Allow-Headers', ALLOWED_HEADERS)
        .header('Access-Control-Max-Age', REMEMBERED_SECONDS)
        .removeHeader('Content-Type')
        .send(),
    )
  }
}

/** Before anything can fail, so that a page can read a refusal, too. */
export function showToPages(reply: FastifyReply): void {
  reply.header('Access-Control-Allow-Origin', '*').header('Access-Control-Expose-Headers', EXPOSED_HEADERS)
}
