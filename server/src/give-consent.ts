/**
 * A person lets an application act for an account, or does not.
 *
 * What the application asks is never taken from the page's form as it is: the authorization server is asked again, as
 * the person who is signed in, and what it says (which application, where to return to, which scopes) is what is shown
 * and what is given. That also makes it no matter how long somebody thinks about it.
 *
 * The account's row for the application is written before the consent. Were the service to die in between, there is a
 * row that no token uses yet and the person asks again; the other way around they would not be asked again, and the
 * application would have tokens that open nothing.
 *
 * Fails with invalid_link for a question that no application may ask, not_found for an account the person is not in,
 * insufficient_role when their role has nothing to give.
 */
import { ApiError } from './errors.ts'
import type { Keys } from './keys/keys.ts'
import type { Members } from './members/members.ts'
import { FIRST_QUOTA, SCOPES } from './model/caller.ts'
import type { AccountId, Scope } from './model/caller.ts'
import { scopesWithin } from './model/member.ts'
import { shownName } from './model/shown-name.ts'
import { ADDRESS_HEADER, AUTH_PATH } from './people/people.ts'
import type { People, Person } from './people/people.ts'
import type { SecurityLog } from './security-log/security-log.ts'

export interface ConsentContext {
  readonly people: Pick<People, 'handle' | 'clientNames' | 'chooseAccount'>
  readonly members: Pick<Members, 'roleOf'>
  readonly keys: Pick<Keys, 'grant'>
  readonly securityLog: Pick<SecurityLog, 'noting'>
  readonly publicUrl: string
}

/** What an application asks of a person. */
export interface Question {
  readonly clientId: string
  /** What it calls itself; empty when it says nothing. */
  readonly name: string
  /** The account that registered it; null when it registered itself. */
  readonly owner: AccountId | null
  readonly redirectUri: string
  readonly scopes: readonly Scope[]
  /** Whether it wants to go on when the person is away. */
  readonly offline: boolean
  /** As the authorization server signed it, just now. */
  readonly signed: string
}

/** Not asked here: the person has to sign in first, or the application is told what is wrong with its question. */
export interface Elsewhere {
  readonly url: string
}

const OFFLINE = 'offline_access'

/** `query`: as it came to the page. */
export async function findQuestion(
  ctx: ConsentContext,
  query: string,
  headers: Headers,
): Promise<Question | Elsewhere> {
  const asked = new URLSearchParams(query)
  for (const name of ['sig', 'exp', 'ba_iat', 'ba_pl', 'ba_param']) asked.delete(name)
  // RFC 6749 §3.1: "Request and response parameters MUST NOT be included more than once."
  if (new Set(asked.keys()).size < asked.size) throw new ApiError('invalid_link')
  // PostgreSQL has no such character, so no application does.
  if ([...asked.values()].some((value) => value.includes('\0'))) throw new ApiError('invalid_link')
  const prompts = new Set((asked.get('prompt') ?? '').split(' ').filter((prompt) => prompt !== ''))
  // An earlier consent must not answer this one: the person may choose another account.
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

/** Where the person goes next: back to the application, with a code for it. */
export async function giveConsent(
  ctx: ConsentContext,
  given: { person: Person; account: AccountId; query: string; headers: Headers },
): Promise<string> {
  const { person, account, query, headers } = given
  const question = await findQuestion(ctx, query, headers)
  if (!('signed' in question)) return question.url
  const member = { accountId: account, userId: person.userId }
  const role = await ctx.members.roleOf(member)
  if (role === undefined) throw new ApiError('not_found')
  const scopes = scopesWithin(role, question.scopes)
  if (scopes.length === 0) throw new ApiError('insufficient_role', { params: { role: 'member' } })
  const { clientId, name, offline, signed } = question
  const note = ctx.securityLog.noting(account, {
    action: 'grant_given',
    actor: person.userId,
    ip: headers.get(ADDRESS_HEADER),
    detail: { client_id: clientId, name, scopes: scopes.join(' ') },
  })
  await ctx.keys.grant(
    member,
    { clientId, name: name || clientId, scopes, quota: FIRST_QUOTA, createdBy: person.userId },
    [note],
  )
  await ctx.people.chooseAccount(person.sessionId, account)
  return decide(ctx, { accept: true, scope: [...scopes, ...(offline ? [OFFLINE] : [])].join(' '), signed }, headers)
}

/** Where the person goes next: back to the application, with a no. */
export async function refuseConsent(ctx: ConsentContext, query: string, headers: Headers): Promise<string> {
  const question = await findQuestion(ctx, query, headers)
  return 'signed' in question ? decide(ctx, { accept: false, signed: question.signed }, headers) : question.url
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

/** Every answer of the authorization server to a person is an address to go to. */
async function askServer({ people, publicUrl }: ConsentContext, request: Request): Promise<string> {
  const response = await people.handle(request)
  if (response.status >= 500)
    throw new Error(`${request.method} ${request.url.split('?')[0]} answered ${response.status}`)
  if (response.status === 401) throw new ApiError('sign_in_required')
  const { url } = (await response.json()) as { url?: unknown }
  // RFC 6749 §4.1.2.1: with a wrong client or address to return to, the person is told, and nobody else.
  if (typeof url !== 'string' || isComplaint(url, publicUrl)) throw new ApiError('invalid_link')
  return url
}

function isComplaint(url: string, publicUrl: string): boolean {
  return url.startsWith(`${publicUrl}/`) && new URL(url).searchParams.has('error')
}
