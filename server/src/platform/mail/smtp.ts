/**
 * Connects to the operator's mail server, from the URL in the settings.
 *
 * The URL is parsed here and not by nodemailer, which would accept options from its query, such as logging whole emails
 * or trusting any certificate. The connection is encrypted and the server's certificate is verified: `smtps://` from
 * the first byte, `smtp://` with mandatory STARTTLS. Only a connection to this machine may be unencrypted.
 */
import { isIPv4 } from 'node:net'
import { createTransport } from 'nodemailer'
import { trustAlso } from '../outbound/trust.ts'

export interface SmtpOptions {
  readonly url: string
  readonly from: string
  /** Certificates (PEM) to trust in addition to the default ones. */
  readonly ca?: string
}

// A mail server that has not responded by then is retried later.
const CONNECT_TIMEOUT_MS = 10_000
// Mail servers scan an email before they accept it; this is longer than a scan takes.
const SILENCE_MS = 30_000
const IDLE_MS = 30_000
const CONNECTIONS = 4

export function openSmtp({ url, from, ca }: SmtpOptions) {
  const { protocol, hostname, port, username, password } = new URL(url)
  const isSecure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const isHere = !isSecure && isLoopback(host)
  const transport = createTransport(
    {
      pool: true,
      maxConnections: CONNECTIONS,
      // A connection that the server closed meanwhile is not the email's fault; all other retries are ours.
      maxRequeues: 1,
      idleTimeout: IDLE_MS,
      // Not left to a resolver, which might resolve "localhost" differently.
      host: isHere && host === 'localhost' ? '127.0.0.1' : host,
      port: port === '' ? (isSecure ? 465 : 587) : Number(port),
      secure: isSecure,
      requireTLS: !isSecure && !isHere,
      ignoreTLS: isHere,
      ...(ca === undefined ? {} : { tls: { secureContext: trustAlso(ca) } }),
      ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      dnsTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      // Its log lines quote recipients; these two options turn them off.
      logger: false,
      debug: false,
      transactionLog: false,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from, xMailer: false },
  )
  // The sender gets the error as well; without a listener the event would end the process.
  transport.on('error', () => {})
  return transport
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
