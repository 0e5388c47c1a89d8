/**
 * Opens the sources that the operator has chosen, in the order in which they are asked.
 *
 * `local` is in this process; `screen` costs nothing but DNS questions and may see every candidate; `confirm` is scarce and sees only what will be
 * shown. Whatever is not set up is simply not in the list: the product works with DNS alone.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cache } from '../cache/cache.ts'
import type { Config } from '../config/config.ts'
import type { Logger } from '../log.ts'
import { Secret } from '../model/secret.ts'
import type { Outbound, StreamOptions } from '../outbound.ts'
import type { Pulse } from '../outbound/pulse.ts'
import { openBudget } from './budget.ts'
import { openDnsClient } from './dns-client.ts'
import { createForSale } from './dns-for-sale.ts'
import type { ForSale } from './dns-for-sale.ts'
import { openDnsSource } from './dns-source.ts'
import type { EvidenceSource } from './evidence.ts'
import { createPulses } from './pulses.ts'
import type { Pulses } from './pulses.ts'
import { IANA_URL, openBootstrap } from './rdap/bootstrap.ts'
import type { Refresh } from './rdap/bootstrap.ts'
import { openRdap } from './rdap/rdap.ts'
import { openRegistered } from './registered/registered.ts'
import type { Registered } from './registered/registered.ts'
import { createCloudflare } from './registrars/cloudflare.ts'
import { openEpp } from './registrars/epp.ts'
import { createGoDaddy } from './registrars/godaddy.ts'
import { createNameCom } from './registrars/name-com.ts'
import { createNamecheap } from './registrars/namecheap.ts'
import { createPorkbun } from './registrars/porkbun.ts'
import type { Registrar } from './registrars/registrar.ts'
import { watchSend } from './registrars/watch-send.ts'
import { openRegistrars } from './registrars/registrars.ts'
import { createVercel } from './registrars/vercel.ts'

export interface Sources extends AsyncDisposable {
  readonly local: readonly EvidenceSource[]
  readonly screen: readonly EvidenceSource[]
  readonly confirm: readonly EvidenceSource[]
  /** The same as `confirm`, for who can wait: from a share of the budgets, and what could not be asked is told. */
  readonly polite: readonly EvidenceSource[]
  readonly index: Registered | undefined
  readonly forSale: ForSale
  /** How everybody outside has been answering this process. */
  readonly pulses: Pulses
}

interface SourceOptions {
  readonly config: Config
  /** The operator has switched it off. */
  readonly isOff: (source: string) => boolean
  /** A list or an index was not believed, and the last good one stays. */
  readonly onRefused?: (what: 'index' | 'registries') => void
  readonly cache: Cache
  readonly outbound: Outbound
  readonly log: Logger
  readonly now: () => number
}

// Somebody who waits must find at least as much room as what nobody waits for.
const POLITE_SHARE = 0.5
// Long enough to use a host's share up within a few questions, short enough that one slow host holds up nobody's tick.
const PATIENCE_MS = 8_000

export async function openSources(options: SourceOptions): Promise<Sources> {
  const { config, cache, outbound, now } = options
  const switched = <T extends EvidenceSource>(source: T): T => ({ ...source, ask: unlessOff(source, options.isOff) })
  const closers = new AsyncDisposableStack()
  const budget = openBudget({ cache, now, nodes: config.nodes })
  const politeBudget = openBudget({ cache, now, nodes: config.nodes, share: POLITE_SHARE })
  const pulses = createPulses(now)
  const dns = openDnsSource({ resolvers: config.resolvers, cache, now, pulses })
  closers.defer(() => dns.close())
  // A client of its own: owners' lame servers must not fill the window that registries are asked through.
  const textClient = openDnsClient(config.resolvers, { mostInFlight: 64 })
  closers.defer(() => textClient.close())
  const index = await findIndex(options)
  if (index) closers.defer(() => index.close())
  const confirm: EvidenceSource[] = []
  const polite: EvidenceSource[] = []
  if (config.registrars.order.length > 0) {
    const order = await Promise.all(
      config.registrars.order.map((name) => openRegistrar(name, { ...options, pulses }, closers)),
    )
    const { isOff } = options
    confirm.push(openRegistrars({ order, budget, isOff }))
    polite.push(openRegistrars({ order, budget: politeBudget, tellsSilence: true, isOff }))
  }
  if (config.rdap) {
    const onRefresh = (outcome: Refresh) => {
      if (outcome !== 'refused') return
      options.log.warn('list of registries refused, the last good one stays')
      options.onRefused?.('registries')
    }
    const bootstrap = await openBootstrap({ outbound, now, url: IANA_URL, onRefresh })
    const rdap = openRdap({ outbound, budget, bootstrap, cache, now, pulses })
    closers.defer(() => rdap.close())
    const patient = openRdap({
      outbound,
      budget: politeBudget,
      bootstrap,
      cache,
      now,
      patienceMs: PATIENCE_MS,
      tellsSilence: true,
      pulses,
    })
    closers.defer(() => patient.close())
    closers.defer(() => bootstrap.close())
    confirm.push(switched(rdap))
    polite.push(switched(patient))
  }
  return {
    local: index ? [switched(index)] : [],
    screen: [switched(dns)],
    confirm,
    polite,
    index,
    forSale: createForSale({ client: textClient }),
    pulses,
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

/** It keeps its list, so what it would know stays a gap: nobody else's word becomes proof because it is silent. */
function unlessOff(source: EvidenceSource, isOff: SourceOptions['isOff']): EvidenceSource['ask'] {
  return (...question) => (isOff(source.name) ? Promise.resolve(new Map()) : source.ask(...question))
}

async function findIndex({ config, outbound, log, now, onRefused }: SourceOptions): Promise<Registered | undefined> {
  const { index } = config
  if (index === undefined) return undefined
  const from = index.from.startsWith('https://')
    ? { manifestUrl: index.from, request: (url: string, ask: StreamOptions) => outbound.stream(url, ask) }
    : { directory: index.from }
  return openRegistered({
    from,
    cacheDirectory: join(index.dataDir, 'index'),
    now,
    log,
    onRefused: () => onRefused?.('index'),
  })
}

type RegistrarName = Config['registrars']['order'][number]

export async function openRegistrar(
  name: RegistrarName,
  { config, outbound, now, pulses }: Omit<SourceOptions, 'isOff'> & { pulses: Pulses },
  closers: AsyncDisposableStack,
): Promise<Registrar> {
  const { registrars } = config
  const pulse = pulses.of('registrar', name)
  const send = watchSend(outbound, pulse)
  const nothing = new Secret('')
  switch (name) {
    case 'cloudflare': {
      const [accountId = nothing, token = nothing] = registrars.cloudflare ?? []
      return createCloudflare({ send, now, accountId: accountId.reveal(), token })
    }
    case 'name-com': {
      const [username = nothing, token = nothing] = registrars.nameCom ?? []
      return createNameCom({ send, now, username: username.reveal(), token })
    }
    case 'porkbun': {
      const [key = nothing, secret = nothing] = registrars.porkbun ?? []
      return createPorkbun({ send, now, key, secret })
    }
    case 'godaddy': {
      const [key = nothing, secret = nothing] = registrars.godaddy ?? []
      return createGoDaddy({ send, now, key, secret })
    }
    case 'namecheap': {
      const [user = nothing, key = nothing, clientIp = nothing] = registrars.namecheap ?? []
      return createNamecheap({ send, now, user: user.reveal(), key, clientIp: clientIp.reveal() })
    }
    case 'epp': {
      const epp = await openEppOf(config, outbound, now, pulse)
      closers.defer(() => epp.close())
      return epp
    }
    default:
      return createVercel({ send, now })
  }
}

async function openEppOf({ registrars }: Config, outbound: Outbound, now: () => number, pulse: Pulse) {
  const { hostname, port, username, password, pathname } = new URL(registrars.epp?.reveal() ?? '')
  const { eppCertFile, eppKeyFile } = registrars
  const identity =
    eppCertFile && eppKeyFile
      ? { cert: await readFile(eppCertFile, 'utf8'), key: await readFile(eppKeyFile, 'utf8') }
      : undefined
  return openEpp({
    host: hostname,
    suffixes: pathname.slice(1).split(','),
    clientId: decodeURIComponent(username),
    password: new Secret(decodeURIComponent(password)),
    connect: () => outbound.connectTls({ host: hostname, port: Number(port || 700), ...identity }),
    now,
    pulse,
  })
}
