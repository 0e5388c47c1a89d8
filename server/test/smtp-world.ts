/**
 * A mail server on loopback, and what arrived at it. It speaks real SMTP; of the emails it reads as much MIME as ours
 * use: multipart/alternative, quoted-printable, base64, encoded words.
 */
import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerOptions } from 'smtp-server'

export interface ReceivedEmail {
  readonly to: string
  /** Envelope senders and recipients are addresses; what the headers say is in `headers`, by lower-case name. */
  readonly from: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The line of the text that is an address on the web. */
  readonly link: string
  readonly headers: ReadonlyMap<string, string>
  readonly raw: string
}

export interface SmtpWorld extends AsyncDisposable {
  /** For NAMEWRIGHT_SMTP_URL. */
  readonly url: string
  readonly port: number
  readonly emails: readonly ReceivedEmail[]
  /** The n-th email to this address, now or when it comes. Fails after ten seconds. */
  waitFor(to: string, n?: number): Promise<ReceivedEmail>
  close(): Promise<void>
}

export interface SmtpWorldOptions {
  /** A status to refuse this attempt with, such as 451; attempts to an address are counted from 1. */
  readonly refuse?: (to: string, attempt: number) => number | undefined
  /** Accepts the connection and then says nothing to RCPT TO. */
  readonly stall?: boolean
  /** With a certificate: STARTTLS, or TLS from the first byte with `secure`. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly secure: boolean }
  readonly login?: { readonly user: string; readonly password: string }
}

const WAIT_MS = 45_000

export async function openSmtp({ refuse, stall, tls, login }: SmtpWorldOptions = {}): Promise<SmtpWorld> {
  const emails: ReceivedEmail[] = []
  const attempts = new Map<string, number>()
  const arrivals = new EventEmitter<{ email: [] }>().setMaxListeners(0)
  const options: SMTPServerOptions = {
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    ...(tls ? { key: tls.key, cert: tls.cert, secure: tls.secure } : {}),
    allowInsecureAuth: true,
    authOptional: login === undefined,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.password) done(null, { user: username })
      else done(new Error('no such user'))
    },
    onRcptTo({ address }, _session, done) {
      if (stall) return
      const attempt = (attempts.get(address) ?? 0) + 1
      attempts.set(address, attempt)
      const status = refuse?.(address, attempt)
      // As real servers do, it quotes the recipient.
      if (status) done(Object.assign(new Error(`<${address}> not now`), { responseCode: status }))
      else done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => {
        const raw = Buffer.concat(chunks).toString('latin1')
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        for (const { address } of rcptTo) emails.push(readEmail(raw, from, address))
        done()
        arrivals.emit('email')
      })
    },
  }
  const server = new SMTPServer(options)
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const close = () => new Promise<void>((closed) => server.close(() => closed()))
  const account = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : ''

  return {
    url: `${tls?.secure ? 'smtps' : 'smtp'}://${account}127.0.0.1:${port}`,
    port,
    emails,
    async waitFor(to, n = 1) {
      const signal = AbortSignal.timeout(WAIT_MS)
      for (;;) {
        const email = emails.filter((one) => one.to === to)[n - 1]
        if (email) return email
        await once(arrivals, 'email', { signal }).catch(() => {
          throw new Error(`no email ${n} to ${to}, but ${emails.length} others`)
        })
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface Part {
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

function readEmail(raw: string, from: string, to: string): ReceivedEmail {
  const whole = readPart(raw)
  const type = whole.headers.get('content-type') ?? ''
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1]
  const parts = boundary === undefined ? [whole] : splitParts(whole.body, boundary)
  const bodyOf = (kind: string) => {
    const part = parts.find(({ headers }) => headers.get('content-type')?.startsWith(kind))
    return part === undefined ? '' : decodeBody(part)
  }
  const text = bodyOf('text/plain')
  return {
    to,
    from,
    subject: whole.headers.get('subject') ?? '',
    text,
    html: bodyOf('text/html'),
    link: text.split('\n').find((line) => /^https?:/.test(line)) ?? '',
    headers: whole.headers,
    raw,
  }
}

function splitParts(body: string, boundary: string): Part[] {
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => readPart(part.replace(/^\r\n|\r\n$/g, '')))
}

function readPart(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw.slice(0, end).replaceAll(/\r\n(?=[ \t])/g, '')
  const headers = lines.split('\r\n').map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
  })
  return { headers: new Map(headers), body: raw.slice(end + 4) }
}

function decodeBody({ headers, body }: Part): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase()
  const bytes = encoding === 'base64' ? Buffer.from(body, 'base64') : Buffer.from(unquote(body, encoding), 'latin1')
  return bytes.toString('utf8').replaceAll('\r\n', '\n')
}

function unquote(text: string, encoding: string | undefined): string {
  return encoding === 'quoted-printable' ? unescapeHex(text.replaceAll(/=\r\n/g, '')) : text
}

function unescapeHex(text: string): string {
  return text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** RFC 2047: `=?UTF-8?Q?…?=`; the space between two of them is not part of the text. */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      (kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64')
        : Buffer.from(unescapeHex(word.replaceAll('_', ' ')), 'latin1')
      ).toString('utf8'),
    )
}
