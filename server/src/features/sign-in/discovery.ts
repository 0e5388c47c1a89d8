/** Metadata that a client needs to get a token: authorization server (RFC 8414), protected resources (RFC 9728). */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { AUDIENCES, SCOPES, type Audience, type Scope } from '../../model/caller.ts'
import { AUTH_PATH } from './people.ts'
import { metadataOf } from './oauth-rules.ts'
import { headersOf } from '../../http/settings/session-auth.ts'

const SERVER = '/.well-known/oauth-authorization-server'
/** The scopes that can be used with each audience. */
const SCOPES_OF: Readonly<Record<Audience, readonly Scope[]>> = {
  v1: SCOPES,
  mcp: ['generate', 'domains:check', 'favorites:read', 'favorites:write'],
}

export function discoveryRoutes(app: FastifyInstance, ctx: Context): void {
  for (const path of [`${SERVER}${AUTH_PATH}`, `${AUTH_PATH}${SERVER}`, SERVER]) {
    app.get(path, async (request, reply) => {
      const asked = new Request(`${ctx.publicUrl}${SERVER}${AUTH_PATH}`, { headers: headersOf(request) })
      const metadata = (await (await ctx.people.handle(asked)).json()) as Record<string, unknown>
      return reply.header('Access-Control-Allow-Origin', '*').send(metadataOf(metadata))
    })
  }
  for (const audience of AUDIENCES) {
    app.get(`/.well-known/oauth-protected-resource/${audience}`, async (_request, reply) =>
      reply.header('Access-Control-Allow-Origin', '*').send({
        resource: ctx.resourceOf(audience),
        authorization_servers: [`${ctx.publicUrl}${AUTH_PATH}`],
        scopes_supported: SCOPES_OF[audience],
        bearer_methods_supported: ['header'],
        resource_name: 'Namewright',
        resource_documentation: `${ctx.publicUrl}/docs`,
      }),
    )
  }
}
