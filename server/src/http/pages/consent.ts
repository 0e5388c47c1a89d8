/**
 * /consent: an application asks to act for somebody, and they decide.
 *
 * The page says who asks in the application's own words, which anybody can choose, and where the answer goes, which
 * they cannot: the host stands beside the name. What the person's role does not let them give is not on the list.
 */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { findQuestion, giveConsent, refuseConsent } from '../../give-consent.ts'
import type { Question } from '../../give-consent.ts'
import type { AccountId, Scope } from '../../model/caller.ts'
import { isUuid } from '../../model/id.ts'
import { scopesWithin } from '../../model/member.ts'
import { shownName } from '../../model/shown-name.ts'
import type { Person } from '../../people/people.ts'
import { fillIn } from '../../wire/language.ts'
import { takeLimits } from '../attempts.ts'
import { formOf } from './form.ts'
import { fillHtml, html } from './html.ts'
import type { Html } from './html.ts'
import { goOn, hostOf } from './onward.ts'
import { whoIsHere } from './sign-out.ts'
import { jsonHeadersOf, show } from './visit.ts'
import type { Visit } from './visit.ts'

/** An account, and what the person may let the application do in it. */
interface Place {
  readonly account: AccountId
  readonly name: string
  readonly scopes: readonly Scope[]
}

export async function showConsent(ctx: Context, visit: Visit, person: Person): Promise<FastifyReply> {
  const { request, reply, query } = visit
  await takeLimits(ctx, request, { name: 'GET /oauth2/authorize', form: new Map() })
  const question = await findQuestion(ctx, query.toString(), jsonHeadersOf(request))
  if (!('signed' in question)) return reply.redirect(question.url, 303)
  const { texts, messages, kept } = visit
  const host = hostOf(question.redirectUri)
  const client = question.name || host
  const accounts = await ctx.members.listAccounts(person.userId)
  const places = await placesOf(ctx, person, { accounts, question })
  const isOurs = accounts.some(({ account_id }) => account_id === question.owner)
  const note = !isOurs && html`<p class="note">${fillHtml(texts.consent_unverified, { client })}</p>`
  const form = (content: Html) => formOf('/consent', { ...kept, oauth_query: query.toString() }, content)
  const deny = html`<button name="decision" value="deny">${texts.consent_deny}</button>`
  const allow = html`<button class="main" name="decision" value="allow">${texts.consent_allow}</button>`
  const choice =
    places.length > 0
      ? html`<p>${fillHtml(texts.consent_about, { client, host })}</p>
          <ul>
            ${listOf(visit, question, places)}
          </ul>
          ${!question.offline && html`<p>${texts.consent_hour}</p>`} ${note}
          ${form(
            html`${accountField(visit, places)}
              <div class="two">${allow}${deny}</div>`,
          )}`
      : html`<p class="note">${fillIn(messages.errors.insufficient_role.message, { role: 'member' })}</p>
          <p>${messages.errors.insufficient_role.hint}</p>
          ${form(deny)}`
  return show(visit, 200, {
    title: fillIn(texts.consent_title, { client }),
    heading: fillHtml(texts.consent_title, { client }),
    content: html`${choice}
      <p class="small">${fillHtml(texts.consent_back, { host })}</p>
      ${whoIsHere(visit, person.email, { ...kept, oauth_query: query.toString() })}`,
  })
}

export async function decideConsent(ctx: Context, visit: Visit, person: Person): Promise<FastifyReply> {
  const { request, form } = visit
  await takeLimits(ctx, request, {
    name: 'POST /consent',
    limit: { address: [600, 60], meant: ['person', 120, 30] },
    form: new Map([['person', person.userId]]),
  })
  const query = form.get('oauth_query') ?? ''
  const headers = jsonHeadersOf(request)
  // Only a clear yes is one.
  if (form.get('decision') !== 'allow') return goOn(visit, await refuseConsent(ctx, query, headers))
  const account = form.get('account') ?? ''
  if (!isUuid(account)) throw new ApiError('not_found')
  return goOn(visit, await giveConsent(ctx, { person, account: account as AccountId, query, headers }))
}

async function placesOf(
  ctx: Context,
  { userId }: Person,
  asked: { accounts: Awaited<ReturnType<Context['members']['listAccounts']>>; question: Question },
): Promise<Place[]> {
  const open = asked.accounts
    .map(({ account_id, role }) => ({ account: account_id, scopes: scopesWithin(role, asked.question.scopes) }))
    .filter(({ scopes }) => scopes.length > 0)
  const names = await ctx.accounts.namesOf(open.map(({ account }) => ({ accountId: account, userId })))
  return open.map((place) => ({ ...place, name: shownName(names.get(place.account) ?? '') || place.account }))
}

/** What can be given in any of the accounts; where the role is less, less is given. */
function listOf({ messages }: Visit, { scopes, offline }: Question, places: readonly Place[]): Html[] {
  const given = scopes.filter((scope) => places.some((place) => place.scopes.includes(scope)))
  return [...given, ...(offline ? (['offline_access'] as const) : [])].map(
    (scope) => html`<li>${messages.scopes[scope]}</li>`,
  )
}

function accountField({ texts }: Visit, places: readonly Place[]): Html {
  const [only] = places
  if (only && places.length === 1) return html`<input type="hidden" name="account" value="${only.account}" />`
  const options = places.map(({ account, name }) => html`<option value="${account}">${name}</option>`)
  return html`<div class="field">
    <label for="account">${texts.consent_account}</label>
    <select id="account" name="account">
      ${options}
    </select>
  </div>`
}
