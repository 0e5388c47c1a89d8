/**
 * `namewright-server doctor`: everything the service will need, looked at before it needs it.
 *
 * Each look is on its own and none waits for another. Every line says how it is, what was seen, and where something is wrong what to
 * do next. Nothing is changed anywhere: what is written (a file in the data folder, a key in Redis) is removed at once. Strangers
 * get one harmless question each, none with `--offline`.
 *
 * It is one long file because it joins everything there is, and only a flow may; what each finding is worth is said in `doctor/`.
 *
 * Never: prints a secret (`doctor/secrets.ts`), or throws for a broken surrounding, which is what it is there to tell of.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { openDnsClient } from './availability/dns-client.ts'
import { createPulses } from './availability/pulses.ts'
import { IANA_URL, openBootstrap } from './availability/rdap/bootstrap.ts'
import type { Bootstrap } from './availability/rdap/bootstrap.ts'
import { parseManifest } from './availability/registered/manifest.ts'
import { openOrigin } from './availability/registered/origin.ts'
import { openRegistrar } from './availability/sources.ts'
import { openCache } from './cache/cache.ts'
import { lookAtRedis } from './cache/look.ts'
import { ConfigError } from './config/config.ts'
import type { Config } from './config/config.ts'
import { APP_ROLE } from './db/db.ts'
import { JOBS_ROLE, POOL_SIZE as JOBS_CONNECTIONS } from './db/jobs-pool.ts'
import { PEOPLE_ROLE, POOL_SIZE as PEOPLE_CONNECTIONS } from './db/people-pool.ts'
import { lookAtDatabase } from './doctor/database.ts'
import { notesOn, reasonOf, textOf } from './doctor/finding.ts'
import type { Finding } from './doctor/finding.ts'
import { lookAtAddress, lookAtTls, lookForExamples } from './doctor/front.ts'
import { lookAtFolder, lookAtMachine } from './doctor/machine.ts'
import { judgeAnswer, lookAtStrangers } from './doctor/outside.ts'
import type { Stranger } from './doctor/outside.ts'
import { lookAtRedises } from './doctor/redis.ts'
import { lookAtResolvers } from './doctor/resolvers.ts'
import type { DsAnswer } from './doctor/resolvers.ts'
import { scrubberOf } from './doctor/secrets.ts'
import { QUEUE_NAMES } from './jobs/queues.ts'
import { openLog } from './log.ts'
import { faultOf } from './mail/fault.ts'
import { openSmtp } from './mail/smtp.ts'
import type { Domain } from './model/domain.ts'
import { openOutbound } from './outbound.ts'
import type { Outbound, OutboundAnswer } from './outbound.ts'
import { openPrices } from './prices/prices.ts'

const USAGE = `namewright-server doctor [--json] [--offline]
Looks at every setting and at everything the service needs, and says what to do. --offline asks nobody outside.
Ends with 1 when there is a problem.`

interface Streams {
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

interface DoctorOptions {
  /** Throws ConfigError. */
  readonly readConfig: () => Config
  /** Connections that a node opens to serve requests. */
  readonly poolSize: number
  readonly now?: () => number
}

const DAY_MS = 86_400_000
// As old as an index may be and still be believed (`availability/registered/registered.ts`).
const INDEX_DAYS = 3

export async function runDoctor(
  args: readonly string[],
  options: DoctorOptions,
  { stdout, stderr }: Streams,
): Promise<number> {
  let flags
  try {
    flags = parseArgs({ args: [...args], options: { json: { type: 'boolean' }, offline: { type: 'boolean' } } }).values
  } catch (error) {
    stderr.write(`${reasonOf(error)}\n${USAGE}\n`)
    return 2
  }
  const findings = await examine(options, flags.offline ?? false)
  stdout.write(flags.json ? `${JSON.stringify({ findings }, null, 2)}\n` : `${textOf(findings)}\n`)
  return findings.some(({ level }) => level === 'problem') ? 1 : 0
}

async function examine({ readConfig, poolSize, now = Date.now }: DoctorOptions, offline: boolean): Promise<Finding[]> {
  const settings = notesOn('settings')
  let config: Config
  try {
    config = readConfig()
    settings.ok('all of them can be read')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const line of error.message.split('\n')) settings.problem(line, 'correct it, see docs/configuration.md')
    settings.skipped('everything that hangs on the settings')
    return [...settings.list, ...(await lookAtMachine())]
  }
  const scrub = scrubberOf(config)
  const ca = config.outbound.caFile && (await readFile(config.outbound.caFile, 'utf8').catch(() => undefined))
  if (config.outbound.caFile && !ca) {
    settings.problem(`${config.outbound.caFile} cannot be read`, 'name a PEM file in NAMEWRIGHT_OUTBOUND_CA_FILE')
  }
  // Addresses that the operator gave may be private; this process asks for nobody else.
  const outbound = openOutbound({ now, allowPrivate: true, routes: config.outbound.routes, ...(ca ? { ca } : {}) })
  const bootstrap = await openBootstrap({ outbound, now })
  const asking = { config, outbound, bootstrap, now, offline, ...(ca ? { ca } : {}) }
  try {
    const looks = await Promise.all([
      lookAtMachine(),
      lookAtFolder(config.dataDir, config.index ? ['NAMEWRIGHT_INDEX'] : []),
      lookAtTls(config, now()),
      lookAtDatabase({
        config,
        perNode: poolSize + PEOPLE_CONNECTIONS + JOBS_CONNECTIONS,
        roles: [APP_ROLE, PEOPLE_ROLE, JOBS_ROLE],
        queues: QUEUE_NAMES,
        now,
      }),
      lookAtRedises(config.redis.map((url) => ({ place: placeOf(url.reveal()), facts: lookAtRedis(url.reveal()) }))),
      lookAtNames(asking),
      lookAtRegistrars(asking),
      lookAtRdap(asking),
      lookAtIndex(asking),
      lookAtPrices(asking),
      lookAtMail(asking),
      lookAtModel(asking),
      lookAtSignIn(asking),
    ])
    const read = [...settings.list, ...lookForExamples(config), ...lookAtAddress(config)]
    return [...read, ...looks.flat()].map(({ found, todo, ...finding }) => ({
      ...finding,
      found: scrub(found),
      ...(todo === undefined ? {} : { todo: scrub(todo) }),
    }))
  } finally {
    bootstrap.close()
    await outbound.close()
  }
}

interface Asking {
  readonly config: Config
  readonly outbound: Outbound
  readonly bootstrap: Bootstrap
  readonly now: () => number
  readonly offline: boolean
  readonly ca?: string
}

/** Where it is, without what opens it. */
function placeOf(url: string): string {
  return URL.parse(url)?.host || /^sentinel:\/\/(?:[^@/]*@)?([^/]+)/.exec(url)?.[1] || 'its address'
}

function notAsked(about: string, why = 'not asked: --offline'): readonly Finding[] {
  const notes = notesOn(about)
  notes.skipped(why)
  return notes.list
}

async function lookAtNames({ config, bootstrap, offline }: Asking): Promise<readonly Finding[]> {
  if (offline) return notAsked('DNS')
  const { resolvers, suffixes } = config
  const known = suffixes.map((suffix) => bootstrap.findServer(suffix)?.known[0] ?? `nic.${suffix}`)
  const clients = new Map(resolvers.map((resolver) => [resolver, openDnsClient([resolver])]))
  try {
    const askDs = async (resolver: string, name: string): Promise<DsAnswer> => {
      const { promise, resolve } = Promise.withResolvers<DsAnswer>()
      clients
        .get(resolver)
        ?.ask(name, 'DS', ({ kind }) => resolve(kind === 'exists' || kind === 'absent' ? kind : 'none'))
      return promise
    }
    return await lookAtResolvers({ resolvers, known, suffixes, askDs })
  } finally {
    await Promise.all([...clients.values()].map((client) => client.close()))
  }
}

/** One name that is nobody's to sell, through the very code that asks for callers. */
async function lookAtRegistrars({ config, outbound, now, offline }: Asking): Promise<readonly Finding[]> {
  const notes = notesOn('registrars')
  const { order } = config.registrars
  if (order.length === 0) return notAsked('registrars', 'none is set: strict verdicts come from RDAP alone')
  if (offline) return notAsked('registrars')
  await using closers = new AsyncDisposableStack()
  const cache = await openCache({ urls: config.redis.map((url) => url.reveal()), timeoutMs: config.redisTimeoutMs })
  closers.defer(() => cache.close())
  const log = openLog('silent')
  const pulses = createPulses(now)
  for (const name of order) {
    let last: OutboundAnswer | undefined
    const watched: Outbound = { ...outbound, send: async (request) => (last = await outbound.send(request)) }
    const setting = `NAMEWRIGHT_${name.toUpperCase().replace('-', '_')}`
    try {
      const registrar = await openRegistrar(name, { config, cache, outbound: watched, log, now, pulses }, closers)
      const domain = `example.${eppSuffixOf(config) ?? 'com'}` as Domain
      const evidence = await registrar.check([domain], AbortSignal.timeout(8_000))
      if (evidence.length > 0) notes.ok(`${name} answers`)
      else if (last !== undefined && (last.kind === 'failed' || last.status >= 300))
        judgeAnswer(notes, { name, setting }, last)
      else notes.warning(`${name} says nothing that we understand`, `look at ${setting}, and ask again later`)
    } catch (error) {
      if (last !== undefined) judgeAnswer(notes, { name, setting }, last)
      else notes.problem(`${name}: ${reasonOf(error)}`, `look at ${setting}`)
    }
  }
  return notes.list

  function eppSuffixOf({ registrars }: Config): string | undefined {
    return registrars.order[0] === 'epp' && registrars.epp
      ? URL.parse(registrars.epp.reveal())?.pathname.slice(1).split(',')[0]
      : undefined
  }
}

async function lookAtRdap({ config, outbound, bootstrap, offline }: Asking): Promise<readonly Finding[]> {
  if (!config.rdap) return notAsked('RDAP', 'off: NAMEWRIGHT_RDAP')
  if (offline) return notAsked('RDAP')
  const setting = 'the firewall, or switch NAMEWRIGHT_RDAP off'
  const servers = new Map(
    config.suffixes.flatMap((suffix) => {
      const server = bootstrap.findServer(suffix)
      return server ? [[server.base, server.known[0]] as const] : []
    }),
  )
  const registries: Stranger[] = [...servers].map(([base, known]) => ({
    name: `the registry at ${placeOf(base)}`,
    url: `${base}domain/${known}`,
    headers: { accept: 'application/rdap+json' },
    setting,
  }))
  const iana: Stranger = { name: 'the list of registries at IANA', url: IANA_URL, setting }
  return lookAtStrangers('RDAP', [...registries, iana], (request) => outbound.send(request))
}

async function lookAtIndex({ config, outbound, now, offline }: Asking): Promise<readonly Finding[]> {
  const { index } = config
  if (index === undefined) return notAsked('index', 'none is set: DNS is asked instead')
  const isFar = index.from.startsWith('https://')
  if (isFar && offline) return notAsked('index')
  const notes = notesOn('index')
  try {
    const origin = openOrigin(
      isFar ? { manifestUrl: index.from, request: (url, ask) => outbound.stream(url, ask) } : { directory: index.from },
    )
    const manifest = parseManifest((await origin.readManifest(AbortSignal.timeout(8_000))) ?? '')
    const days = ({ snapshotAt }: { snapshotAt: number }) => (now() - snapshotAt) / DAY_MS
    const old = [...manifest].filter(([, suffix]) => days(suffix) > INDEX_DAYS).map(([suffix]) => suffix)
    notes.ok(`${manifest.size} suffixes: ${[...manifest.keys()].slice(0, 10).join(', ')}`)
    if (old.length > 0) {
      notes.warning(
        `${old.join(', ')}: older than ${INDEX_DAYS} days, so not believed`,
        'see why namewright-server index fetch and build do not run, or fail',
      )
    }
  } catch (error) {
    notes.problem(
      `its manifest: ${reasonOf(error)}`,
      'build it with namewright-server index build, or correct NAMEWRIGHT_INDEX',
    )
  }
  return notes.list
}

async function lookAtPrices({ config, outbound, now, offline }: Asking): Promise<readonly Finding[]> {
  const notes = notesOn('prices')
  const { file, ratesFile, refresh } = config.prices
  try {
    const prices = await openPrices({
      ownFile: file,
      ratesFile,
      send: refresh && !offline ? (request) => outbound.send(request) : undefined,
      now,
      onReport: ({ what, ok, detail }) => {
        if (ok) notes.ok(`${what}: ${detail}`)
        else notes.warning(`${what}: ${detail}`, 'what was good last stays in use; see docs/operations.md')
      },
    })
    if (refresh && !offline) await prices.refresh(AbortSignal.timeout(20_000))
    const missing = config.suffixes.filter((suffix) => prices.findSuffix(suffix) === undefined)
    if (missing.length > 0) {
      notes.problem(
        `there is no price for ${missing.join(', ')}`,
        'take it out of NAMEWRIGHT_SUFFIXES, or price it yourself',
      )
    } else notes.ok(`${prices.list().length} suffixes on offer, in ${prices.currencies().length} currencies`)
    if (refresh && offline) notes.skipped('the lists of the day: --offline')
  } catch (error) {
    notes.problem(reasonOf(error), 'correct the file named in NAMEWRIGHT_PRICE_FILE or NAMEWRIGHT_RATES_FILE')
  }
  return notes.list
}

async function lookAtMail({ config, offline, ca }: Asking): Promise<readonly Finding[]> {
  if (config.mail === undefined) return notAsked('mail', 'none is sent: NAMEWRIGHT_SMTP_URL is empty')
  if (offline) return notAsked('mail')
  const notes = notesOn('mail')
  const url = config.mail.url.reveal()
  const smtp = openSmtp({ url, from: config.mail.from, ...(ca === undefined ? {} : { ca }) })
  try {
    await smtp.verify()
    notes.ok(`${placeOf(url)} lets us in`)
  } catch (error) {
    const { code, cause, status, step } = faultOf(error)
    const found = [code, cause, status, step].filter((part) => part !== undefined).join(' ')
    notes.problem(`${placeOf(url)}: ${found}`, 'look at host, port, name and password in NAMEWRIGHT_SMTP_URL')
  } finally {
    smtp.close({ force: true })
  }
  return notes.list
}

/** Its list of models: costs nothing, and knows the key. */
async function lookAtModel({ config, outbound, offline }: Asking): Promise<readonly Finding[]> {
  const model = config.languageModel
  if (model === undefined) return notAsked('language model', 'none is set')
  if (offline) return notAsked('language model')
  const { DEFAULT_URL } = await import('./language-model/provider.ts')
  const key = model.key?.reveal()
  const headers =
    model.kind === 'anthropic'
      ? { 'x-api-key': key ?? '', 'anthropic-version': '2023-06-01' }
      : key === undefined
        ? {}
        : { authorization: `Bearer ${key}` }
  const url = `${model.url ?? DEFAULT_URL[model.kind]}/models`
  const stranger = {
    name: `${model.kind} at ${placeOf(url)}`,
    url,
    headers,
    setting: 'NAMEWRIGHT_MODEL_URL and NAMEWRIGHT_MODEL_KEY',
  }
  return lookAtStrangers('language model', [stranger], (request) => outbound.send(request))
}

async function lookAtSignIn({ config, outbound, offline }: Asking): Promise<readonly Finding[]> {
  // GitHub speaks no OpenID Connect, and has no address that would know us.
  const issuers = config.people.providers.filter(({ name }) => name !== 'github')
  if (issuers.length === 0) return []
  if (offline) return notAsked('sign-in')
  const strangers = issuers.map(({ name, issuer }) => ({
    name,
    url: `${issuer}/.well-known/openid-configuration`,
    setting: 'NAMEWRIGHT_SIGN_IN_WITH',
  }))
  return lookAtStrangers('sign-in', strangers, (request) => outbound.send(request))
}
