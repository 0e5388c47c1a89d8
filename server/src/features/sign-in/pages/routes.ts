/** The pages of the sign-in: for people who sign in or authorize an application, and the targets of links in emails. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import type { Page, ShowPage } from '../../../http/pages/add-pages.ts'
import type { PageVisit } from '../../../http/pages/visit.ts'
import type { Person } from '../../../model/person.ts'
import { changeEmail, showChangeEmail } from './change-email.ts'
import { confirmEmail, showConfirmEmail } from './confirm-email.ts'
import { decideConsent, showConsent } from './consent.ts'
import { continuationOf, pathWith } from './onward.ts'
import { resetPassword, showReset } from './reset-password.ts'
import { proveSecondFactor, showSecondFactor } from './second-factor.ts'
import { showSignIn, signIn } from './sign-in.ts'
import { showSignInLink, signInByLink } from './sign-in-link.ts'
import { signOut } from './sign-out.ts'
import { showSignedIn } from './signed-in.ts'

export const PAGES: readonly Page[] = [
  { path: '/sign-in', show: (ctx, visit) => showSignIn(ctx, visit), submit: signIn },
  { path: '/sign-in-link', show: (ctx, visit) => showSignInLink(ctx, visit), submit: signInByLink },
  { path: '/second-factor', show: (_ctx, visit) => showSecondFactor(visit), submit: proveSecondFactor },
  { path: '/consent', knows: true, show: toPerson(showConsent), submit: toPerson(decideConsent) },
  { path: '/confirm-email', show: (ctx, visit) => showConfirmEmail(ctx, visit), submit: confirmEmail },
  { path: '/change-email', knows: true, show: showChangeEmail, submit: changeEmail },
  { path: '/reset-password', show: (_ctx, visit) => showReset(visit), submit: resetPassword },
  { path: '/signed-in', knows: true, show: toPerson(showSignedIn) },
  { path: '/sign-out', submit: signOut, priority: 'never' },
]

/** Anybody else signs in first. */
function toPerson(
  page: (ctx: Context, visit: PageVisit, person: Person) => FastifyReply | Promise<FastifyReply>,
): ShowPage {
  return (ctx, visit, person) =>
    person ? page(ctx, visit, person) : visit.reply.redirect(pathWith('/sign-in', continuationOf(visit)), 303)
}
