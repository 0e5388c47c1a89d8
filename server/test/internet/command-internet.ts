/**
 * The internet as a command on a laptop meets it: one resolver, the registrar that needs no account, and the registries of
 * the real hosts' names, all on loopback. A process gets there by `env` alone.
 */
import { readFileSync } from 'node:fs'
import { makeCertificate } from '../certificate.ts'
import { answerTo, openFakeResolver } from './fake-resolver.ts'
import type { FakeResolver } from './fake-resolver.ts'
import { openRdapServer } from './rdap-server.ts'
import type { RdapServer } from './rdap-server.ts'
import { openRegistrarServer } from './registrar-server.ts'
import type { RegistrarServer } from './registrar-server.ts'

const REGISTRAR = 'api.vercel.com'
// What is asked with real names by which sources are tested.
const { servers, registered: known } = JSON.parse(
  readFileSync(new URL('../../data/rdap.json', import.meta.url), 'utf8'),
) as { servers: Readonly<Record<string, string>>; registered: { domains: string } }
const CONTROLS: ReadonlySet<string> = new Set(known.domains.split(' '))

export interface CommandInternet extends AsyncDisposable {
  /** All that the command is told of it. */
  readonly env: Readonly<Record<string, string>>
  readonly registrar: RegistrarServer
  readonly rdap: RdapServer
  readonly resolver: FakeResolver
}

export interface CommandInternetOptions {
  readonly isRegistered: (domain: string) => boolean
  /** Registered, and in no zone. */
  readonly isHeld?: (domain: string) => boolean
  /** Suffixes that the registrar sells besides com, net, org and shop. */
  readonly alsoSold?: readonly string[]
  /** How long the resolver and the registries take. */
  readonly dnsMs?: number
  readonly rdapMs?: number
  /** How many queries the resolver keeps open; it refuses more. */
  readonly maxOpenQueries?: number
}

export async function openCommandInternet(options: CommandInternetOptions): Promise<CommandInternet> {
  const { isRegistered, isHeld = () => false, alsoSold = ['io', 'co', 'dev', 'app'] } = options
  const { dnsMs = 0, rdapMs = 0, maxOpenQueries = Infinity } = options
  const closing = new AsyncDisposableStack()
  const hosts = [...new Set(Object.keys(servers).map((url) => new URL(url).hostname))]
  const certificate = closing.use(await makeCertificate([REGISTRAR, ...hosts]))
  const registered = { has: (domain: string) => CONTROLS.has(domain) || isRegistered(domain) || isHeld(domain) }
  const world = {
    registered,
    premium: new Map(),
    reserved: new Set<string>(),
    unsold: new Set<string>(),
    alsoSold,
  }
  const registrar = closing.use(await openRegistrarServer({ world, certificate, stranger: certificate }))
  const rdap = closing.use(await openRdapServer({ isRegistered: registered.has, certificate, delayMs: rdapMs }))
  const resolver = await openFakeResolver(
    (query, domain) => {
      const isThere = CONTROLS.has(domain) || (isRegistered(domain) && !isHeld(domain))
      return [answerTo(query, isThere ? 'noerror' : 'nxdomain', { zone: domain.slice(domain.indexOf('.') + 1) })]
    },
    { delayMs: dnsMs, maxOpen: maxOpenQueries },
  )
  closing.defer(() => resolver.close())
  const routes = [
    `${REGISTRAR}=127.0.0.1:${new URL(registrar.url).port}`,
    ...hosts.map((host) => `${host}=${rdap.host}`),
  ]
  return {
    env: {
      NAMEWRIGHT_DNS_RESOLVERS: resolver.address,
      NAMEWRIGHT_OUTBOUND_ROUTES: routes.join(','),
      NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
    },
    registrar,
    rdap,
    resolver,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

if (import.meta.main) {
  const internet = await openCommandInternet({ isRegistered: (domain) => domain.charCodeAt(0) % 3 === 0 })
  console.log(
    Object.entries(internet.env)
      .map(([name, value]) => `export ${name}='${value}'`)
      .join('\n'),
  )
}
