/**
 * The OAuth 2.0 authorization server (RFC 9700 is the checklist): codes with PKCE (S256 only), client credentials, and
 * refresh tokens that rotate at every use.
 *
 * Access tokens are opaque: a row, found by its hash. A signed token would avoid the row but could not be revoked
 * before it expires, and reusing a code or refresh token must revoke its tokens at once.
 *
 * A token is valid for one audience: `/v1` or `/mcp` (RFC 8707). A client that names none gets one for `/v1`.
 */
import { oauthProvider } from '@better-auth/oauth-provider'
import type { OAuthOptions, OAuthProviderExtension } from '@better-auth/oauth-provider'
import type { BetterAuthPlugin } from 'better-auth'
import { AUDIENCES, SCOPES } from '../../model/caller.ts'
import type { Audience } from '../../model/caller.ts'
import { hashOf, makeSecret } from '../../model/credential-text.ts'

export const OFFLINE = 'offline_access'

// RFC 6749 §4.1.2 recommends ten minutes at most; a browser needs seconds.
const CODE_SECONDS = 60
const ACCESS_SECONDS = 3_600
const REFRESH_SECONDS = 30 * 86_400

export function authorizationServer(options: {
  publicUrl: string
  resourceOf: (audience: Audience) => string
  /** The account that the person chose on the consent page. */
  accountOf: (session: Record<string, unknown>) => string | undefined
  extension: OAuthProviderExtension
}): { plugin: BetterAuthPlugin; options: OAuthOptions<string[]> } {
  const { publicUrl, resourceOf, accountOf, extension } = options
  const resources = AUDIENCES.map(resourceOf)
  const scopes = [...SCOPES, OFFLINE]
  const provider = oauthProvider({
    loginPage: `${publicUrl}/sign-in`,
    consentPage: `${publicUrl}/consent`,
    scopes,
    resources,
    resourceSeedMode: 'insertOnly',
    enforcePerClientResources: false,
    grantTypes: ['authorization_code', 'client_credentials', 'refresh_token'],
    codeExpiresIn: CODE_SECONDS,
    accessTokenExpiresIn: ACCESS_SECONDS,
    m2mAccessTokenExpiresIn: ACCESS_SECONDS,
    refreshTokenExpiresIn: REFRESH_SECONDS,
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    clientRegistrationDefaultScopes: scopes,
    // Opaque access tokens; see above. Better Auth then encrypts client secrets instead of hashing them.
    disableJwtPlugin: true,
    storeTokens: { hash: async (token) => hashOf(token).toString('hex') },
    generateOpaqueAccessToken: () => makeSecret('nwa'),
    generateRefreshToken: () => makeSecret('nwr'),
    generateClientSecret: () => makeSecret('nwc'),
    postLogin: {
      page: `${publicUrl}/consent`,
      shouldRedirect: () => false,
      consentReferenceId: ({ session }) => accountOf(session),
    },
    extensions: [extension],
  })
  // The package's types disagree about fields that may be undefined; our compiler settings are strict about that.
  return { plugin: provider as BetterAuthPlugin, options: provider.options }
}
