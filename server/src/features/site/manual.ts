/**
 * /docs: the manual and the API reference as `pnpm build` makes them, each with a content security policy of its own.
 * /llms.txt and /openapi.json are the same for programs. Nothing here is rendered, and nothing asks another host.
 */
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Document } from '../../http/openapi.ts'
import { openAppFiles } from '../../http/app-files.ts'
import { sendFile } from '../../http/sent-files.ts'
import { ApiError } from '../../model/errors.ts'

const BUILT = fileURLToPath(new URL('../../../build/docs/', import.meta.url))
const BULK = { config: { priority: 'bulk' } } as const
const FOR_EVER = 'public, max-age=31536000, immutable'
const ASK_AGAIN = 'no-cache'
const REPOSITORY = 'https://github.com/namewright/namewright/blob/main'

/** Pages that have moved, as they were linked before. A browser keeps the anchor, which is the same on the new page. */
const MOVED: Readonly<Record<string, string>> = {
  '': '/docs/',
  README: '/docs/index',
  search: '/docs/',
  api: '/docs/generate',
  'every-operation': '/docs/quickstart',
  streaming: '/docs/generate',
  localisation: '/docs/generate',
  concepts: '/docs/glossary',
  versioning: '/docs/limits',
  deploying: '/docs/operations',
  'web-app': '/docs/people',
  'operating/index': '/docs/operating/the-index',
  'operating/jobs': '/docs/operating/metrics',
  'operating/overload': '/docs/reliability',
  'operating/runbooks': '/docs/operating/metrics',
  'project/changelog': `${REPOSITORY}/CHANGELOG.md`,
  'project/security': `${REPOSITORY}/SECURITY.md`,
}

/** Pages for those who change the code, which were in the manual before. */
const IN_REPOSITORY = /^(?:design\/.*|guides\/adding-a-(?:registrar|suffix)|asvs|benchmark|performance|releasing)$/

/** Where a page went, as the same of its two forms: for people, or as Markdown. */
function findMoved(path: string): string | undefined {
  const to = MOVED[path.replace(/(?:\/|\.md)$/, '')]
  return path.endsWith('.md') && to?.startsWith('/docs/') ? `${to}.md` : to
}

const COMMON = [
  "default-src 'none'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

const policyOfPages = (scripts: readonly string[]): string =>
  [
    ...COMMON,
    `script-src 'self' ${scripts.map((hash) => `'${hash}'`).join(' ')}`,
    "style-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types vue',
  ].join('; ')

// The editor of the reference writes its styles inline. Images, fonts and connections go only to this host, so a style
// has no way out.
const POLICY_OF_REFERENCE = [...COMMON, "script-src 'self'", "style-src 'self' 'unsafe-inline'"].join('; ')

export function manualRoutes(app: FastifyInstance, documentOf: () => Document): void {
  const files = openAppFiles(BUILT)

  async function readPolicy(): Promise<string> {
    const file = await files.find('policy.json')
    const { scripts } = JSON.parse(file?.plain.toString() ?? '{"scripts":[]}') as {
      readonly scripts: readonly string[]
    }
    return policyOfPages(scripts)
  }

  async function send(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
    const found = (await files.find(path)) ?? (await files.find(`${path}.html`))
    const isReference = path.startsWith('reference')
    reply.header('Content-Security-Policy', isReference ? POLICY_OF_REFERENCE : await readPolicy())
    if (found) {
      const caching = path.startsWith('assets/') || path.startsWith('reference/chunks/') ? FOR_EVER : ASK_AGAIN
      return sendFile(request, reply.header('Cache-Control', caching), found)
    }
    const missing = request.headers.accept?.includes('text/html') ? await files.find('404.html') : undefined
    if (!missing) throw new ApiError('not_found')
    return reply.code(404).type(missing.type).send(missing.plain)
  }

  app.get('/docs', BULK, (_request, reply) => reply.redirect('/docs/', 308))
  app.get<{ Params: { '*': string } }>('/docs/*', BULK, (request, reply) => {
    const path = request.params['*']
    const [to, query = ''] = [findMoved(path), request.url.split('?')[1]]
    if (path === '') return send(request, reply, 'index')
    if (path === 'reference') return send(request, reply, 'reference/index.html')
    if (to !== undefined) return reply.redirect(to, 308)
    if (IN_REPOSITORY.test(path)) return reply.redirect(`${REPOSITORY}/docs/${path}.md`, 308)
    if (path.endsWith('/')) return reply.redirect(`/docs/${path.slice(0, -1)}${query && `?${query}`}`, 308)
    return send(request, reply, path)
  })
  for (const name of ['llms.txt', 'llms-full.txt'])
    app.get(`/${name}`, BULK, (request, reply) => send(request, reply, name))
  app.get('/openapi.json', BULK, (_request, reply) => reply.send(JSON.stringify(documentOf())))
}
