/**
 * `namewright-server doctor`: checks everything that the service depends on before it starts.
 *
 * The checks are independent and run concurrently. Every line shows the state, the observation and, if something is
 * wrong, what to do next. Nothing is changed: what a check writes (a file in the data folder, a key in Redis) is
 * removed at once. External services get one harmless request each, none with `--offline`.
 *
 * It is one long file because it joins parts that know nothing of each other; `cli/doctor/` judges the
 * findings.
 *
 * It must never print a secret (`cli/doctor/secrets.ts`) or throw because of a broken environment, which it exists to
 * report.
 */
import { readFile } from 'node:fs/promises'
import { AGE_MAX_MS } from '@namewright/zone-index'
import { findFaults, readManifest } from '@namewright/zone-index/inspect'
import { openBudget } from '../engines/availability/budget.ts'
import { openDnsClient } from '../engines/availability/dns-client.ts'
import { openDnsTrust } from '../engines/availability/dns-trust.ts'
import { findSureName, makeUnregisteredName, readRegisteredNames } from '../engines/availability/control-names.ts'
import { NAMESPACES } from '../engines/namespaces/all.ts'
import { openNamespaces } from '../engines/namespaces/namespaces.ts'
import { openRegistrar } from '../engines/availability/live-sources.ts'
import { createSourceHealth } from '../engines/availability/source-health.ts'
import { IANA_URL, openBootstrap } from '../engines/availability/rdap/bootstrap.ts'
import type { Bootstrap } from '../engines/availability/rdap/bootstrap.ts'
import { openRdap } from '../engines/availability/rdap/rdap.ts'
import { REGISTRARS } from '../engines/availability/registrars/all.ts'
import { openRegistrarTrust } from '../engines/availability/registrars/trust.ts'
import { chosenRegistrar } from '../engines/availability/sources.ts'
import { CacheDown } from '../platform/cache/cache-down.ts'
import { openCache } from '../platform/cache/cache.ts'
import { inspectRedis } from '../platform/cache/inspect-redis.ts'
import { ConfigError } from '../platform/config/config.ts'
import { requiredSettingsOf } from '../platform/config/registrars.ts'
import { parseOptions } from './command-line.ts'
import type { StandardStreams } from './command-line.ts'
import type { Config } from '../platform/config/config.ts'
import { APP_ROLE } from '../platform/db/db.ts'
import { JOBS_ROLE, POOL_SIZE as JOBS_CONNECTIONS } from '../platform/db/jobs-pool.ts'
import { PEOPLE_ROLE, POOL_SIZE as PEOPLE_CONNECTIONS } from '../platform/db/people-pool.ts'
import { checkDatabase } from './doctor/database.ts'
import { notesOn, reasonOf, textOf, withoutInternet } from './doctor/finding.ts'
import type { Finding } from './doctor/finding.ts'
import { checkAddress, checkTls, findExamples } from './doctor/front.ts'
import { checkFolder, checkMachine } from './doctor/machine.ts'
import { checkOutside, judgeAnswer, judgeTrust } from './doctor/outside.ts'
import { checkRedises } from './doctor/redis.ts'
import { scrubberOf } from './doctor/secrets.ts'
import { QUEUE_NAMES } from '../platform/jobs/queues.ts'
import { faultOf } from '../platform/mail/fault.ts'
import { openSmtp } from '../platform/mail/smtp.ts'
import type { Domain } from '../model/domain.ts'
import { openOutbound } from '../platform/outbound/outbound.ts'
import type { Outbound, OutboundAnswer } from '../platform/outbound/outbound.ts'
import { openPrices } from '../engines/prices/prices.ts'

export const USAGE = `namewright-server doctor [--json] [--offline]
namewright-server doctor model
Checks every setting and every dependency, and prints what to fix. --offline skips external services.
doctor model asks the language model for names and prints them with their times.
The exit code is 1 if there is a problem.`

interface DoctorOptions {
  /** Throws ConfigError. */
  readonly readConfig: () => Config
  /** Connections that a node opens to serve requests. */
  readonly poolSize: number
  readonly now?: () => number
}

const DAY_MS = 86_400_000
// A host that serves several suffixes gets a few lookups for each, at the rate limit of its budget.
const RDAP_PATIENCE_MS = 15_000
// Longer than a node gives a registrar: this is a single check, and no caller waits for names.
const TEST_MS = 8_000
const INDEX_DAYS = AGE_MAX_MS / DAY_MS

export async function runDoctor(
  args: readonly string[],
  options: DoctorOptions,
  { stdout, stderr }: StandardStreams,
): Promise<number> {
  if (args[0] === 'model' && args.length === 1) return runModel(options, { stdout, stderr })
  let flags
  try {
    flags = parseOptions(args, { json: { type: 'boolean' }, offline: { type: 'boolean' } })
  } catch (error) {
    stderr.write(`${reasonOf(error)}\n${USAGE}\n`)
    return 2
  }
  const findings = await examine(options, flags.offline ?? false)
  stdout.write(flags.json ? `${JSON.stringify({ findings }, null, 2)}\n` : `${textOf(findings)}\n`)
  return findings.some(({ level }) => level === 'problem') ? 1 : 0
}

async function runModel({ readConfig, now = Date.now }: DoctorOptions, { stdout, stderr }: StandardStreams) {
  const { languageModel, outbound } = readConfig()
  if (languageModel === undefined) {
    stderr.write('There is no language model. Set NAMEWRIGHT_MODEL, see docs/language-model.md.\n')
    return 1
  }
  const ca = outbound.caFile && (await readFile(outbound.caFile, 'utf8'))
  const client = openOutbound({ now, allowPrivate: true, routes: outbound.routes, ...(ca ? { ca } : {}) })
  try {
    const { tryModel } = await import('./doctor-model.ts')
    const isWell = await tryModel(
      languageModel,
      (request) => client.send(request),
      (line) => stdout.write(`${line}\n`),
    )
    return isWell ? 0 : 1
  } finally {
    await client.close()
  }
}

async function examine(options: DoctorOptions, offline: boolean): Promise<Finding[]> {
  const { readConfig, poolSize, now = Date.now } = options
  const settings = notesOn('settings')
  let config: Config
  try {
    config = readConfig()
    settings.ok('all settings are valid')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    for (const line of error.message.split('\n'))
      settings.problem(line, 'correct the setting, see docs/configuration.md')
    settings.skipped('all checks that need the settings')
    return [...settings.list, ...(await checkMachine())]
  }
  const scrub = scrubberOf(config)
  const ca = config.outbound.caFile && (await readFile(config.outbound.caFile, 'utf8').catch(() => undefined))
  if (config.outbound.caFile && !ca) {
    settings.problem(`${config.outbound.caFile} cannot be read`, 'set NAMEWRIGHT_OUTBOUND_CA_FILE to a PEM file')
  }
  // Addresses configured by the operator may be private; this process makes no requests on behalf of callers.
  const outbound = openOutbound({ now, allowPrivate: true, routes: config.outbound.routes, ...(ca ? { ca } : {}) })
  const bootstrap = openBootstrap({ outbound, now })
  const asking = { config, outbound, bootstrap, now, offline, ...(ca ? { ca } : {}) }
  try {
    const checks = await Promise.all([
      checkMachine(),
      checkFolder(config.dataDir, config.index ? ['NAMEWRIGHT_INDEX'] : []),
      checkTls(config, now()),
      checkDatabase({
        config,
        perNode: poolSize + PEOPLE_CONNECTIONS + JOBS_CONNECTIONS,
        roles: [APP_ROLE, PEOPLE_ROLE, JOBS_ROLE],
        queues: QUEUE_NAMES,
        now,
      }),
      checkRedises(config.redis.map((url) => ({ place: placeOf(url.reveal()), facts: inspectRedis(url.reveal()) }))),
      checkNames(asking),
      checkRegistrars(asking),
      checkRdap(asking),
      checkNamespaces(asking),
      checkIndex(asking),
      checkPrices(asking),
      checkMail(asking),
      checkModel(asking),
      checkSignIn(asking),
    ])
    const read = [...settings.list, ...findExamples(config), ...checkAddress(config)]
    return withoutInternet([...read, ...checks.flat()]).map(({ about, level, found, todo }) => ({
      about,
      level,
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

/** The location of a URL, without its credentials. */
function placeOf(url: string): string {
  return URL.parse(url)?.host || /^sentinel:\/\/(?:[^@/]*@)?([^/]+)/.exec(url)?.[1] || 'its address'
}

function notAsked(about: string, why = 'skipped: --offline'): readonly Finding[] {
  const notes = notesOn(about)
  notes.skipped(why)
  return notes.list
}

/** Runs the same test that resolvers pass while the service runs. */
async function checkNames({ config, now, offline }: Asking): Promise<readonly Finding[]> {
  if (config.sandbox) return notAsked('DNS', 'skipped: NAMEWRIGHT_SANDBOX')
  if (offline) return notAsked('DNS')
  const notes = notesOn('DNS')
  const { resolvers, suffixes } = config
  if (resolvers.length === 0) notes.problem('there is no resolver', 'set NAMEWRIGHT_DNS_RESOLVERS')
  const clients = resolvers.map((resolver) => openDnsClient([resolver]))
  const trust = openDnsTrust({ clients, registeredIn: readRegisteredNames(), sampled: [], now })
  await Promise.all(clients.flatMap((_, at) => suffixes.map((suffix) => trust.confirm(at, suffix))))
  const todo = {
    untrusted: 'set NAMEWRIGHT_DNS_RESOLVERS to a resolver of the public DNS that does not rewrite NXDOMAIN',
    unreachable: 'set NAMEWRIGHT_DNS_RESOLVERS to a recursive resolver that this machine can reach, ideally your own',
  }
  judgeTrust(
    notes,
    resolvers.map((name, at) => ({ name, trust: trust.read(at) })),
    todo,
  )
  await trust.close()
  return notes.list
}

/** Runs the same test that registrars pass while the service runs, one request each. */
async function checkRegistrars({ config, outbound, now, offline }: Asking): Promise<readonly Finding[]> {
  const notes = notesOn('registrars')
  const { order } = config.registrars
  if (order.length === 0) return notAsked('registrars', 'not set: only RDAP can confirm availability in strict mode')
  if (offline) return notAsked('registrars')
  await using closers = new AsyncDisposableStack()
  const sourceHealth = createSourceHealth(now)
  const registeredIn = readRegisteredNames()
  // The operator requests this one request, whatever budget the nodes have used.
  const budget = { take: () => Promise.resolve(1), limited: () => Promise.resolve(), waitOf: () => 0 }
  for (const name of order) {
    let last: OutboundAnswer | undefined
    const watched: Outbound = { ...outbound, send: async (request) => (last = await outbound.send(request)) }
    const chosen = chosenRegistrar(REGISTRARS, config, name)
    const required = requiredSettingsOf(chosen.declaration)
    const setting = required[0] ?? 'NAMEWRIGHT_REGISTRARS'
    const credentials = required.find((one) => chosen.declaration.settings[one]?.secret) ?? setting
    try {
      const registrar = await openRegistrar(chosen, { outbound: watched, now, sourceHealth, closers })
      const tested = openRegistrarTrust({
        registrar,
        registeredIn,
        suffixes: config.suffixes,
        budget,
        now,
        testMs: TEST_MS,
      })
      const trust = await tested.test()
      tested.close()
      const fault = registrar.fault?.()
      if (fault !== undefined && trust.state !== 'unreachable')
        notes.warning(`${name}: ${fault}`, 'suffixes that are not in the copy are confirmed only where a price is sent')
      if (trust.state === 'unreachable' && last !== undefined && (last.kind === 'failed' || last.status >= 300)) {
        const isRejected = last.kind === 'answer' && (last.status === 401 || last.status === 403)
        judgeAnswer(notes, { name, setting: isRejected ? credentials : setting }, last)
      } else
        judgeTrust(notes, [{ name, trust }], {
          untrusted: 'remove it from NAMEWRIGHT_REGISTRARS',
          unreachable: `check ${setting}, then try again later`,
        })
    } catch (error) {
      notes.problem(`${name}: ${reasonOf(error)}`, `check ${setting}`)
    }
  }
  return notes.list
}

/**
 * Runs the same test that RDAP servers pass while the service runs: three lookups for each offered suffix, and one
 * more.
 */
async function checkRdap({ config, outbound, bootstrap, now, offline }: Asking): Promise<readonly Finding[]> {
  if (!config.rdap) return notAsked('RDAP', 'off: NAMEWRIGHT_RDAP')
  if (offline) return notAsked('RDAP')
  const setting = 'the firewall, or turn NAMEWRIGHT_RDAP off'
  const notes = notesOn('RDAP')
  const sourceHealth = createSourceHealth(now)
  const shared = await openCache({ urls: config.redis.map((url) => url.reveal()), timeoutMs: config.redisTimeoutMs })
  // Results of the nodes are not used: the check must show how the servers respond to this machine now.
  const cache = { getMany: () => Promise.resolve([]), setMany: () => Promise.resolve() }
  const budget = openBudget({ cache: shared, now, nodes: config.nodes })
  const rdap = openRdap({ outbound, budget, bootstrap, cache, now, patienceMs: RDAP_PATIENCE_MS, sourceHealth })
  const names = config.suffixes.map((suffix) => makeUnregisteredName(suffix) as Domain)
  await rdap.ask(names, AbortSignal.timeout(2 * RDAP_PATIENCE_MS))
  const todo = {
    untrusted: 'nothing: the service does not trust it until it passes the test',
    unreachable: `allow outgoing connections to it: check ${setting}`,
  }
  judgeTrust(notes, sourceHealth.list(), todo)
  rdap.close()
  await shared.close()
  const iana = { name: 'the RDAP bootstrap registry of IANA', url: IANA_URL, setting }
  return [...notes.list, ...(await checkOutside('RDAP', [iana], (request) => outbound.send(request)))]
}

/** Asks each package registry and code host once for an entry that exists. */
async function checkNamespaces({ config, outbound, now, offline }: Asking): Promise<readonly Finding[]> {
  if (!config.namespaces) return notAsked('namespaces', 'off: package registries and code hosts are not asked')
  if (offline) return notAsked('namespaces')
  const notes = notesOn('namespaces')
  // Findings of the nodes are not used: the check must show how the hosts respond to this machine now.
  const cache = {
    getMany: () => Promise.resolve([]),
    setMany: () => Promise.resolve(),
    run: () => Promise.reject(new CacheDown()),
  }
  const asked = NAMESPACES.map(async (declaration) => {
    await using namespaces = openNamespaces({
      declarations: [declaration],
      outbound,
      cache,
      nodes: 1,
      sourceHealth: createSourceHealth(now),
      isOff: () => false,
      now,
    })
    const { known, group } = declaration
    const signal = new AbortController().signal
    const asking = { groups: [group], deadlineMs: TEST_MS, fresh: true, fairnessKey: '', signal }
    const [verdicts] = await namespaces.check([known], asking)
    return { ...declaration, rule: verdicts?.[0]?.rule }
  })
  const told = Object.groupBy(await Promise.all(asked), ({ rule }) =>
    rule === 'exists' || rule === 'rate_limited' || rule === 'no_answer' ? rule : 'changed',
  )
  const titlesOf = (found: readonly { title: string }[]) => found.map(({ title }) => title).join(', ')
  const { exists, rate_limited: limited, no_answer: silent, changed } = told
  if (exists) notes.ok(`${titlesOf(exists)}: as documented`)
  if (limited) notes.warning(`${titlesOf(limited)}: this machine is rate-limited`, 'try again in an hour')
  if (silent) {
    const hosts = silent.map(({ host }) => host).join(', ')
    const todo = `allow outgoing connections to ${hosts}, or set NAMEWRIGHT_NAMESPACES=off`
    notes.unreachable('warning', `${titlesOf(silent)}: unreachable`, todo)
  }
  for (const { title, name } of changed ?? [])
    notes.warning(`${title}: not as documented`, `namewright-server switch off ${name} until it is`)
  return notes.list
}

async function checkIndex({ config, outbound, now, offline }: Asking): Promise<readonly Finding[]> {
  const { index } = config
  if (index === undefined) return notAsked('index', 'not set: the service uses DNS queries instead')
  const isFar = index.from.startsWith('https://')
  if (isFar && offline) return notAsked('index')
  const notes = notesOn('index')
  try {
    const manifest = await readManifest(
      isFar ? { manifestUrl: index.from, request: (url, ask) => outbound.stream(url, ask) } : { directory: index.from },
      AbortSignal.timeout(8_000),
    )
    const days = ({ snapshotAt }: { snapshotAt: number }) => (now() - snapshotAt) / DAY_MS
    const old = [...manifest].filter(([, suffix]) => days(suffix) > INDEX_DAYS).map(([suffix]) => suffix)
    notes.ok(`${manifest.size} suffixes: ${[...manifest.keys()].slice(0, 10).join(', ')}`)
    // An index at a URL is copied by the nodes, which then test it.
    const registeredIn = readRegisteredNames()
    const faults = isFar ? [] : findFaults(index.from, manifest, (suffix) => findSureName(registeredIn, suffix))
    for await (const { suffix, fault } of faults)
      notes.problem(`the files of .${suffix} untrusted: ${fault}`, 'build them again from the correct zone')
    if (old.length > 0) {
      notes.warning(
        `${old.join(', ')}: older than ${INDEX_DAYS} days, so not trusted`,
        'find out why namewright-server index fetch and build do not run or fail',
      )
    }
  } catch (error) {
    notes.problem(
      `the manifest: ${reasonOf(error)}`,
      'build the index with namewright-server index build, or correct NAMEWRIGHT_INDEX',
    )
  }
  return notes.list
}

async function checkPrices({ config, outbound, now, offline }: Asking): Promise<readonly Finding[]> {
  const notes = notesOn('prices')
  const { file, ratesFile, refresh } = config.prices
  let isRefreshing = false
  try {
    const prices = await openPrices({
      ownFile: file,
      ratesFile,
      send: refresh && !offline ? (request) => outbound.send(request) : undefined,
      now,
      onReport: ({ what, ok, detail }) => {
        const todo = 'the last valid version stays in use; see docs/operations.md'
        if (ok) notes.ok(`${what}: ${detail}`)
        else if (isRefreshing) notes.unreachable('warning', `${what}: ${detail}`, todo)
        else notes.warning(`${what}: ${detail}`, todo)
      },
    })
    isRefreshing = refresh && !offline
    if (isRefreshing) await prices.refresh(AbortSignal.timeout(20_000))
    const missing = config.suffixes.filter((suffix) => prices.findSuffix(suffix) === undefined)
    if (missing.length > 0) {
      notes.problem(
        `there is no price for ${missing.join(', ')}`,
        'remove it from NAMEWRIGHT_SUFFIXES, or set your own price',
      )
    } else notes.ok(`${prices.list().length} suffixes with prices, in ${prices.currencies().length} currencies`)
    if (refresh && offline) notes.skipped('daily price and rate lists: --offline')
  } catch (error) {
    notes.problem(reasonOf(error), 'correct the file named in NAMEWRIGHT_PRICE_FILE or NAMEWRIGHT_RATES_FILE')
  }
  return notes.list
}

async function checkMail({ config, offline, ca }: Asking): Promise<readonly Finding[]> {
  if (config.mail === undefined) return notAsked('mail', 'off: NAMEWRIGHT_SMTP_URL is empty')
  if (offline) return notAsked('mail')
  const notes = notesOn('mail')
  const url = config.mail.url.reveal()
  const smtp = openSmtp({ url, from: config.mail.from, ...(ca === undefined ? {} : { ca }) })
  try {
    await smtp.verify()
    notes.ok(`${placeOf(url)} accepts the credentials`)
  } catch (error) {
    const { code, cause, status, step } = faultOf(error)
    const found = [code, cause, status, step].filter((part) => part !== undefined).join(' ')
    notes.problem(`${placeOf(url)}: ${found}`, 'check the host, port, user and password in NAMEWRIGHT_SMTP_URL')
  } finally {
    smtp.close({ force: true })
  }
  return notes.list
}

/** Requests the list of models: it is free, and requires the key. */
async function checkModel({ config, outbound, offline }: Asking): Promise<readonly Finding[]> {
  const model = config.languageModel
  if (model === undefined) return notAsked('language model', 'not set')
  if (offline) return notAsked('language model')
  const { PROVIDERS } = await import('../engines/language-model/providers.ts')
  const provider = PROVIDERS[model.kind]
  const headers = provider.headersOf(model.key?.reveal())
  const url = `${model.url ?? provider.defaultUrl ?? ''}/models`
  const stranger = {
    name: `${model.kind} at ${placeOf(url)}`,
    url,
    headers,
    setting: 'NAMEWRIGHT_MODEL_URL and NAMEWRIGHT_MODEL_KEY',
  }
  return checkOutside('language model', [stranger], (request) => outbound.send(request))
}

async function checkSignIn({ config, outbound, offline }: Asking): Promise<readonly Finding[]> {
  // GitHub does not support OpenID Connect, and has no address that identifies this service.
  const issuers = config.people.providers.filter(({ name }) => name !== 'github')
  if (issuers.length === 0) return []
  if (offline) return notAsked('sign-in')
  const strangers = issuers.map(({ name, issuer }) => ({
    name,
    url: `${issuer}/.well-known/openid-configuration`,
    setting: 'NAMEWRIGHT_SIGN_IN_WITH',
  }))
  return checkOutside('sign-in', strangers, (request) => outbound.send(request))
}
