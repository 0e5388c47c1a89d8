/** /second-factor: two-factor authentication after the password. One field takes a code of the app or a recovery code. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import { attempt } from '../attempts.ts'
import { fillIn } from '../../../http/wire/language.ts'
import { fieldOf, formOf, mainButton } from '../../../http/pages/form.ts'
import { html } from '../../../http/pages/html.ts'
import { afterSignIn, continuationOf, pathWith } from './onward.ts'
import { enterWith } from './sign-in.ts'
import { secondsToWait, show, type PageVisit } from '../../../http/pages/visit.ts'
import { askPeople } from './asking.ts'

// How long the sign-in server refuses further codes for a person after ten wrong ones.
const LOCKED_SECONDS = 900

export function showSecondFactor(visit: PageVisit, status = 200, wrong?: string): FastifyReply {
  const { texts, kept } = visit
  const field = fieldOf({
    name: 'code',
    label: texts.code,
    type: 'text',
    autocomplete: 'one-time-code',
    wrong,
    first: true,
    most: 32,
  })
  const content = formOf(
    '/second-factor',
    { ...kept, ...continuationOf(visit) },
    html`${field}${mainButton(texts.continue)}`,
  )
  return show(visit, status, { title: texts.sign_in, content })
}

export async function proveSecondFactor(ctx: Context, visit: PageVisit): Promise<FastifyReply> {
  const { texts, form, reply } = visit
  const continuation = continuationOf(visit)
  const code = (form.get('code') ?? '').replace(/\s/g, '')
  const way = /^\d{6}$/.test(code) ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code'
  const seconds = await secondsToWait(ctx, visit, attempt(`POST ${way}`))
  if (seconds !== undefined) return tooMany(seconds)
  const said = await askPeople(ctx, visit, way, { code })
  if (said.fault === '') return enterWith(visit, afterSignIn(continuation, visit.home))
  if (said.fault === 'ACCOUNT_TEMPORARILY_LOCKED') return tooMany(LOCKED_SECONDS)
  // The accepted password has expired, by time or after wrong codes.
  const isOver = said.fault === 'INVALID_TWO_FACTOR_COOKIE' || said.fault === 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE'
  return isOver
    ? reply.redirect(pathWith('/sign-in', continuation), 303)
    : showSecondFactor(visit, 400, texts.wrong_code)

  function tooMany(wait: number): FastifyReply {
    reply.header('Retry-After', wait)
    return showSecondFactor(visit, 429, fillIn(texts.too_many, { seconds: wait }))
  }
}
