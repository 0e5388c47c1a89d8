/**
 * Reads the environment once: `readConfig` parses every setting and reports all problems at once, each with the
 * variable and an example. Flat names in, frozen nested values out; secrets print as `[secret]`.
 */
import { getServers } from 'node:dns'
import { withPort } from './parse.ts'
import { findMissing, settingsWith, valuesOf } from './registrars.ts'
import type { RegistrarSettings } from './registrars.ts'
import { findRealSources } from './sandbox.ts'
import type { SETTINGS } from './settings.ts'

type ConfigValues = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['parse']> }

/** The settings of API clients, which often live in the same shell. */
const OF_CLIENTS = new Set(['NAMEWRIGHT_URL', 'NAMEWRIGHT_API_KEY'])

export type Config = ReturnType<typeof readConfig>

/** Lists every problem, not only the first. */
export class ConfigError extends Error {}

/** `registrars`: all that `NAMEWRIGHT_REGISTRARS` may name. Throws ConfigError. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  registrars: readonly RegistrarSettings[],
) {
  const known = settingsWith(registrars)
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { default: preset, example, parse }] of Object.entries(known)) {
    const text = env[name]?.trim() || preset
    try {
      if (text === undefined) throw new Error('set')
      values[name] = parse(text)
    } catch (error) {
      problems.push(`${name} must be ${error instanceof Error ? error.message : 'valid'}, for example ${example}`)
    }
  }
  const strangers = Object.keys(env).filter(
    (name) => name.startsWith('NAMEWRIGHT_') && !(name in known) && !OF_CLIENTS.has(name),
  )
  problems.push(...strangers.map((name) => `${name} is not a setting; see docs/configuration.md`))
  const read = values as ConfigValues
  if (Boolean(read.NAMEWRIGHT_TLS_CERT_FILE) !== Boolean(read.NAMEWRIGHT_TLS_KEY_FILE)) {
    problems.push('NAMEWRIGHT_TLS_CERT_FILE and NAMEWRIGHT_TLS_KEY_FILE must be set together')
  }
  if (read.NAMEWRIGHT_SMTP_URL && !read.NAMEWRIGHT_MAIL_FROM) {
    problems.push('NAMEWRIGHT_MAIL_FROM must be set, because NAMEWRIGHT_SMTP_URL is set')
  }
  if (read.NAMEWRIGHT_SIGN_UP === 'open' && !read.NAMEWRIGHT_SMTP_URL) {
    problems.push(
      'NAMEWRIGHT_SMTP_URL must be set, because NAMEWRIGHT_SIGN_UP is open: addresses are verified by email',
    )
  }
  if (read.NAMEWRIGHT_INDEX && !read.NAMEWRIGHT_DATA_DIR) {
    problems.push(
      'NAMEWRIGHT_DATA_DIR must be set, because NAMEWRIGHT_INDEX is set: each node needs its own copy of the index',
    )
  }
  problems.push(...findUsesOfRedis(read))
  // Undefined when it could not be parsed, which is already reported.
  const order = (values.NAMEWRIGHT_REGISTRARS as ConfigValues['NAMEWRIGHT_REGISTRARS'] | undefined) ?? []
  problems.push(...findMissing(registrars, order, values))
  for (const setting of ['NAMEWRIGHT_MODEL', 'NAMEWRIGHT_MODEL_FALLBACK'] as const) {
    const kind = read[setting]?.kind
    if (kind === 'openai-compatible' && !read[`${setting}_URL`]) {
      problems.push(`${setting}_URL must be set, because ${setting} is openai-compatible`)
    }
    if (kind === 'anthropic' && !read[`${setting}_KEY`]) {
      problems.push(`${setting}_KEY must be set, because ${setting} is anthropic`)
    }
  }
  const sandbox = read.NAMEWRIGHT_SANDBOX === 'on'
  const real = sandbox
    ? findRealSources(
        env,
        registrars.flatMap(({ settings }) => Object.keys(settings)),
      )
    : []
  if (real.length > 0) {
    problems.push(`NAMEWRIGHT_SANDBOX is on and cannot be combined with real sources: unset ${real.join(', ')}`)
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return Object.freeze({
    database: Object.freeze({
      url: read.NAMEWRIGHT_DATABASE_URL,
      standbyUrl: read.NAMEWRIGHT_STANDBY_URL,
      ownerUrl: read.NAMEWRIGHT_OWNER_DATABASE_URL ?? read.NAMEWRIGHT_DATABASE_URL,
      migrate: read.NAMEWRIGHT_MIGRATE,
    }),
    redis: read.NAMEWRIGHT_REDIS_URL ?? [],
    redisTimeoutMs: read.NAMEWRIGHT_REDIS_TIMEOUT_MS,
    // The first signs and encrypts; all of them verify and decrypt.
    secrets: Object.freeze([read.NAMEWRIGHT_SECRET, ...(read.NAMEWRIGHT_ACCEPTED_SECRETS ?? [])] as const),
    securityContacts: read.NAMEWRIGHT_SECURITY_CONTACT ?? [],
    listen: Object.freeze({ host: read.NAMEWRIGHT_HOST, port: read.NAMEWRIGHT_PORT }),
    metrics: read.NAMEWRIGHT_METRICS_ADDRESS,
    tls:
      read.NAMEWRIGHT_TLS_CERT_FILE && read.NAMEWRIGHT_TLS_KEY_FILE
        ? Object.freeze({ certFile: read.NAMEWRIGHT_TLS_CERT_FILE, keyFile: read.NAMEWRIGHT_TLS_KEY_FILE })
        : undefined,
    trustedProxies: read.NAMEWRIGHT_TRUSTED_PROXIES ?? [],
    publicUrl: read.NAMEWRIGHT_PUBLIC_URL?.replace(/\/$/, '') ?? '',
    web: Object.freeze({
      folder: read.NAMEWRIGHT_WEB_DIR,
      allowance: read.NAMEWRIGHT_PUBLIC_ALLOWANCE,
      registerUrl: read.NAMEWRIGHT_REGISTER_URL,
      isRegisterAffiliate: read.NAMEWRIGHT_REGISTER_AFFILIATE === 'yes',
    }),
    people: Object.freeze({
      signUp: read.NAMEWRIGHT_SIGN_UP,
      plan: read.NAMEWRIGHT_SIGN_UP_PLAN,
      providers: read.NAMEWRIGHT_SIGN_IN_WITH ?? [],
    }),
    mail:
      read.NAMEWRIGHT_SMTP_URL && read.NAMEWRIGHT_MAIL_FROM
        ? Object.freeze({ url: read.NAMEWRIGHT_SMTP_URL, from: read.NAMEWRIGHT_MAIL_FROM })
        : undefined,
    /** Generated results replace every outside source; then none of the settings below is set. */
    sandbox,
    resolvers: sandbox ? [] : (read.NAMEWRIGHT_DNS_RESOLVERS ?? getServers().map(withPort)),
    availabilityMode: read.NAMEWRIGHT_AVAILABILITY_MODE,
    registrars: Object.freeze({
      order: sandbox ? [] : order.filter((name) => name !== 'none'),
      settings: valuesOf(registrars, values),
    }),
    rdap: !sandbox && read.NAMEWRIGHT_RDAP === 'on',
    /** Whether package registries and code hosts may be asked. */
    namespaces: !sandbox && read.NAMEWRIGHT_NAMESPACES === 'on',
    nodes: read.NAMEWRIGHT_NODES,
    overload: read.NAMEWRIGHT_OVERLOAD,
    namingSeconds: Object.freeze({
      account: read.NAMEWRIGHT_CPU_SECONDS_PER_ACCOUNT,
      visitor: read.NAMEWRIGHT_CPU_SECONDS_PER_ADDRESS,
    }),
    caps: Object.freeze({
      connectionsPerAddress: read.NAMEWRIGHT_CONNECTIONS_PER_ADDRESS,
      bodiesPerAddress: read.NAMEWRIGHT_BODIES_PER_ADDRESS,
    }),
    index:
      read.NAMEWRIGHT_INDEX && read.NAMEWRIGHT_DATA_DIR
        ? Object.freeze({ from: read.NAMEWRIGHT_INDEX, dataDir: read.NAMEWRIGHT_DATA_DIR })
        : undefined,
    dataDir: read.NAMEWRIGHT_DATA_DIR,
    czds: read.NAMEWRIGHT_CZDS,
    prices: Object.freeze({
      refresh: !sandbox && read.NAMEWRIGHT_PRICE_REFRESH === 'on',
      file: read.NAMEWRIGHT_PRICE_FILE,
      ratesFile: read.NAMEWRIGHT_RATES_FILE,
    }),
    languageModel:
      read.NAMEWRIGHT_MODEL &&
      Object.freeze({
        ...read.NAMEWRIGHT_MODEL,
        url: read.NAMEWRIGHT_MODEL_URL,
        key: read.NAMEWRIGHT_MODEL_KEY,
        deadlineMs: read.NAMEWRIGHT_MODEL_DEADLINE_MS,
        fallback:
          read.NAMEWRIGHT_MODEL_FALLBACK &&
          Object.freeze({
            ...read.NAMEWRIGHT_MODEL_FALLBACK,
            url: read.NAMEWRIGHT_MODEL_FALLBACK_URL,
            key: read.NAMEWRIGHT_MODEL_FALLBACK_KEY,
          }),
        storeLateMs: read.NAMEWRIGHT_MODEL_STORE_LATE_SECONDS * 1_000,
        reuseMs: read.NAMEWRIGHT_MODEL_REUSE_DAYS * 86_400_000,
        price: read.NAMEWRIGHT_MODEL_PRICE,
        callsPerDay: Object.freeze({
          total: read.NAMEWRIGHT_MODEL_CALLS_PER_DAY,
          perAccount: read.NAMEWRIGHT_MODEL_CALLS_PER_ACCOUNT,
        }),
      }),
    outbound: Object.freeze({
      caFile: read.NAMEWRIGHT_OUTBOUND_CA_FILE,
      routes: read.NAMEWRIGHT_OUTBOUND_ROUTES ?? [],
    }),
    suffixes: read.NAMEWRIGHT_SUFFIXES,
    webhooks: Object.freeze({ allowed: read.NAMEWRIGHT_WEBHOOK_ALLOW ?? [] }),
    worker: Object.freeze({
      inside: read.NAMEWRIGHT_WORKER === 'inside',
      places: read.NAMEWRIGHT_WORKER_CONCURRENCY,
      port: read.NAMEWRIGHT_WORKER_PORT,
    }),
    batchDays: read.NAMEWRIGHT_BATCH_DAYS,
    drainSeconds: read.NAMEWRIGHT_DRAIN_SECONDS,
    logLevel: read.NAMEWRIGHT_LOG_LEVEL,
    accessLog: read.NAMEWRIGHT_ACCESS_LOG,
    traces: read.NAMEWRIGHT_OTLP_URL
      ? Object.freeze({ url: read.NAMEWRIGHT_OTLP_URL, share: read.NAMEWRIGHT_TRACE_SHARE })
      : undefined,
  })
}

/** What several processes count together, or what must still be counted after a restart. */
function findUsesOfRedis(read: ConfigValues): readonly string[] {
  // A wrong text is already reported.
  if (read.NAMEWRIGHT_REDIS_URL || !('NAMEWRIGHT_REDIS_URL' in read)) return []
  const uses = [
    read.NAMEWRIGHT_NODES > 1 && `NAMEWRIGHT_NODES is ${read.NAMEWRIGHT_NODES}: nodes count rate limits together there`,
    read.NAMEWRIGHT_WORKER === 'apart' && 'NAMEWRIGHT_WORKER is apart: nodes and workers count lookups together there',
    read.NAMEWRIGHT_MODEL_CALLS_PER_DAY !== undefined &&
      'NAMEWRIGHT_MODEL_CALLS_PER_DAY is set: the calls of a day are counted there',
  ]
  return uses.flatMap((use) => (use ? [`NAMEWRIGHT_REDIS_URL must be set, because ${use}`] : []))
}
