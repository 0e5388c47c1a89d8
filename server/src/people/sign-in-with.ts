/**
 * The operator's own providers: any OpenID Connect issuer by its discovery document, and GitHub, which has none.
 *
 * An address that the provider has not verified is only a claim. It opens nothing that is here, and whoever is new
 * proves it by a letter before the first sign-in. A verified one is joined to the person here who has verified the same,
 * unless they have turned on a second factor: then whoever got hold of the address alone would walk around it.
 */
import type { BetterAuthOptions } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins'
import type { Provider } from '../config/parse.ts'
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
        // Who leaves here has not left there.
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
