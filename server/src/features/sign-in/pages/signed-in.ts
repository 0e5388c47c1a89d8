/** /signed-in: the last page for a person who signed in and was not on the way elsewhere. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import type { Person } from '../../../model/person.ts'
import { html } from '../../../http/pages/html.ts'
import { whoIsHere } from './sign-out.ts'
import { show, type PageVisit } from '../../../http/pages/visit.ts'

export function showSignedIn(_ctx: Context, visit: PageVisit, { email }: Person): FastifyReply {
  const { texts } = visit
  return show(visit, 200, {
    title: texts.done_title,
    content: html`<p role="status">${texts.done_about}</p>
      ${whoIsHere(visit, email, visit.kept)}`,
  })
}
