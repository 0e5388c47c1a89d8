/**
 * The face of a link, for the sites and messengers that people post it in: Open Graph and Twitter tags in the head of the
 * page, and the image that they name.
 *
 * Both are public, like the page: whoever has the link sees the same. The page's policy stays as it is, because tags load
 * nothing. Texts are in the reader's language; an image has one for everybody.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { addressSubject } from '../../tenancy/limits/limits.ts'
import { chooseLanguage } from '../../wire/language.ts'
import { html } from '../pages/html.ts'
import type { RouteContext } from '../route-context.ts'
import type { LinkPreviews } from '../web/app.ts'
import { HEIGHT, WIDTH } from './card.ts'
import { createPictures } from './pictures.ts'
import type { Picture } from './pictures.ts'
import { SUBJECTS } from './subjects.ts'
import type { LinkFace } from './subjects.ts'

// Of images that have to be drawn. A site that shows links fetches for many people from few addresses.
const OF_ADDRESS = { name: 'preview', perHour: 600, burst: 60 }
// Of all addresses and nodes together: two in a second, which is three per cent of one processor.
const OF_ALL = { name: 'preview-all', subject: 'all', perHour: 7_200, burst: 120 }
const KEPT = 'public, max-age=86400'
const KEPT_SHORTLY = 'public, max-age=60'

export function linkPreviews(app: FastifyInstance, ctx: Context, routeContext: RouteContext): LinkPreviews {
  const pictures = createPictures()

  function faceOf(subject: (typeof SUBJECTS)[number], request: FastifyRequest): Promise<LinkFace | undefined> {
    const language = chooseLanguage({ accept: request.headers['accept-language'] })
    return subject.find(ctx, request, language, routeContext.messagesFor(language).previews)
  }

  async function admits(request: FastifyRequest): Promise<boolean> {
    const own = await ctx.limits.take([{ ...OF_ADDRESS, subject: addressSubject(request.ip) }])
    // An address that is refused must not count against all others.
    return own.allowed && (await ctx.limits.take([OF_ALL])).allowed
  }

  for (const subject of SUBJECTS) {
    app.get(subject.image, async (request, reply) => {
      const face = (await pictures.isReady()) ? await faceOf(subject, request) : undefined
      if (!face) throw new ApiError('not_found')
      const { png, isInstead }: Picture = await pictures.find(face.card, () => admits(request))
      return reply
        .type('image/png')
        .headers({
          'Cache-Control': isInstead ? KEPT_SHORTLY : KEPT,
          // Other sites may show it.
          'Cross-Origin-Resource-Policy': 'cross-origin',
          'X-Robots-Tag': 'noindex',
        })
        .send(png)
    })
  }

  return {
    async tagsOf(page, request) {
      const subject = SUBJECTS.find((one) => one.page === page)
      const face = subject && (await faceOf(subject, request))
      if (!face) return undefined
      return tags(face, ctx.publicUrl, await pictures.isReady())
    },
  }
}

function tags({ title, text, image }: LinkFace, publicUrl: string, hasImage: boolean): string {
  const url = `${publicUrl}${image}`
  return html`<meta property="og:site_name" content="Namewright" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${text}" />
    ${
      hasImage &&
      html`<meta property="og:image" content="${url}" />
        <meta property="og:image:type" content="image/png" />
        <meta property="og:image:width" content="${WIDTH}" />
        <meta property="og:image:height" content="${HEIGHT}" />
        <meta property="og:image:alt" content="${title}" />`
    }
    <meta name="twitter:card" content="${hasImage ? 'summary_large_image' : 'summary'}" /> `.text
}
