/**
 * The access requirement of every route. The server refuses to start if a route has no entry here and declares none
 * (`route.ts`).
 *
 * `token`: a credential in `Authorization: Bearer` with this scope. `session`: the cookie of a signed-in person who has
 * at least this role in the account that the path names. `operator`: a person who runs the installation. `public`: no
 * credential; any further check is in the route's own file. The scopes of each kind of credential are in
 * `model/permissions.ts`.
 */
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Scope } from '../model/caller.ts'
import type { Role } from '../model/member.ts'
import type { Priority } from './overload/concurrency-pool.ts'

export type Access =
  | { readonly by: 'token'; readonly audience: 'v1'; readonly scope: Scope }
  /** Each tool requires its own scope. */
  | { readonly by: 'token'; readonly audience: 'mcp' }
  | {
      readonly by: 'session'
      /** Undefined: any signed-in person, for their own data. */
      readonly least?: Role
      /** The lower role that is enough for one's own membership or for what one created. */
      readonly own?: Role
    }
  | { readonly by: 'operator' }
  | { readonly by: 'public' }

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Shed in this order: bulk, then normal (the default), then critical. */
    priority?: Priority | 'never'
    /** `naming`: also needs the naming thread. */
    pool?: 'naming'
  }
}

export const PUBLIC: Access = { by: 'public' }

export const ACCESS: Readonly<Record<string, Access>> = {
  'OPTIONS /v1/*': PUBLIC,
  'POST /mcp': { by: 'token', audience: 'mcp' },

  // These routes sign people in, so they need no session. `attempts.ts` has the limits of each.
  'GET /auth/get-session': PUBLIC,
  'POST /auth/sign-up/email': PUBLIC,
  'POST /auth/sign-in/email': PUBLIC,
  'POST /auth/sign-in/magic-link': PUBLIC,
  'POST /auth/sign-in/social': PUBLIC,
  'GET /auth/callback/{provider}': PUBLIC,
  'POST /auth/sign-out': PUBLIC,
  'POST /auth/send-verification-email': PUBLIC,
  'POST /auth/request-password-reset': PUBLIC,
  'POST /auth/reset-password': PUBLIC,
  'POST /auth/change-password': PUBLIC,
  'POST /auth/two-factor/enable': PUBLIC,
  'POST /auth/two-factor/disable': PUBLIC,
  'POST /auth/two-factor/get-totp-uri': PUBLIC,
  'POST /auth/two-factor/verify-totp': PUBLIC,
  'POST /auth/two-factor/verify-backup-code': PUBLIC,
  'POST /auth/two-factor/generate-backup-codes': PUBLIC,
  'GET /auth/passkey/generate-register-options': PUBLIC,
  'POST /auth/passkey/verify-registration': PUBLIC,
  'GET /auth/passkey/generate-authenticate-options': PUBLIC,
  'POST /auth/passkey/verify-authentication': PUBLIC,
  'GET /auth/passkey/list-user-passkeys': PUBLIC,
  'POST /auth/passkey/delete-passkey': PUBLIC,
  'POST /auth/passkey/update-passkey': PUBLIC,
  'GET /auth/oauth2/authorize': PUBLIC,
  'POST /auth/oauth2/authorize': PUBLIC,
  'POST /auth/oauth2/token': PUBLIC,
  'OPTIONS /auth/oauth2/token': PUBLIC,
  'POST /auth/oauth2/revoke': PUBLIC,
  'POST /auth/oauth2/introspect': PUBLIC,
  'POST /auth/oauth2/register': PUBLIC,
  'GET /auth/.well-known/oauth-authorization-server': PUBLIC,
  'GET /.well-known/oauth-authorization-server': PUBLIC,
  'GET /.well-known/oauth-authorization-server/auth': PUBLIC,
  'GET /.well-known/oauth-protected-resource/mcp': PUBLIC,
  'GET /.well-known/oauth-protected-resource/v1': PUBLIC,
  'GET /.well-known/change-password': PUBLIC,
  'GET /.well-known/security.txt': PUBLIC,

  'POST /shares': PUBLIC,
  'GET /shares/{token}': PUBLIC,
  'PUT /shares/{token}/votes': PUBLIC,
  'GET /web/session': PUBLIC,

  'GET /': PUBLIC,
  'GET /history': PUBLIC,
  'GET /favorites': PUBLIC,
  'GET /r/{token}': PUBLIC,
  'GET /s/{token}': PUBLIC,
  'GET /welcome': PUBLIC,
  'GET /verify-email': PUBLIC,
  'GET /settings': PUBLIC,
  'GET /settings/profile': PUBLIC,
  'GET /settings/appearance': PUBLIC,
  'GET /settings/security': PUBLIC,
  'GET /settings/keys': PUBLIC,
  'GET /settings/usage': PUBLIC,
  'GET /settings/apps': PUBLIC,
  'GET /settings/webhooks': PUBLIC,
  'GET /settings/team': PUBLIC,
  'GET /settings/audit': PUBLIC,
  'GET /settings/data': PUBLIC,
  'GET /operator': PUBLIC,
  'GET /assets/*': PUBLIC,
  'GET /icons/*': PUBLIC,
  'GET /manifest.webmanifest': PUBLIC,
  'GET /service-worker.js': PUBLIC,
  'GET /favicon.svg': PUBLIC,
  'GET /favicon.ico': PUBLIC,
  'GET /robots.txt': PUBLIC,
  'GET /embed/namewright-search.js': PUBLIC,
  'GET /docs': PUBLIC,
  'GET /docs/*': PUBLIC,
  'GET /openapi.json': PUBLIC,
  'GET /llms.txt': PUBLIC,
  'GET /llms-full.txt': PUBLIC,
  'GET /healthz': PUBLIC,
  'GET /readyz': PUBLIC,
}

/** Returns the name that the manual uses, such as `GET /v1/favorites/{id}`. A trailing slash does not count. */
export function routeName(method: string, url: string): string {
  const path = url.replaceAll(/:(\w+)/g, '{$1}').replace(/(?<=.)\/$/, '')
  return `${method === 'HEAD' ? 'GET' : method} ${path}`
}

/** Call before any route is added. Throws if a route has no entry. Returns the names of the added routes. */
export function enforceAccess(app: FastifyInstance): ReadonlySet<string> {
  const served = new Set<string>()
  app.addHook('onRoute', (route: RouteOptions) => {
    const names = [route.method].flat().map((method) => routeName(method, route.url))
    const declared = route.config?.access
    const access = declared ?? ACCESS[names[0] ?? '']
    if (!access || names.some((name) => ACCESS[name] !== (declared ? undefined : access))) {
      const problem = declared
        ? 'has an entry for this route, which declares its access'
        : 'has no entry for this route'
      throw new Error(`${names.join(', ')}: http/access.ts ${problem}`)
    }
    route.config = { ...route.config, access }
    for (const name of names) served.add(name)
  })
  return served
}
