/**
 * Where letters are handed over: the operator's mail server, by the address they gave.
 *
 * The address is read here and not by nodemailer, which would take options out of its query, such as one that writes
 * whole letters to the log or one that trusts any certificate. What travels is encrypted and the server proves who it
 * is: `smtps://` from the first byte, `smtp://` by STARTTLS or not at all. Only to this very machine may it be plain.
 */
import { isIPv4 } from 'node:net'
import { createTransport } from 'nodemailer'
import { trustAlso } from '../outbound/trust.ts'

export interface SmtpOptions {
  readonly url: string
  readonly from: string
  /** Certificates (PEM) to trust besides the usual ones. */
  readonly ca?: string
}

// A mail server that has not answered by then is tried again later.
const CONNECT_TIMEOUT_MS = 10_000
// Scanners look at a letter before it is accepted; half a minute of silence is more than they take.
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
      // A connection that the server closed in the meantime is not the letter's fault; anything else is tried again by us.
      maxRequeues: 1,
      idleTimeout: IDLE_MS,
      // Not left to a resolver, which might know another "localhost".
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
      // Its lines quote recipients, and with these two all that is said.
      logger: false,
      debug: false,
      transactionLog: false,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from, xMailer: false },
  )
  // Whoever sent the letter is told as well; unheard, the event would end the process.
  transport.on('error', () => {})
  return transport
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}
