/** Why there is no answer, in our words. */
import { PrivateAddress } from './public-lookup.ts'

/** `refused`: the other side takes no connection, we have too many requests there already, or the URL is not one we ask. */
export type FailReason =
  | 'timeout'
  | 'refused'
  | 'tls'
  | 'too_large'
  | 'encoded'
  | 'redirect'
  | 'aborted'
  | 'private_address'
  | 'network'

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])
// OpenSSL's words for a chain that does not hold, and Node's for a name that does not fit or a handshake that fails.
const TLS =
  /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|EPROTO)/

export function reasonOf(error: unknown): FailReason {
  if (error instanceof PrivateAddress) return 'private_address'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (TIMEOUTS.has(code)) return 'timeout'
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too_large'
  return TLS.test(code) ? 'tls' : 'network'
}
