/**
 * The page that leads back to an application that the person has not consented to, because its request failed.
 *
 * Anybody can register an application with any redirect URI, and make a request that fails without asking the person
 * (`prompt=none`, an unknown scope). A redirect would then make our address an open redirector (RFC 9700 §4.11.2). So a
 * page names the host, and the person decides.
 */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import type { Person } from '../../../model/person.ts'
import { shownHost } from '../../../model/shown-name.ts'
import { fillHtml, html } from '../../../http/pages/html.ts'
import { PAGE_HEADERS } from '../../../http/pages/page.ts'
import { show, type PageVisit } from '../../../http/pages/visit.ts'

/** Whether the browser may be redirected there without this page. */
export async function mayRedirect(
  ctx: Context,
  { url, clientId, person }: { url: string; clientId: string; person: Person | undefined },
): Promise<boolean> {
  // A URL without a host is one of our own paths.
  if (new URL(url, ctx.publicUrl).origin === new URL(ctx.publicUrl).origin) return true
  return person !== undefined && (await ctx.people.hasConsented(person.userId, clientId))
}

export function showReturn(visit: PageVisit, url: string): FastifyReply {
  const { texts } = visit
  const host = shownHost(url)
  const { searchParams, hash } = new URL(url)
  const error = searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error') ?? ''
  visit.reply.headers(PAGE_HEADERS)
  return show(visit, 400, {
    title: texts.return_title,
    content: html`<p>${fillHtml(texts.return_about, { host, error })}</p>
      <p class="note">${texts.return_warning}</p>
      <p><a href="${url}" rel="noreferrer">${fillHtml(texts.return_link, { host })}</a></p>`,
  })
}
