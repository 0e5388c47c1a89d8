/** Signing out, from wherever somebody sees that they are signed in: perhaps as somebody else than they thought. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { takeLimits } from '../attempts.ts'
import { formOf } from './form.ts'
import { fillHtml, html } from './html.ts'
import type { Html } from './html.ts'
import { errandOf, pathWith } from './onward.ts'
import { askPeople } from './visit.ts'
import type { Visit } from './visit.ts'

/** Who is here, and the way out; `kept` is what they came for, so that they can come back to it as another. */
export function whoIsHere({ texts }: Visit, email: string, kept: Readonly<Record<string, string | undefined>>): Html {
  return html`<p class="small">${fillHtml(texts.signed_in_as, { email })}</p>
    ${formOf('/sign-out', kept, html`<button class="quiet">${texts.sign_out}</button>`)}`
}

export async function signOut(ctx: Context, visit: Visit): Promise<FastifyReply> {
  await takeLimits(ctx, visit.request, { name: 'POST /sign-out', form: new Map() })
  await askPeople(ctx, visit, '/sign-out', {})
  return visit.reply.redirect(pathWith('/sign-in', errandOf(visit)), 303)
}
