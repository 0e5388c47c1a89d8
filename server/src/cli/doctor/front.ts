/** Checks the public side: certificate and key, the public address, and settings that still have example values. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Config } from '../../platform/config/config.ts'
import { SETTINGS } from '../../platform/config/settings.ts'
import { notesOn, reasonOf } from './finding.ts'
import type { Finding } from './finding.ts'

const DAY_MS = 86_400_000
// Renewals run 30 days before expiry; two weeks before it, a renewal has failed.
const DAYS_LEFT = 14

export async function checkTls({ tls, publicUrl }: Config, now: number): Promise<readonly Finding[]> {
  const notes = notesOn('TLS')
  if (tls === undefined) {
    notes.skipped('off: the port serves plain HTTP, for a proxy that terminates TLS')
    return notes.list
  }
  let certificate: X509Certificate
  try {
    const [cert, key] = await Promise.all([readFile(tls.certFile), readFile(tls.keyFile)])
    certificate = new X509Certificate(cert)
    if (!certificate.checkPrivateKey(createPrivateKey(key)))
      notes.problem('the key does not match the certificate', 'set the private key of this certificate')
  } catch (error) {
    notes.problem(reasonOf(error), 'set two PEM files that the service user can read')
    return notes.list
  }
  const days = Math.floor((certificate.validToDate.getTime() - now) / DAY_MS)
  if (certificate.validFromDate.getTime() > now) {
    notes.problem(`it is not valid before ${certificate.validFrom}`, 'correct the clock, or use another certificate')
  } else if (days < 0)
    notes.problem(`it expired on ${certificate.validTo}`, 'renew it and restart the nodes one by one')
  else notes.expect(days >= DAYS_LEFT, `${days} days left`, 'renew it: the renewal is overdue')
  const host = URL.parse(publicUrl)?.hostname
  const isFor = (name: string) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined
  if (host && !isFor(host.replace(/^\[|\]$/g, ''))) {
    notes.problem(`it is not for ${host}`, 'use a certificate for the host in NAMEWRIGHT_PUBLIC_URL')
  }
  return notes.list
}

export function checkAddress({ publicUrl, listen, tls, trustedProxies, people }: Config): readonly Finding[] {
  const notes = notesOn('public address')
  const url = URL.parse(publicUrl)
  const isLocal = url === null || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url === null) {
    const needs = people.signUp === 'open' || people.providers.length > 0
    const todo = 'set NAMEWRIGHT_PUBLIC_URL to the public URL of the service'
    if (needs) notes.problem('not set, although sign-up is open or sign-in providers are set', todo)
    else notes.warning('not set: links are relative, and users can sign in at localhost only', todo)
  } else if (url.protocol === 'http:' && !isLocal) {
    notes.problem(`${url.origin} is plain HTTP`, 'use https: otherwise keys and cookies travel unencrypted')
  } else notes.ok(url.origin)
  const isOpen = listen.host === '0.0.0.0' || listen.host === '::'
  if (isOpen && !tls && trustedProxies.length === 0) {
    notes.warning(
      `it listens on ${listen.host}:${listen.port} in plain HTTP, and no trusted proxy is set`,
      'set the TLS files, or listen where only the proxy can connect and add it to NAMEWRIGHT_TRUSTED_PROXIES',
    )
  }
  return notes.list
}

/** Credentials copied from the examples give access to everybody who can read them. */
export function findExamples({ secrets, database }: Config): readonly Finding[] {
  const notes = notesOn('secrets')
  const examples: readonly string[] = [SETTINGS.NAMEWRIGHT_SECRET.example, SETTINGS.NAMEWRIGHT_ACCEPTED_SECRETS.example]
  for (const [i, secret] of secrets.entries()) {
    if (!examples.includes(secret.reveal())) continue
    const name = i === 0 ? 'NAMEWRIGHT_SECRET' : 'one of NAMEWRIGHT_ACCEPTED_SECRETS'
    notes.problem(`${name} is the example from the documentation`, 'create your own: openssl rand -hex 32')
  }
  if (URL.parse(database.url.reveal())?.password === 'change-me') {
    notes.problem(
      'the database password is the example from the documentation',
      'change it in PostgreSQL and in the setting',
    )
  }
  if (notes.list.length === 0) notes.ok('no secret is an example from the documentation')
  return notes.list
}
