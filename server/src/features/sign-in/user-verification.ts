/**
 * Requires user verification for passkeys. A passkey replaces password and second factor, so the device must have
 * checked a finger, a face or a PIN: a mere touch is one factor. Better Auth requests user verification but accepts
 * responses without it.
 */
import type { PasskeyOptions } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'

export const verifyUser: Pick<PasskeyOptions, 'authenticatorSelection' | 'registration' | 'authentication'> = {
  // The browser finds the passkey without an email address typed in first.
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  registration: {
    afterVerification: async ({ verification: { registrationInfo } }) =>
      requireVerified(registrationInfo?.userVerified),
  },
  authentication: {
    afterVerification: async ({ verification: { authenticationInfo } }) =>
      requireVerified(authenticationInfo.userVerified),
  },
}

function requireVerified(isVerified: boolean | undefined): void {
  if (isVerified === true) return
  throw new APIError('BAD_REQUEST', {
    code: 'USER_NOT_VERIFIED',
    message: 'This passkey did not verify the user.',
  })
}
