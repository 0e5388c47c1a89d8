/**
 * How a link looks where somebody posts it: Open Graph tags in the head of the page, in the reader's language, with one
 * picture for all. Only pages that people send to each other have them: a search and a shared list.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../model/errors.ts'
import { plainLine } from '../../model/plain-line.ts'
import { addressSubject } from '../../platform/limits/limits.ts'
import { chooseLanguage, fillIn } from '../../http/wire/language.ts'
import { html } from '../../http/pages/html.ts'
import type { RouteContext } from '../../http/route-context.ts'
import type { LinkPreviews } from './app.ts'

// A site that shows links reads for many people from few addresses. Beyond the limit a link looks plain.
const READING = { name: 'link-preview', perHour: 1_200, burst: 120 }
// A title is cut at about 70 characters where it is shown.
const MAX_TITLE = 80
const IMAGE = { path: '/icons/link-preview.png', width: 1200, height: 630 }

export function linkPreviews(ctx: Context, routeContext: RouteContext): LinkPreviews {
  async function findTitle(request: FastifyRequest): Promise<string | undefined> {
    const { allowed } = await ctx.limits.take([{ ...READING, subject: addressSubject(request.ip) }])
    if (!allowed) return undefined
    const { token } = request.params as { token: string }
    try {
      return await ctx.shares.findTitle(await ctx.shares.parseToken(token))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_found') return undefined
      throw error
    }
  }

  return {
    async tagsOf(page, request) {
      const language = chooseLanguage({ accept: request.headers['accept-language'] })
      const words = routeContext.messagesFor(language).previews
      if (page === '/') {
        const described = descriptionOf(request)
        // The page that people open themselves stays as small as it is.
        if (described === '') return undefined
        return tags(fillIn(words.search_title, { words: described }), words.search_text, ctx.publicUrl)
      }
      const title = page === '/r/:token' || page === '/s/:token' ? await findTitle(request) : undefined
      return title === undefined ? undefined : tags(title, words.list_text, ctx.publicUrl)
    },
  }
}

function descriptionOf(request: FastifyRequest): string {
  const { d } = request.query as { d?: unknown }
  if (typeof d !== 'string') return ''
  const characters = Array.from(plainLine(d.slice(0, 4 * MAX_TITLE)))
  if (characters.length <= MAX_TITLE) return characters.join('')
  const start = characters.slice(0, MAX_TITLE - 1).join('')
  return `${start.trimEnd()}…`
}

function tags(title: string, text: string, publicUrl: string): string {
  return html`<meta property="og:site_name" content="Namewright" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${text}" />
    <meta property="og:image" content="${publicUrl}${IMAGE.path}" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="${IMAGE.width}" />
    <meta property="og:image:height" content="${IMAGE.height}" />
    <meta property="og:image:alt" content="Namewright" />
    <meta name="twitter:card" content="summary_large_image" /> `.text
}
