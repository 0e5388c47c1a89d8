/**
 * Two nodes and three registries on loopback behind their real host names: of .dev and .app, of .ai, and of .org. What
 * is registered is what the loopback internet has delegated, and some names that only the registries know.
 *
 * The registries are in this process, so that a plan can make them misbehave. PostgreSQL is everybody's, Redis is of
 * this world alone: verdicts are shared through it.
 */
import { makeCertificate } from '../../../certificate.ts'
import { openRdapServer } from '../../../internet/rdap-server.ts'
import type { RdapServer } from '../../../internet/rdap-server.ts'
import { readInternet } from '../../../internet/read-internet.ts'
import { openWorld } from '../../../world.ts'
import type { Node, World } from '../../../world.ts'
import { openOwnRedis } from '../own-redis.ts'
import { groundIn } from './drive.ts'
import type { Ground } from './drive.ts'

const HOSTS = {
  google: 'pubapi.registry.google',
  identity: 'rdap.identitydigital.services',
  pir: 'rdap.publicinterestregistry.org',
} as const
// Nothing listens there: a test must never contact the real internet.
const NOWHERE = ['rdap.verisign.com', 'data.iana.org'].map((host) => `${host}=127.0.0.1:9`)
// Asked of each registry to see whether it can be believed.
const WELL_KNOWN = new Set(['google', 'icann', 'iana', 'wikipedia', 'nic', 'openai', 'web', 'amazon', 'get', 'cash'])

export type RegistryName = keyof typeof HOSTS

export interface RegistryWorld extends AsyncDisposable {
  readonly world: World
  readonly nodes: readonly Node[]
  readonly ground: Ground
  readonly registries: Readonly<Record<RegistryName, RdapServer>>
  /** One more, of the same settings. */
  readonly startNode: () => Promise<Node>
}

/** `isHeld`: registered, but not in DNS. */
export async function openRegistryWorld(
  env: Record<string, string>,
  isHeld: (domain: string) => boolean = () => false,
): Promise<RegistryWorld> {
  await using opening = new AsyncDisposableStack()
  const internet = readInternet()
  const certificate = opening.use(await makeCertificate(Object.values(HOSTS)))
  const isRegistered = (domain: string) =>
    isHeld(domain) || internet.isDelegated(domain) || WELL_KNOWN.has(domain.slice(0, domain.indexOf('.')))
  const open = async () => opening.use(await openRdapServer({ isRegistered, certificate }))
  const registries = { google: await open(), identity: await open(), pir: await open() }
  const redis = opening.use(await openOwnRedis())
  const world = opening.use(await openWorld())
  const routes = Object.entries(HOSTS).map(([name, host]) => `${host}=${registries[name as RegistryName].host}`)
  const settings = {
    NAMEWRIGHT_REDIS_URL: redis.url,
    NAMEWRIGHT_RDAP: 'on',
    NAMEWRIGHT_NODES: '2',
    NAMEWRIGHT_OUTBOUND_ROUTES: [...routes, ...NOWHERE].join(','),
    NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
    ...env,
  }
  const nodes = [await world.startNode(settings), await world.startNode(settings)]
  const closing = opening.move()
  return {
    world,
    nodes,
    registries,
    startNode: () => world.startNode(settings),
    ground: groundIn(
      world,
      nodes.map(({ url }) => url),
      world.databaseUrl,
    ),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
