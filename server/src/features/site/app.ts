/**
 * Serves the web app: one page for every path of `PAGE_PATHS`, and its files.
 *
 * Files with a hash in their name are cached forever; everything else is revalidated each time, which costs a 304. The
 * page may load and call only what comes from here. A request for JSON at the path of a page comes from a program with
 * a wrong URL, and gets the usual `not_found`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../model/errors.ts'
import { APP_HEADERS, APP_PAGE_HEADERS, PAGE, type AppFiles } from '../../http/app-files.ts'
import { readyFile, sendFile, vary } from '../../http/sent-files.ts'
import { findHomePage } from './home-page.ts'

const SETTINGS_PAGES = [
  'profile',
  'appearance',
  'security',
  'keys',
  'usage',
  'apps',
  'webhooks',
  'team',
  'audit',
  'data',
] as const

/** Every path that the app has a view for. */
export const PAGE_PATHS: readonly string[] = [
  '/',
  '/history',
  '/favorites',
  '/r/:token',
  // Links of earlier versions.
  '/s/:token',
  '/welcome',
  '/verify-email',
  '/settings',
  ...SETTINGS_PAGES.map((page) => `/settings/${page}`),
  '/operator',
]

const FOR_EVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'
const ICONS = '/icons/*'
/** The path of each file, and how long it may be cached. */
const FILE_PATHS: Readonly<Record<string, string>> = {
  '/assets/*': FOR_EVER,
  [ICONS]: 'public, max-age=86400',
  '/manifest.webmanifest': ASK_AGAIN,
  '/service-worker.js': ASK_AGAIN,
  '/favicon.svg': 'public, max-age=86400',
  '/favicon.ico': 'public, max-age=86400',
  '/robots.txt': 'public, max-age=86400',
}

// Pages that are shared by link are not for search engines.
const UNLISTED = /^\/[rs]\//

/** How links to pages look where they are posted: `link-previews.ts`. */
export interface LinkPreviews {
  /** For the head of a page; undefined for a page without a preview. `page`: its path in `PAGE_PATHS`. */
  tagsOf(page: string, request: FastifyRequest): Promise<string | undefined>
}

export function appRoutes(app: FastifyInstance, files: AppFiles, previews: LinkPreviews): void {
  async function send(request: FastifyRequest, reply: FastifyReply, name: string, headers: Record<string, string>) {
    const file = await files.find(name)
    if (!file) throw new ApiError('not_found')
    reply.headers({ ...APP_HEADERS, ...headers })
    return sendFile(request, reply, file)
  }

  for (const path of PAGE_PATHS) {
    app.get(path, async (request, reply) => {
      const { accept = '*/*' } = request.headers
      if (/\bjson\b/.test(accept) && !accept.includes('text/html')) throw new ApiError('not_found')
      const headers = { ...APP_PAGE_HEADERS, ...(UNLISTED.test(path) ? { 'X-Robots-Tag': 'noindex' } : {}) }
      const [home, tags] = await Promise.all([
        path === '/' ? findHomePage(files, request) : undefined,
        previews.tagsOf(path, request),
      ])
      const page = home ?? (await files.find(PAGE))
      if (!page) throw new ApiError('not_found')
      reply.headers({ ...APP_HEADERS, ...headers })
      if (home || tags !== undefined) vary(reply, 'Accept-Language')
      if (tags === undefined) return sendFile(request, reply, page)
      // Not as a pattern: what people write may contain `$&`.
      const text = page.plain.toString().replace('</head>', () => `${tags}</head>`)
      return sendFile(request, reply, await readyFile(page.type, text))
    })
  }

  // A trailing slash is a mistake in typing or linking, and every page has one address.
  for (const path of PAGE_PATHS.filter((one) => one !== '/')) {
    app.get(`${path}/`, async ({ url }, reply) => reply.redirect(url.replace(/\/(?=\?|$)/, ''), 308))
  }

  for (const [path, cached] of Object.entries(FILE_PATHS)) {
    app.get<{ Params: { '*'?: string } }>(path, (request, reply) => {
      const name = path.slice(1).replace('*', request.params['*'] ?? '')
      // Other sites show the picture of a link.
      const shown = path === ICONS ? { 'Cross-Origin-Resource-Policy': 'cross-origin' } : {}
      return send(request, reply, name, { 'Cache-Control': cached, ...shown })
    })
  }

  // https://w3c.github.io/webappsec-change-password-url: where a password manager sends people.
  app.get('/.well-known/change-password', async (_request, reply) =>
    reply.redirect(files.isBuilt() ? '/settings/security' : '/reset-password', 303),
  )
}
