/**
 * The environment, read once: `readConfig` parses every setting and reports every problem at once, each with the
 * variable and an example. Flat names in, frozen nested values out; secrets print as `[secret]`.
 */
import { getServers } from 'node:dns'
import { withPort } from './parse.ts'
import { SETTINGS } from './settings.ts'

type Values = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['parse']> }

/** What callers keep their own address and key in, often in the same shell. */
const OF_CLIENTS = new Set(['NAMEWRIGHT_URL', 'NAMEWRIGHT_KEY'])

export type Config = ReturnType<typeof readConfig>

/** Names every problem, not only the first. */
export class ConfigError extends Error {}

export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { default: preset, example, parse }] of Object.entries(SETTINGS)) {
    const text = env[name]?.trim() || preset
    try {
      if (text === undefined) throw new Error('set')
      values[name] = parse(text)
    } catch (error) {
      problems.push(`${name} must be ${error instanceof Error ? error.message : 'valid'}, for example ${example}`)
    }
  }
  const strangers = Object.keys(env).filter(
    (name) => name.startsWith('NAMEWRIGHT_') && !(name in SETTINGS) && !OF_CLIENTS.has(name),
  )
  problems.push(...strangers.map((name) => `${name} is not a setting; see docs/configuration.md`))
  const read = values as Values
  if (Boolean(read.NAMEWRIGHT_TLS_CERT_FILE) !== Boolean(read.NAMEWRIGHT_TLS_KEY_FILE)) {
    problems.push('NAMEWRIGHT_TLS_CERT_FILE and NAMEWRIGHT_TLS_KEY_FILE must be set together')
  }
  if (read.NAMEWRIGHT_SMTP_URL && !read.NAMEWRIGHT_MAIL_FROM) {
    problems.push('NAMEWRIGHT_MAIL_FROM must be set, because NAMEWRIGHT_SMTP_URL is')
  }
  if (read.NAMEWRIGHT_SIGN_UP === 'open' && !read.NAMEWRIGHT_SMTP_URL) {
    problems.push('NAMEWRIGHT_SMTP_URL must be set, because NAMEWRIGHT_SIGN_UP is open: addresses are verified by mail')
  }
  if (read.NAMEWRIGHT_INDEX && !read.NAMEWRIGHT_DATA_DIR) {
    problems.push('NAMEWRIGHT_DATA_DIR must be set, because NAMEWRIGHT_INDEX is: a node maps its own copy of the index')
  }
  const needed = {
    cloudflare: 'CLOUDFLARE',
    'name-com': 'NAME_COM',
    porkbun: 'PORKBUN',
    godaddy: 'GODADDY',
    namecheap: 'NAMECHEAP',
    epp: 'EPP_URL',
  }
  for (const [registrar, name] of Object.entries(needed)) {
    const isAsked = (read.NAMEWRIGHT_REGISTRARS as readonly string[] | undefined)?.includes(registrar) ?? false
    if (isAsked && values[`NAMEWRIGHT_${name}`] === undefined) {
      problems.push(`NAMEWRIGHT_${name} must be set, because NAMEWRIGHT_REGISTRARS names ${registrar}`)
    }
  }
  if (read.NAMEWRIGHT_MODEL?.kind === 'openai-compatible' && !read.NAMEWRIGHT_MODEL_URL) {
    problems.push('NAMEWRIGHT_MODEL_URL must be set, because NAMEWRIGHT_MODEL is openai-compatible')
  }
  if (read.NAMEWRIGHT_MODEL?.kind === 'anthropic' && !read.NAMEWRIGHT_MODEL_KEY) {
    problems.push('NAMEWRIGHT_MODEL_KEY must be set, because NAMEWRIGHT_MODEL is anthropic')
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return Object.freeze({
    database: Object.freeze({
      url: read.NAMEWRIGHT_DATABASE_URL,
      standbyUrl: read.NAMEWRIGHT_STANDBY_URL,
      ownerUrl: read.NAMEWRIGHT_OWNER_DATABASE_URL ?? read.NAMEWRIGHT_DATABASE_URL,
      migrate: read.NAMEWRIGHT_MIGRATE,
    }),
    redis: read.NAMEWRIGHT_REDIS_URL,
    redisTimeoutMs: read.NAMEWRIGHT_REDIS_TIMEOUT_MS,
    secret: read.NAMEWRIGHT_SECRET,
    listen: Object.freeze({ host: read.NAMEWRIGHT_HOST, port: read.NAMEWRIGHT_PORT }),
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
    }),
    people: Object.freeze({
      signUp: read.NAMEWRIGHT_SIGN_UP,
      providers: read.NAMEWRIGHT_SIGN_IN_WITH ?? [],
    }),
    mail:
      read.NAMEWRIGHT_SMTP_URL && read.NAMEWRIGHT_MAIL_FROM
        ? Object.freeze({ url: read.NAMEWRIGHT_SMTP_URL, from: read.NAMEWRIGHT_MAIL_FROM })
        : undefined,
    resolvers: read.NAMEWRIGHT_DNS_RESOLVERS ?? getServers().map(withPort),
    availabilityMode: read.NAMEWRIGHT_AVAILABILITY_MODE,
    registrars: Object.freeze({
      order: read.NAMEWRIGHT_REGISTRARS.filter((name) => name !== 'none'),
      cloudflare: read.NAMEWRIGHT_CLOUDFLARE,
      nameCom: read.NAMEWRIGHT_NAME_COM,
      porkbun: read.NAMEWRIGHT_PORKBUN,
      godaddy: read.NAMEWRIGHT_GODADDY,
      namecheap: read.NAMEWRIGHT_NAMECHEAP,
      epp: read.NAMEWRIGHT_EPP_URL,
      eppCertFile: read.NAMEWRIGHT_EPP_CERT_FILE,
      eppKeyFile: read.NAMEWRIGHT_EPP_KEY_FILE,
    }),
    rdap: read.NAMEWRIGHT_RDAP === 'on',
    nodes: read.NAMEWRIGHT_NODES,
    overload: read.NAMEWRIGHT_OVERLOAD,
    index:
      read.NAMEWRIGHT_INDEX && read.NAMEWRIGHT_DATA_DIR
        ? Object.freeze({ from: read.NAMEWRIGHT_INDEX, dataDir: read.NAMEWRIGHT_DATA_DIR })
        : undefined,
    dataDir: read.NAMEWRIGHT_DATA_DIR,
    czds: read.NAMEWRIGHT_CZDS,
    prices: Object.freeze({
      refresh: read.NAMEWRIGHT_PRICE_REFRESH === 'on',
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
