/** The certificate authorities that TLS trusts: the default ones, and those that the operator adds (PEM). */
import { createSecureContext, getCACertificates } from 'node:tls'
import type { SecureContext } from 'node:tls'

export function trustAlso(ca: string): SecureContext {
  return createSecureContext({ ca: [...getCACertificates('default'), ca] })
}
