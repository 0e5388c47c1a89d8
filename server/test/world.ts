/**
 * A world for a test: a database of its own, and real nodes of the service as processes that can be killed.
 *
 * Accounts and keys are made through the same code as the operator's command. Every answer under /v1 that goes
 * through `call` is held against the OpenAPI document of the node that gave it.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import { openAccounts } from '../src/tenancy/accounts/accounts.ts'
import type { AccountSpec } from '../src/tenancy/accounts/accounts.ts'
import { migrate } from '../src/cli/migrate.ts'
import { openDb } from '../src/platform/db/db.ts'
import type { Db } from '../src/platform/db/db.ts'
import { openKeys } from '../src/tenancy/keys/keys.ts'
import type { KeySpec, Keys } from '../src/tenancy/keys/keys.ts'
import { SCOPES } from '../src/model/caller.ts'
import type { AccountId, KeyId } from '../src/model/caller.ts'
import { createAnswerCheck } from './answer-check.ts'
import { COMPILED } from './compiled.ts'
import { flush, REDIS_TIMEOUT_MS, REDIS_URL } from './redis.ts'
import { findTemplate, makeDatabaseName, POSTGRES_SERVER } from './template.ts'

export const ADMIN_URL = `${POSTGRES_SERVER}/postgres`
const MAIN = new URL('../src/main.ts', import.meta.url).pathname
const END_WITH_PARENT = new URL('end-with-parent.ts', import.meta.url).pathname

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what the test is about
  readonly json: any
}

export interface Call {
  readonly key?: string
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface Node {
  readonly url: string
  readonly process: ChildProcess
  /** Everything it wrote. */
  readonly output: () => string
  call(path: string, call?: Call): Promise<Answer>
  /** Where its metrics are. */
  readonly metricsUrl: string
  /** Its metrics, as Prometheus reads them. */
  metrics(): Promise<string>
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface WorkerProcess {
  readonly process: ChildProcess
  /** Everything it wrote. */
  readonly output: () => string
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface World extends AsyncDisposable {
  readonly databaseUrl: string
  readonly env: Readonly<Record<string, string>>
  /** As the owner of the tables, past row-level security: for assertions, never for the service. */
  readonly owner: pg.Pool
  readonly db: Db
  readonly keys: Keys
  startNode(env?: Record<string, string>): Promise<Node>
  /** A process that does jobs, once it has begun to poll for them. */
  startWorker(env?: Record<string, string>): Promise<WorkerProcess>
  makeAccount(spec?: Partial<AccountSpec>): Promise<AccountId>
  makeKey(account: AccountId, spec?: Partial<KeySpec>): Promise<{ id: KeyId; secret: string }>
}

/** Generous, so that only tests of limits meet them. */
export const WIDE_QUOTA = { perMinute: 1_000_000, burst: 1_000_000, perDay: null, perMonth: null }

/** What an earlier process of this worker has left in Redis is nothing to this one. */
let emptied: Promise<void> | undefined

/** `adminUrl` is of another PostgreSQL than everybody's, for who wants to restart one. */
export async function openWorld(env: Record<string, string> = {}, adminUrl = ADMIN_URL): Promise<World> {
  await (emptied ??= flush(REDIS_URL))
  const name = makeDatabaseName()
  const template = adminUrl === ADMIN_URL ? findTemplate() : undefined
  await runOnServer(adminUrl, `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`)
  const databaseUrl = adminUrl.replace(/[^/]+$/, name)
  await migrate(databaseUrl)
  const db = openDb({ url: databaseUrl, poolSize: 4 })
  const keys = openKeys({ db, now: Date.now })
  const accounts = openAccounts({ db, now: Date.now })
  const owner = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  owner.on('error', () => {})
  const processes: Pick<Node, 'stop'>[] = []
  const nodeEnv = {
    NAMEWRIGHT_DATABASE_URL: databaseUrl,
    NAMEWRIGHT_REDIS_URL: REDIS_URL,
    NAMEWRIGHT_REDIS_TIMEOUT_MS: String(REDIS_TIMEOUT_MS),
    NAMEWRIGHT_SECRET: randomBytes(24).toString('hex'),
    NAMEWRIGHT_DNS_RESOLVERS: '127.0.0.1:5320',
    // The loopback internet of most tests is DNS; those of registrars and registries say so.
    NAMEWRIGHT_AVAILABILITY_MODE: 'balanced',
    NAMEWRIGHT_REGISTRARS: 'none',
    NAMEWRIGHT_RDAP: 'off',
    NAMEWRIGHT_NAMESPACES: 'off',
    NAMEWRIGHT_PRICE_REFRESH: 'off',
    NAMEWRIGHT_PORT: '0',
    NAMEWRIGHT_METRICS_ADDRESS: '127.0.0.1:0',
    NAMEWRIGHT_DRAIN_SECONDS: '0',
    // Tests share the machine with each other; those of overload say so.
    NAMEWRIGHT_OVERLOAD: 'off',
    // Tests of jobs start workers that they can stop and kill.
    NAMEWRIGHT_WORKER: 'apart',
    ...env,
  }

  return {
    databaseUrl,
    env: nodeEnv,
    owner,
    db,
    keys,
    async startNode(more = {}) {
      const node = await startNode({ ...nodeEnv, ...more })
      processes.push(node)
      return node
    },
    async startWorker(more = {}) {
      const worker = await startProcess(['work'], { ...nodeEnv, ...more }, /"msg":"worker started"/)
      processes.push(worker)
      return worker
    },
    makeAccount: (spec = {}) => accounts.create({ name: 'test', ...spec }),
    makeKey: (account, spec = {}) =>
      keys.create(account, { name: 'test', scopes: SCOPES, quota: WIDE_QUOTA, allowedIps: [], ...spec }),
    async [Symbol.asyncDispose]() {
      await Promise.all(processes.map((one) => one.stop('SIGKILL')))
      keys.close()
      await Promise.all([db.close(), owner.end()])
      await runOnServer(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

async function runOnServer(adminUrl: string, statement: string): Promise<void> {
  const server = new pg.Client(adminUrl)
  await server.connect()
  await server.query(statement)
  await server.end()
}

async function startNode(env: Record<string, string>): Promise<Node> {
  const node = await startProcess([], env, /"url":"([^"]+)","msg":"listening"/)
  const url = node.found[1] ?? ''
  const metricsUrl = `${/"url":"([^"]+)","msg":"metrics listening"/.exec(node.output())?.[1]}/metrics`
  const check = await createAnswerCheck(url)
  return {
    ...node,
    url,
    metricsUrl,
    metrics: async () => (await fetch(metricsUrl)).text(),
    async call(path, call = {}) {
      const answer = await request(url, path, call)
      check(call.method ?? (call.body === undefined ? 'GET' : 'POST'), path, answer)
      return answer
    },
  }
}

/** Until it writes what it is waited for. */
async function startProcess(args: readonly string[], env: Record<string, string>, sign: RegExp) {
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, MAIN, ...args], {
    env: { PATH: process.env.PATH ?? '', ...COMPILED, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  const { promise: started, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
  const listen = (chunk: Buffer) => {
    output += chunk
    const found = sign.exec(output)
    if (found) resolve(found)
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  // Unlike `exit`, `close` comes after all that it wrote.
  child.once('close', (code) => {
    reject(new Error(`the process ended with ${code}: ${output}`))
    // By itself, after it had started: its callers only see that it is gone.
    if (code) console.error(`the process of ${args.join(' ')} ended with ${code}: ${output.slice(-4_000)}`)
  })
  return {
    found: await started,
    process: child,
    output: () => output,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const ended = once(child, 'close')
      child.kill(signal)
      await ended
      return child.exitCode
    },
  }
}

export async function request(url: string, path: string, { key, body, headers = {}, ...rest }: Call): Promise<Answer> {
  const method = rest.method ?? (body === undefined ? 'GET' : 'POST')
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}
