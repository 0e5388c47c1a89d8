/**
 * A person authorizes an application to act for an account, or refuses.
 *
 * The values of the page's form are never trusted. The authorization server is queried again, as the signed-in person.
 * Its result (application, redirect URI, scopes) is what the page shows and what is granted. So it also does not matter
 * how long the person takes to decide.
 *
 * The account's row for the application is written before the consent. If the service dies in between, there is a row
 * that no token uses yet, and the person is asked again. In the other order they would not be asked again, and the
 * application would have tokens without any access.
 *
 * Fails with invalid_link for an invalid authorization request, not_found for an account the person is not in,
 * insufficient_role when their role has no permission to grant, application_blocked when the account blocks the
 * application.
 */
import { ApiError } from '../../model/errors.ts'
import type { Context } from '../../context.ts'
import type { Email, Mail } from '../../platform/mail/mail.ts'
import type { Member } from '../../model/member.ts'
import { FIRST_QUOTA, SCOPES, type AccountId, type Scope } from '../../model/caller.ts'
import { scopesOfRole } from '../../model/permissions.ts'
import { shownHost, shownName } from '../../model/shown-name.ts'
import { ADDRESS_HEADER } from '../../http/settings/session-auth.ts'
import { AUTH_PATH, type People } from './people.ts'
import type { Person } from '../../model/person.ts'
import type { AuditLog } from '../../platform/audit-log/audit-log.ts'

export interface ConsentContext {
  readonly people: Pick<People, 'handle' | 'clientNames' | 'chooseAccount' | 'find'>
  readonly accounts: Pick<Context['accounts'], 'find'>
  readonly members: Pick<Context['members'], 'roleOf' | 'list'>
  readonly keys: Pick<Context['keys'], 'grant'>
  readonly mail: Pick<Mail, 'send'>
  readonly auditLog: Pick<AuditLog, 'noting'>
  readonly publicUrl: string
}

/** An application's authorization request to a person. */
export interface ConsentRequest {
  readonly clientId: string
  /** The name it declares; empty when it declares none. */
  readonly name: string
  /** The account that registered it; null when it registered itself. */
  readonly owner: AccountId | null
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  /** Whether it requests access while the person is offline. */
  readonly offline: boolean
  /** The query as the authorization server just signed it. */
  readonly signed: string
}

/** No consent page: the person must sign in first, or the application receives an error. */
export interface Elsewhere {
  readonly url: string
}

const OFFLINE = 'offline_access'

/** `query`: as the page received it. */
export async function findConsentRequest(
  ctx: ConsentContext,
  query: string,
  headers: Headers,
): Promise<ConsentRequest | Elsewhere> {
  const asked = new URLSearchParams(query)
  for (const name of ['sig', 'exp', 'ba_iat', 'ba_pl', 'ba_param']) asked.delete(name)
  // RFC 6749 §3.1: "Request and response parameters MUST NOT be included more than once."
  if (new Set(asked.keys()).size < asked.size) throw new ApiError('invalid_link')
  // PostgreSQL cannot store this character, so no application has it.
  if ([...asked.values()].some((value) => value.includes('\0'))) throw new ApiError('invalid_link')
  const prompts = new Set((asked.get('prompt') ?? '').split(' ').filter((prompt) => prompt !== ''))
  // An earlier consent must not answer this request: the person may choose another account.
  asked.set('prompt', [...prompts.add('consent')].join(' '))
  const url = await askServer(ctx, new Request(`${serverOf(ctx)}/authorize?${asked.toString()}`, { headers }))
  const page = `${ctx.publicUrl}/consent?`
  if (!url.startsWith(page)) return { url }
  const signed = url.slice(page.length)
  const sure = new URLSearchParams(signed)
  const clientId = sure.get('client_id') ?? ''
  const client = (await ctx.people.clientNames([clientId])).get(clientId)
  if (!client) throw new ApiError('not_found')
  const wanted = new Set((sure.get('scope') ?? '').split(' '))
  return {
    clientId,
    name: client.name === clientId ? '' : shownName(client.name),
    owner: client.owner,
    redirectUri: sure.get('redirect_uri') ?? '',
    scopes: SCOPES.filter((scope) => wanted.has(scope)),
    offline: wanted.has(OFFLINE),
    signed,
  }
}

/** Returns where the person goes next: back to the application, with a code. */
export async function giveConsent(
  ctx: ConsentContext,
  given: { person: Person; account: AccountId; query: string; headers: Headers },
): Promise<string> {
  const { person, account, query, headers } = given
  const consentRequest = await findConsentRequest(ctx, query, headers)
  if (!('signed' in consentRequest)) return consentRequest.url
  const member = { accountId: account, userId: person.userId }
  const role = await ctx.members.roleOf(member)
  if (role === undefined) throw new ApiError('not_found')
  const scopes = scopesOfRole(role, consentRequest.scopes)
  if (scopes.length === 0) throw new ApiError('insufficient_role', { params: { role: 'member' } })
  const { clientId, name, offline, signed } = consentRequest
  const note = ctx.auditLog.noting(account, {
    action: 'grant_given',
    actor: person.userId,
    credential: { kind: 'session', id: person.sessionId, clientId },
    ip: headers.get(ADDRESS_HEADER),
    detail: { client_id: clientId, name, scopes: scopes.join(' ') },
  })
  await ctx.keys.grant(
    member,
    {
      clientId,
      name: name || clientId,
      scopes,
      quota: FIRST_QUOTA,
      createdBy: person.userId,
      isOwn: consentRequest.owner === account,
    },
    [note],
  )
  await ctx.people.chooseAccount(person.sessionId, account)
  const client = { client: name || clientId, host: shownHost(consentRequest.redirectUri) }
  const notices = await noticesOf(ctx, member, client)
  const scope = [...scopes, ...(offline ? [OFFLINE] : [])].join(' ')
  const url = await decide(ctx, { accept: true, scope, signed }, headers)
  for (const notice of notices) ctx.mail.send(notice)
  return url
}

/** To the person and the owners of the account: somebody else may have used the person's session. */
async function noticesOf(
  ctx: ConsentContext,
  { accountId, userId }: Member,
  client: { client: string; host: string },
): Promise<Email[]> {
  const [found, members] = await Promise.all([ctx.accounts.find(accountId), ctx.members.list(accountId)])
  const owners = members.filter(({ role }) => role === 'owner').map(({ user_id }) => user_id)
  const readers = await Promise.all(Array.from(new Set([userId, ...owners]), (reader) => ctx.people.find(reader)))
  return readers.flatMap((reader) => {
    if (!reader) return []
    const { email, name, language } = reader
    const params = { ...client, name, account: found?.name ?? '' }
    return [{ kind: 'authorized', to: email, language, url: `${ctx.publicUrl}/settings/apps`, params }]
  })
}

/** Returns where the person goes next: back to the application, with a refusal. */
export async function refuseConsent(ctx: ConsentContext, query: string, headers: Headers): Promise<string> {
  const consentRequest = await findConsentRequest(ctx, query, headers)
  return 'signed' in consentRequest
    ? decide(ctx, { accept: false, signed: consentRequest.signed }, headers)
    : consentRequest.url
}

function decide(
  ctx: ConsentContext,
  { signed, ...decision }: { accept: boolean; scope?: string; signed: string },
  headers: Headers,
): Promise<string> {
  const body = JSON.stringify({ ...decision, oauth_query: signed })
  return askServer(ctx, new Request(`${serverOf(ctx)}/consent`, { method: 'POST', headers, body }))
}

function serverOf({ publicUrl }: ConsentContext): string {
  return `${publicUrl}${AUTH_PATH}/oauth2`
}

/** Every response of the authorization server to a person is a URL to go to. */
async function askServer({ people, publicUrl }: ConsentContext, request: Request): Promise<string> {
  const response = await people.handle(request)
  if (response.status >= 500)
    throw new Error(`${request.method} ${request.url.split('?')[0]} answered ${response.status}`)
  if (response.status === 401) throw new ApiError('sign_in_required')
  const { url } = (await response.json()) as { url?: unknown }
  // RFC 6749 §4.1.2.1: for an invalid client or redirect URI, inform the person and do not redirect.
  if (typeof url !== 'string' || isComplaint(url, publicUrl)) throw new ApiError('invalid_link')
  return url
}

function isComplaint(url: string, publicUrl: string): boolean {
  return url.startsWith(`${publicUrl}/`) && new URL(url).searchParams.has('error')
}
