/** Passkeys: what the browser and the sign-in server say to each other, in the browser's own JSON forms. */
import { askAuth, SignInError } from '../api/auth.ts'

export function canUsePasskeys(): boolean {
  return (
    typeof PublicKeyCredential === 'function' && typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'
  )
}

/** `offered`: among what the browser fills into the address field, without a question of its own. */
export async function signInWithPasskey(signal: AbortSignal, mediation: 'offered' | 'asked'): Promise<void> {
  await askAuth('/passkey/verify-authentication', { response: await passkeyProof(signal, mediation) })
}

/** What the browser answers to a challenge of the server. */
export async function passkeyProof(signal: AbortSignal, mediation: 'offered' | 'asked'): Promise<object> {
  const options = await askAuth<PublicKeyCredentialRequestOptionsJSON>('/passkey/generate-authenticate-options')
  const credential = await navigator.credentials.get({
    // The finger, face or PIN is the second factor.
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON({ ...options, userVerification: 'required' }),
    mediation: mediation === 'offered' ? 'conditional' : 'optional',
    signal,
  })
  if (!(credential instanceof PublicKeyCredential)) throw new SignInError('AUTHENTICATION_FAILED')
  return credential.toJSON()
}

export async function canOfferPasskeys(): Promise<boolean> {
  return canUsePasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable())
}

export async function addPasskey(name: string): Promise<void> {
  const options = await askAuth<PublicKeyCredentialCreationOptionsJSON>('/passkey/generate-register-options')
  const credential = await navigator.credentials
    .create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    .catch((cause: unknown) => {
      if (cause instanceof DOMException && cause.name === 'InvalidStateError')
        throw new SignInError('PREVIOUSLY_REGISTERED')
      throw cause
    })
  if (!(credential instanceof PublicKeyCredential)) throw new SignInError('FAILED_TO_VERIFY_REGISTRATION')
  await askAuth('/passkey/verify-registration', { name, response: credential.toJSON() })
}

/** Closed by the person or by us: nothing that went wrong. */
export function isCalledOff(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}
