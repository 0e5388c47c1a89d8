/**
 * A passkey stands for password and second factor at once, so it must have asked for a finger, a face or a PIN: a key
 * that only somebody touched is one factor. Better Auth asks for that, but takes what comes without.
 */
import type { PasskeyOptions } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'

export const provingPresence: Pick<PasskeyOptions, 'authenticatorSelection' | 'registration' | 'authentication'> = {
  // Found by the browser without an address typed in before.
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
    message: 'This passkey did not check who holds it.',
  })
}
