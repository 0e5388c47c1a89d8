/** Signing out, from any page that shows the signed-in person, who may not be the one expected. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import { takeLimits } from '../../../http/within-limits.ts'
import { attempt } from '../attempts.ts'
import { formOf } from '../../../http/pages/form.ts'
import { fillHtml, html, type Html } from '../../../http/pages/html.ts'
import { continuationOf, pathWith } from './onward.ts'
import { askPeople } from './asking.ts'
import type { PageVisit } from '../../../http/pages/visit.ts'

/** Shows the signed-in person and a sign-out button. `kept` is the continuation, so that another person can continue it. */
export function whoIsHere(
  { texts }: PageVisit,
  email: string,
  kept: Readonly<Record<string, string | undefined>>,
): Html {
  return html`<p class="small">${fillHtml(texts.signed_in_as, { email })}</p>
    ${formOf('/sign-out', kept, html`<button class="quiet">${texts.sign_out}</button>`)}`
}

export async function signOut(ctx: Context, visit: PageVisit): Promise<FastifyReply> {
  await takeLimits(ctx, visit.request, { ...attempt('POST /sign-out'), form: new Map() })
  await askPeople(ctx, visit, '/sign-out', {})
  return visit.reply.redirect(pathWith('/sign-in', continuationOf(visit)), 303)
}
