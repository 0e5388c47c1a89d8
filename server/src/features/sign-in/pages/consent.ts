/**
 * /consent: an application asks to act for a person, and the person decides.
 *
 * Anybody can choose the name of an application, but not the host that the response goes to. So the page shows the host
 * beside the name. Permissions that the person's role cannot grant are not on the list.
 *
 * An application keeps its access for months, so allowing it needs a recent proof of who the person is; denying it does
 * not.
 */
import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'
import { ApiError } from '../../../model/errors.ts'
import { findConsentRequest, giveConsent, refuseConsent, type ConsentRequest } from '../give-consent.ts'
import { isAllowed } from '../../keys/index.ts'
import type { AccountId, Scope } from '../../../model/caller.ts'
import { isUuid } from '../../../model/id.ts'
import { scopesOfRole } from '../../../model/permissions.ts'
import { shownHost, shownName } from '../../../model/shown-name.ts'
import type { Person } from '../../../model/person.ts'
import { fillIn } from '../../../http/wire/language.ts'
import { takeLimits } from '../../../http/within-limits.ts'
import { attempt } from '../attempts.ts'
import { formOf } from '../../../http/pages/form.ts'
import { fillHtml, html, type Html } from '../../../http/pages/html.ts'
import { goOn } from './onward.ts'
import { mayRedirect, showReturn } from './return-page.ts'
import { whoIsHere } from './sign-out.ts'
import { checkProof, showProof } from './step-up.ts'
import { show, type PageVisit } from '../../../http/pages/visit.ts'
import { jsonHeadersOf } from './asking.ts'

/** An account, and the scopes that the person may grant in it. */
interface Place {
  readonly account: AccountId
  readonly name: string
  readonly scopes: readonly Scope[]
}

export async function showConsent(ctx: Context, visit: PageVisit, person: Person): Promise<FastifyReply> {
  const { request, reply, query } = visit
  await takeLimits(ctx, request, { ...attempt('GET /oauth2/authorize'), form: new Map() })
  const consentRequest = await findConsentRequest(ctx, query.toString(), jsonHeadersOf(request))
  if (!('signed' in consentRequest)) {
    const clientId = query.get('client_id') ?? ''
    const isKnown = await mayRedirect(ctx, { url: consentRequest.url, clientId, person })
    return isKnown ? reply.redirect(consentRequest.url, 303) : showReturn(visit, consentRequest.url)
  }
  const { texts, messages, kept } = visit
  const host = shownHost(consentRequest.redirectUri)
  const client = consentRequest.name || host
  const accounts = await ctx.members.listAccounts(person.userId)
  const places = await placesOf(ctx, person, { accounts, consentRequest })
  const isOurs = accounts.some(({ account_id }) => account_id === consentRequest.owner)
  const note = !isOurs && html`<p class="note">${fillHtml(texts.consent_unverified, { client })}</p>`
  const form = (content: Html) => formOf('/consent', { ...kept, oauth_query: query.toString() }, content)
  const deny = html`<button name="decision" value="deny">${texts.consent_deny}</button>`
  const allow = html`<button class="main" name="decision" value="allow">${texts.consent_allow}</button>`
  const choice =
    places.length > 0
      ? html`<p>${fillHtml(texts.consent_about, { client, host })}</p>
          <ul>
            ${listOf(visit, consentRequest, places)}
          </ul>
          ${!consentRequest.offline && html`<p>${texts.consent_hour}</p>`} ${note}
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

export async function decideConsent(ctx: Context, visit: PageVisit, person: Person): Promise<FastifyReply> {
  const { request, form } = visit
  await takeLimits(ctx, request, {
    name: 'POST /consent',
    limit: { address: [600, 60], meant: ['person', 120, 30] },
    form: new Map([['person', person.userId]]),
  })
  const query = form.get('oauth_query') ?? ''
  const headers = jsonHeadersOf(request)
  // Anything but an explicit "allow" is a refusal.
  if (form.get('decision') !== 'allow') return goOn(visit, await refuseConsent(ctx, query, headers))
  const account = form.get('account') ?? ''
  if (!isUuid(account)) throw new ApiError('not_found')
  const proof = await checkProof(ctx, visit, person)
  if (proof !== 'given') {
    const fields = { oauth_query: query, account, decision: 'allow' }
    return showProof(ctx, visit, person, { fields, isWrong: proof === 'wrong' })
  }
  return goOn(visit, await giveConsent(ctx, { person, account: account as AccountId, query, headers }))
}

async function placesOf(
  ctx: Context,
  { userId }: Person,
  asked: { accounts: Awaited<ReturnType<Context['members']['listAccounts']>>; consentRequest: ConsentRequest },
): Promise<Place[]> {
  const open = asked.accounts
    .map(({ account_id, role }) => ({ account: account_id, scopes: scopesOfRole(role, asked.consentRequest.scopes) }))
    .filter(({ scopes }) => scopes.length > 0)
  const allowed = await Promise.all(
    open.map(async (place) => {
      const rules = await ctx.applicationRules.find({ accountId: place.account, userId })
      return isAllowed(rules, asked.consentRequest.clientId, asked.consentRequest.owner === place.account)
        ? [place]
        : []
    }),
  ).then((found) => found.flat())
  const names = await ctx.accounts.namesOf(allowed.map(({ account }) => ({ accountId: account, userId })))
  return allowed.map((place) => ({ ...place, name: shownName(names.get(place.account) ?? '') || place.account }))
}

/** The scopes that can be granted in any of the accounts. In an account where the role allows less, less is granted. */
function listOf({ messages }: PageVisit, { scopes, offline }: ConsentRequest, places: readonly Place[]): Html[] {
  const given = scopes.filter((scope) => places.some((place) => place.scopes.includes(scope)))
  return [...given, ...(offline ? (['offline_access'] as const) : [])].map(
    (scope) => html`<li>${messages.scopes[scope]}</li>`,
  )
}

function accountField({ texts }: PageVisit, places: readonly Place[]): Html {
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
