/** Where callers come in: certificate and key, the address they are told, and what stands in the settings by example only. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Config } from '../config/config.ts'
import { SETTINGS } from '../config/settings.ts'
import { notesOn, reasonOf } from './finding.ts'
import type { Finding } from './finding.ts'

const DAY_MS = 86_400_000
// Renewals come 30 days before the end; two weeks before it one has failed.
const DAYS_LEFT = 14

export async function lookAtTls({ tls, publicUrl }: Config, now: number): Promise<readonly Finding[]> {
  const notes = notesOn('TLS')
  if (tls === undefined) {
    notes.skipped('off: the port speaks plain HTTP, for a proxy that ends TLS in front of it')
    return notes.list
  }
  let certificate: X509Certificate
  try {
    const [cert, key] = await Promise.all([readFile(tls.certFile), readFile(tls.keyFile)])
    certificate = new X509Certificate(cert)
    if (!certificate.checkPrivateKey(createPrivateKey(key))) {
      notes.problem('the key is not the key of the certificate', 'name the key that the certificate was made with')
    } else notes.ok('certificate and key belong together')
  } catch (error) {
    notes.problem(reasonOf(error), 'name two PEM files that the user who runs the service can read')
    return notes.list
  }
  const days = Math.floor((certificate.validToDate.getTime() - now) / DAY_MS)
  if (certificate.validFromDate.getTime() > now) {
    notes.problem(`it is not valid before ${certificate.validFrom}`, 'set the clock right, or use another certificate')
  } else if (days < 0)
    notes.problem(`it expired on ${certificate.validTo}`, 'renew it and restart the nodes one by one')
  else if (days < DAYS_LEFT) notes.warning(`${days} days left`, 'renew it: the renewal should have happened by now')
  else notes.ok(`${days} days left`)
  const host = URL.parse(publicUrl)?.hostname
  const isFor = (name: string) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined
  if (host && !isFor(host.replace(/^\[|\]$/g, ''))) {
    notes.problem(`it is not for ${host}`, 'use a certificate for the host in NAMEWRIGHT_PUBLIC_URL')
  }
  return notes.list
}

export function lookAtAddress({ publicUrl, listen, tls, trustedProxies, people }: Config): readonly Finding[] {
  const notes = notesOn('public address')
  const url = URL.parse(publicUrl)
  const isLocal = url === null || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url === null) {
    const needs = people.signUp === 'open' || people.providers.length > 0
    const todo = 'set NAMEWRIGHT_PUBLIC_URL to where callers reach the service'
    if (needs) notes.problem('none is set, and people sign up or sign in with others', todo)
    else notes.warning('none is set: links are paths, and people can sign in at localhost only', todo)
  } else if (url.protocol === 'http:' && !isLocal) {
    notes.problem(`${url.origin} is plain HTTP`, 'use https: keys and cookies would be readable on the way')
  } else notes.ok(url.origin)
  const isOpen = listen.host === '0.0.0.0' || listen.host === '::'
  if (isOpen && !tls && trustedProxies.length === 0) {
    notes.warning(
      `it listens on ${listen.host}:${listen.port} in plain HTTP, and no proxy is named`,
      'set the TLS files, or listen where only the proxy reaches it and name that in NAMEWRIGHT_TRUSTED_PROXIES',
    )
  }
  return notes.list
}

/** What was copied from the examples opens the door to everybody who can read them. */
export function lookForExamples({ secret, database }: Config): readonly Finding[] {
  const notes = notesOn('secrets')
  if (secret.reveal() === SETTINGS.NAMEWRIGHT_SECRET.example) {
    notes.problem('NAMEWRIGHT_SECRET is the one of the documentation', 'make your own: openssl rand -hex 32')
  }
  if (URL.parse(database.url.reveal())?.password === 'change-me') {
    notes.problem('the password of the database is the one of the documentation', 'change it, there and in the setting')
  }
  if (notes.list.length === 0) notes.ok('none is one of the documentation')
  return notes.list
}
