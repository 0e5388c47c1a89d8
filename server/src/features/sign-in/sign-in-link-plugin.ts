/**
 * Signing in with a link sent by email, in place of the password. Better Auth's plugin creates and redeems the tokens.
 * This file decides who gets a link, and makes the second factor apply.
 *
 * The response to a request for a link is the same for every address, and does not wait for the lookup. A link is bound
 * to the browser that asked for it: a link that somebody else asked for signs nobody in. `refusing.ts` enforces that,
 * and that each link works once.
 *
 * Never: creates a person. Never: signs in somebody whose address is unconfirmed.
 */
import { magicLink } from 'better-auth/plugins'
import type { twoFactor } from 'better-auth/plugins'
import type { watching, Watcher } from './auth-hooks.ts'
import { BROWSER_HEADER, SIGN_IN_LINK_PATH } from './conventions.ts'
import { isPathInEmail, SIGN_IN_LINK_SECONDS } from './emailed-links.ts'
import type { EmailedLinks } from './emailed-links.ts'
import type { HookContext } from './refusing.ts'
import { makeSignInLinkToken } from './sign-in-links.ts'

interface SignInLinkOptions {
  readonly publicUrl: string
  readonly links: EmailedLinks
  readonly watcher: Watcher
  readonly sendConfirmation: ReturnType<typeof watching>['sendConfirmation']
  readonly onFailure: (error: unknown) => void
}

export function signInLinkPlugin({ publicUrl, links, watcher, sendConfirmation, onFailure }: SignInLinkOptions) {
  async function send(ctx: HookContext, email: string, token: string, url: string): Promise<void> {
    const browser = ctx.headers?.get(BROWSER_HEADER) ?? undefined
    const known = await ctx.context.internalAdapter.findUserByEmail(email)
    if (!known || browser === undefined) return
    const { user } = known
    if (!user.emailVerified) return sendConfirmation(user)
    await links.issue('sign_in', user.id, { token, browser })
    const { language } = user as { language?: string | null }
    watcher.sendLink('sign_in', { email: user.email, name: user.name, language: language ?? null }, url)
  }

  return magicLink({
    expiresIn: SIGN_IN_LINK_SECONDS,
    disableSignUp: true,
    generateToken: makeSignInLinkToken,
    sendMagicLink: async ({ email, token, url }, ctx) => {
      const page = new URL('/sign-in-link', publicUrl)
      page.searchParams.set('token', token)
      const to = new URL(url).searchParams.get('callbackURL') ?? '/'
      if (isPathInEmail(to)) page.searchParams.set('to', to)
      if (ctx) void send(ctx, email, token, page.href).catch(onFailure)
    },
  })
}

type HookedRequest = Parameters<ReturnType<typeof twoFactor>['hooks']['after'][number]['matcher']>[0]

/** The plugin asks for a code after a password only. A link replaces the password, so a code is needed after it, too. */
export function alsoAfterLinks(plugin: ReturnType<typeof twoFactor>): typeof plugin {
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: (context: HookedRequest) => hook.matcher(context) || context.path === SIGN_IN_LINK_PATH,
  }))
  return { ...plugin, hooks: { after } }
}
