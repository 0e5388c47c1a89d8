/**
 * CORS: pages of any origin may call the endpoints that take a credential in a header.
 *
 * CORS protects what a browser adds by itself, which is cookies, and /v1 takes none: a page that has a key could as
 * well be a program. So the API and the token endpoint are open, without `Allow-Credentials`. Everything that uses a
 * person's cookie (/settings, the pages, the rest of /auth) stays closed, and /mcp has its own rule (`own-address.ts`).
 *
 * A preflight reveals nothing. It needs no credential, makes no lookup and uses no quota.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'

const TOKEN = '/auth/oauth2/token'

const ALLOWED_METHODS = 'GET, POST, PATCH, DELETE'
const ALLOWED_HEADERS = 'authorization, content-type, accept, accept-language, idempotency-key, x-request-id'
const EXPOSED_HEADERS =
  'x-request-id, ratelimit, ratelimit-policy, retry-after, idempotent-replayed, content-language, link, location, namewright-sandbox'
// The longest that Chromium caches a preflight. Another search within two hours saves one round trip.
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

/** Set before anything can fail, so that a page can read an error response, too. */
export function showToPages(reply: FastifyReply): void {
  reply.header('Access-Control-Allow-Origin', '*').header('Access-Control-Expose-Headers', EXPOSED_HEADERS)
}
