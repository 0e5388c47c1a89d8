/**
 * A registry over EPP, for operators who are its accredited registrar: the most reliable source, and it supports
 * batches.
 */
import { readFile } from 'node:fs/promises'
import { behindLabel } from '../../model/domain.ts'
import { Secret } from '../../model/secret.ts'
import { secretOf, urlOf } from '../../platform/config/parse.ts'
import { evidenceOf } from './claim.ts'
import { defineRegistrar } from './declaration.ts'
import { claimsIn } from './epp-check.ts'
import { writeCheck } from './epp-messages.ts'
import type { EppSessionOptions } from './epp-session.ts'
import { openEppSession } from './epp-session.ts'
import type { HealthTracker } from '../../platform/outbound/health-tracker.ts'
import type { Registrar } from './registrar.ts'
import { Limited } from './registrar.ts'

export interface EppOptions extends EppSessionOptions {
  /** The source name in evidence; must be unique if there are several registries. */
  readonly name?: string
  /** The host whose budget a command is taken from. */
  readonly host: string
  /** It is asked only about these; its results for other suffixes would mean nothing. */
  readonly suffixes: readonly string[]
  /** The most names in one command; registries publish theirs. */
  readonly batch?: number
  /** The registry has no price tiers, so its `avail` is sufficient. */
  readonly onePrice?: boolean
  readonly health?: HealthTracker
}

export interface EppRegistrar extends Registrar {
  close(): Promise<void>
}

const NAME = 'epp'
// Few registries accept fewer; those that accept more document it for their registrars.
const BATCH = 20
// RFC 5730 §3, "session limit exceeded", which registries also use for "too many commands".
const TOO_MANY = 2502

export const epp = defineRegistrar({
  name: NAME,
  title: 'a registry by EPP',
  settings: {
    NAMEWRIGHT_EPP_URL: {
      about: 'For accredited registrars: host, login and suffixes, as `epps://client:password@host:700/com,net`.',
      example: 'epps://client:change-me@epp.registry.example:700/com,net',
      secret: true,
      required: true,
      parse: secretOf(urlOf('epps:')),
    },
    NAMEWRIGHT_EPP_CERT_FILE: {
      about: 'Client certificate for EPP (PEM).',
      example: '/etc/namewright/epp/cert.pem',
      parse: (text) => text,
    },
    NAMEWRIGHT_EPP_KEY_FILE: {
      about: 'Private key of that certificate (PEM).',
      example: '/etc/namewright/epp/key.pem',
      parse: (text) => text,
    },
  },
  host: { setting: 'NAMEWRIGHT_EPP_URL' },
  batch: BATCH,
  docs: { needs: 'mostly a client certificate', premiumPrices: 'yes, by the fee extension, in US dollars' },
  privacy: 'The names of its suffixes, with your login and client certificate.',
  async create(settings, { connectTls, now, health, onClose }) {
    const { hostname, port, username, password, pathname } = new URL(settings.NAMEWRIGHT_EPP_URL.reveal())
    const { NAMEWRIGHT_EPP_CERT_FILE: certFile, NAMEWRIGHT_EPP_KEY_FILE: keyFile } = settings
    const identity =
      certFile && keyFile ? { cert: await readFile(certFile, 'utf8'), key: await readFile(keyFile, 'utf8') } : undefined
    const registry = openEpp({
      host: hostname,
      suffixes: pathname.slice(1).split(','),
      clientId: decodeURIComponent(username),
      password: new Secret(decodeURIComponent(password)),
      connect: () => connectTls({ host: hostname, port: Number(port || 700), ...identity }),
      now,
      health,
    })
    onClose(() => registry.close())
    return registry
  },
})

export function openEpp(options: EppOptions): EppRegistrar {
  const { name = NAME, host, suffixes, batch = BATCH, onePrice = false, now, health } = options
  const session = openEppSession(options)
  const ours = new Set(suffixes)

  return {
    name,
    host,
    batch,
    suffixes,
    async check(domains, signal) {
      const asked = domains.filter((domain) => ours.has(behindLabel(domain)))
      if (asked.length === 0) return []
      const at = now()
      const sentAt = performance.now()
      health?.ask()
      const response = await session.exchange(
        (clTrid, hasFees) => writeCheck({ domains: asked, withFees: hasFees && !onePrice, clTrid }),
        signal,
      )
      if (response?.code === 1000) health?.answered(performance.now() - sentAt)
      else if (signal.aborted) health?.withdrew()
      else health?.failed()
      if (response?.code === TOO_MANY) throw new Limited()
      if (response?.code !== 1000) return []
      return evidenceOf(name, at, asked, claimsIn(response.element, { onePrice }))
    },
    close: () => session.close(),
  }
}
