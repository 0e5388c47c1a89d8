/** What the door and the people behind it have agreed on. */

/** Everything of Better Auth is under this path, and it is the path of the issuer. */
export const AUTH_PATH = '/auth'

/** Set by our own door from the connection, never taken from the caller. */
export const ADDRESS_HEADER = 'x-client-address'

/** How recent a sign-in must be for steps that cannot be undone. */
export const RECENT_SECONDS = 900
