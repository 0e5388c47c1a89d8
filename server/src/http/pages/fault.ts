/** The error page: the same message and hint as in the API. */
import type { FastifyReply } from 'fastify'
import { ERRORS } from '../../model/errors.ts'
import type { ApiError } from '../../model/errors.ts'
import { fillIn } from '../wire/language.ts'
import { html } from './html.ts'
import { show } from './visit.ts'
import type { PageVisit } from './visit.ts'

export function showFault(visit: PageVisit, { code, detail }: ApiError): FastifyReply {
  const { messages, reply, request } = visit
  const { status, retry } = ERRORS[code]
  const seconds = detail.retryAfter ?? 2
  if (retry === 'later') reply.header('Retry-After', seconds)
  const params = { seconds, ...detail.params }
  return show(visit, status, {
    title: fillIn(messages.errors[code].message, params),
    content: html`<p>${fillIn(messages.errors[code].hint, params)}</p>
      ${status >= 500 && html`<p class="small"><bdi>${request.id}</bdi></p>`}`,
  })
}
