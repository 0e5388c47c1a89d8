/**
 * The operator's identity providers: any OpenID Connect issuer by its discovery document, and GitHub, which has none.
 *
 * An address that the provider has not verified is only a claim. It gives access to nothing, and a new person confirms
 * it by email before the first sign-in. A verified address is linked to the person here who verified the same address,
 * unless they use a second factor: otherwise control of the address alone would bypass it.
 */
import type { OAuthProvider } from '@better-auth/core/oauth2'
import type { BetterAuthOptions } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins'
import type { Provider } from '../../platform/config/parse.ts'
import { textOf } from './refusing.ts'

type Validate = NonNullable<NonNullable<BetterAuthOptions['user']>['validateUserInfo']>

interface ByGitHub {
  readonly clientId: string
  readonly clientSecret: string
  readonly disableSignUp: boolean
  readonly requireEmailVerification: boolean
}

export interface SignInWith {
  readonly socialProviders: { github?: ByGitHub }
  readonly plugin: ReturnType<typeof genericOAuth>
  readonly validate: Validate
}

export function signInWith(providers: readonly Provider[], { isOpen }: { isOpen: boolean }): SignInWith {
  const github = providers.find(({ name }) => name === 'github')
  const others = providers.filter(({ name }) => name !== 'github')
  const rules = { disableSignUp: !isOpen, requireEmailVerification: true }
  return {
    socialProviders: github
      ? { github: { clientId: github.clientId, clientSecret: github.clientSecret.reveal(), ...rules } }
      : {},
    plugin: genericOAuth({
      config: others.map(({ name, issuer, clientId, clientSecret }) => ({
        ...rules,
        providerId: name,
        discoveryUrl: `${issuer}/.well-known/openid-configuration`,
        requireIdTokenVerification: true,
        clientId,
        clientSecret: clientSecret.reveal(),
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        // Signing out here does not sign out at the provider.
        disableProviderLogout: true,
        mapProfileToUser: (profile) => ({
          name: textOf(profile.name) || textOf(profile['preferred_username']),
          emailVerified: profile['email_verified'] === true,
        }),
      })),
    }),
    validate: async ({ user, source: { action } }, { context }) => {
      if (action !== 'link-account' || typeof user.id !== 'string') return undefined
      const known = await context.internalAdapter.findUserById(user.id)
      const hasSecond = known !== null && 'twoFactorEnabled' in known && known.twoFactorEnabled === true
      return hasSecond ? { error: 'account_not_linked' } : undefined
    },
  }
}

/**
 * OpenID Connect Core §3.1.3.3: a token response contains an ID token. §5.3.2: a UserInfo response is valid only for
 * the same subject. Better Auth verifies an ID token if there is one, and continues without it otherwise.
 */
export function requiringIdToken(provider: OAuthProvider): OAuthProvider {
  // GitHub has no ID tokens; its API returns the owner of an access token.
  if (provider.id === 'github') return provider
  return {
    ...provider,
    async getUserInfo(tokens) {
      if (!tokens.idToken) return null
      const found = await provider.getUserInfo(tokens)
      return found && subjectOf(found.data) === subjectOf(claimsOf(tokens.idToken)) ? found : null
    },
  }
}

/** Reads an ID token that was verified before. */
function claimsOf(idToken: string): unknown {
  return JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
}

function subjectOf(claims: unknown): unknown {
  return typeof claims === 'object' && claims !== null && 'sub' in claims ? claims.sub : undefined
}
