/** Whom TLS believes: the usual authorities, and those that the operator adds (PEM). */
import { createSecureContext, getCACertificates } from 'node:tls'
import type { SecureContext } from 'node:tls'

export function trustAlso(ca: string): SecureContext {
  return createSecureContext({ ca: [...getCACertificates('default'), ca] })
}
