/**
 * RFC 7662 token introspection: what an access token can be used for now.
 *
 * The authorization server returns the scopes that the token was issued with. But a token follows the role of its
 * person and the access of its application from one request to the next. So the response is narrowed to what `/v1` and
 * `/mcp` would accept: fewer scopes after a demotion, and `active: false` where the token would be refused.
 */
import type { Context } from '../../context.ts'
import { SCOPES } from '../../model/caller.ts'
import { kindOf } from '../../model/credential-text.ts'

interface Introspected {
  readonly active?: unknown
  readonly scope?: unknown
}

export async function asUsableNow(ctx: Pick<Context, 'keys'>, response: Response, token: unknown): Promise<Response> {
  if (response.status !== 200 || typeof token !== 'string') return response
  const said = (await response.clone().json()) as Introspected
  if (said.active !== true) return response
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  if (kindOf(token) !== 'nwa') {
    // A refresh token only gets new tokens, and their scopes are decided when they are issued.
    const { scope: _issued, ...rest } = said
    return Response.json(rest, { headers })
  }
  const usable = await ctx.keys.findScopes(token)
  if (!usable) return Response.json({ active: false }, { headers })
  const isUsable = (word: string) => !SCOPES.some((scope) => scope === word) || usable.some((scope) => scope === word)
  const issued = typeof said.scope === 'string' ? said.scope.split(' ') : []
  return Response.json({ ...said, scope: issued.filter(isUsable).join(' ') }, { headers })
}
