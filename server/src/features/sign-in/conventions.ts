/** Constants shared by the HTTP routes and the identity module. */

/** The base path of all Better Auth routes, and the path of the issuer. */
export const AUTH_PATH = '/auth'

/** Set by our own server: the cookie of a browser that signs up, returns from a provider or asks for a sign-in link. */
export const BROWSER_HEADER = 'x-browser-binding'

/** Better Auth's path that accepts a sign-in link. Not in the list of endpoints: only our own page requests it. */
export const SIGN_IN_LINK_PATH = '/magic-link/verify'

/** Set by our own server: marks a step-up by a signed-in person, not a sign-in. */
export const STEP_UP_HEADER = 'x-step-up'

/** `__Host-`: browsers accept the cookie only from this host, over HTTPS, for all paths. */
export function cookiePrefixOf(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-namewright' : 'namewright'
}
