/** /signed-in: the end of the way for whoever came for nothing else. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import type { Person } from '../../people/people.ts'
import { html } from './html.ts'
import { whoIsHere } from './sign-out.ts'
import { show } from './visit.ts'
import type { Visit } from './visit.ts'

export function showSignedIn(_ctx: Context, visit: Visit, { email }: Person): FastifyReply {
  const { texts } = visit
  return show(visit, 200, {
    title: texts.done_title,
    content: html`<p role="status">${texts.done_about}</p>
      ${whoIsHere(visit, email, visit.kept)}`,
  })
}
