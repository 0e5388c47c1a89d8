/**
 * What a link can be about, and how it looks where it is posted: its title, a sentence, and its image.
 *
 * One entry for each kind of page that people send to each other. Pages that belong to one person (history, favorites,
 * settings) have none, and neither has a link that no longer works. To give another page a face, add an entry: `page` is
 * its path in `web/app.ts`, `image` the path of its image.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { plainLine } from '../../library/shares/shares.ts'
import type { Share } from '../../library/shares/shares.ts'
import { fillIn } from '../../wire/language.ts'
import type { Language, Messages } from '../../wire/language.ts'
import type { Card } from './card.ts'

export interface LinkFace {
  readonly title: string
  readonly text: string
  readonly card: Card
  /** The path of the image, with its query. */
  readonly image: string
}

export interface LinkSubject {
  readonly page: string
  readonly image: string
  /** For the page and for the image: both have the same parameters. Undefined if there is nothing to show. */
  find(
    ctx: Context,
    request: FastifyRequest,
    language: Language,
    words: Messages['previews'],
  ): Promise<LinkFace | undefined>
}

// A title is cut at about 70 characters where it is shown.
const MAX_WORDS = 120
const MAX_TITLE = 80

const search: LinkSubject = {
  page: '/',
  image: '/og/search',
  async find(_ctx, request, _language, words) {
    const { d } = request.query as { d?: unknown }
    const described = typeof d === 'string' ? cut(plainLine(d.slice(0, 4 * MAX_WORDS)), MAX_WORDS) : ''
    // The page that people open themselves stays as small as it is.
    if (described === '') return undefined
    return {
      title: fillIn(words.search_title, { words: cut(described, MAX_TITLE) }),
      text: words.search_text,
      card: { kind: 'words', title: 'Names for', words: described },
      image: `${search.image}?d=${encodeURIComponent(described)}`,
    }
  },
}

/** `s` for links of earlier versions. */
const room = (segment: 'r' | 's'): LinkSubject => ({
  page: `/${segment}/:token`,
  image: `/og/${segment}/:token`,
  async find(ctx, request, language, words) {
    const { token } = request.params as { token: string }
    const share = await findShare(ctx, token)
    if (!share) return undefined
    const names = share.items.map(({ name }) => name)
    const listed = new Intl.ListFormat(language, { type: 'conjunction' }).format(names.slice(0, 8))
    return {
      title: share.title,
      text: fillIn(words.list_text, { names: listed }),
      // Their domains may be taken since: only the names.
      card: { kind: 'names', title: share.title, names },
      image: `/og/${segment}/${token}`,
    }
  },
})

export const SUBJECTS: readonly LinkSubject[] = [search, room('r'), room('s')]

/** Undefined for a link that does not work, or not any more. */
async function findShare({ shares }: Context, token: string): Promise<Share | undefined> {
  try {
    return await shares.open(await shares.parseToken(token))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

function cut(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
