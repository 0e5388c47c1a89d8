/**
 * The search page with its first screen already in it, in the reader's language: it is seen before any script is there. The
 * build makes one page for each language, `home.<language>.html`; a build without them has one page for all.
 *
 * The language is that of the address (`lang`), then Accept-Language. A choice that only the browser stores is not known
 * here: `web/src/appearance.ts` hides the first screen then, until the app shows it in the right language.
 */
import type { FastifyRequest } from 'fastify'
import { chooseLanguage } from '../../http/wire/language.ts'
import type { SentFile } from '../../http/sent-files.ts'
import type { AppFiles } from '../../http/app-files.ts'

/** Undefined if this address shows something else than the first screen, or if the build has none. */
export async function findHomePage(files: AppFiles, { query, headers }: FastifyRequest): Promise<SentFile | undefined> {
  const { d, lang } = query as { readonly d?: unknown; readonly lang?: unknown }
  if (d !== undefined) return undefined
  return files.find(`home.${chooseLanguage({ body: lang, accept: headers['accept-language'] })}.html`)
}
