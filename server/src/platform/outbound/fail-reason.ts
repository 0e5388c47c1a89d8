/** Our own codes for why a request got no response. */
import { ProxyRefused } from './proxy.ts'
import { PrivateAddress } from './public-lookup.ts'

/**
 * `refused`: the server accepts no connection, we have too many requests to it already, or the URL is not allowed.
 * `proxy`: the proxy accepts no connection or does not connect; `proxy_credentials`: because it wants other credentials.
 */
export type FailReason =
  | 'timeout'
  | 'refused'
  | 'tls'
  | 'too_large'
  | 'encoded'
  | 'redirect'
  | 'aborted'
  | 'private_address'
  | 'proxy'
  | 'proxy_credentials'
  | 'network'

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])
// OpenSSL's codes for an invalid chain, and Node's for a wrong host name or a failed handshake.
const TLS =
  /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|EPROTO)/

export function reasonOf(error: unknown): FailReason {
  if (error instanceof PrivateAddress) return 'private_address'
  if (error instanceof ProxyRefused) return error.wantsCredentials ? 'proxy_credentials' : 'proxy'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (TIMEOUTS.has(code)) return 'timeout'
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too_large'
  return TLS.test(code) ? 'tls' : 'network'
}
