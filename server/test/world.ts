/**
 * The service as tests see it, and its processes. `start-app.ts` starts it.
 *
 * Accounts and keys are made through the same code as the operator's command. Every answer under /v1 that goes
 * through `call` is held against the OpenAPI document of the node that gave it.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type pg from 'pg'
import SERVER from '../package.json' with { type: 'json' }
import {
  type AccountId,
  type AccountSpec,
  type Config,
  type Db,
  findSetupText,
  type KeyId,
  type Keys,
  type KeySpec,
  type Names,
  type Opening,
  openLog,
  openNames,
  openService,
  openWorker,
  type Service,
} from './source.ts'
import { createAnswerCheck } from './answer-check.ts'
import { COMPILED } from './compiled.ts'
import { readConfig } from './read-config.ts'
import { POSTGRES_SERVER } from './template.ts'

// What tests put into tables themselves has ids as the service makes them.
export { makeId } from './source.ts'
export type { AccountId, KeyId, QuotaLimits, Scope } from './source.ts'

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

/** A node or a worker, in the test's own process or in one of its own. */
export interface Running {
  /** Everything it wrote. */
  readonly output: () => string
  /** A process that is killed leaves everything as it is; what runs in this process cuts its connections and closes. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface RunningProcess extends Running {
  readonly process: ChildProcess
}

export interface Node extends Running {
  readonly url: string
  call(path: string, call?: Call): Promise<Answer>
  /** Where its metrics are. */
  readonly metricsUrl: string
  /** Its metrics, as Prometheus reads them. */
  metrics(): Promise<string>
}

export type NodeProcess = Node & RunningProcess

type Env = Readonly<Record<string, string>>

export interface World extends AsyncDisposable {
  readonly databaseUrl: string
  readonly env: Readonly<Record<string, string>>
  /** As the owner of the tables, past row-level security: for assertions, never for the service. */
  readonly owner: pg.Pool
  readonly db: Db
  readonly keys: Keys
  /** In this process: half a second less than a process of its own. */
  readonly startNode: (env?: Env) => Promise<Node>
  /** For who kills it, signals it, measures it, or wants an event loop that is not the test's. */
  readonly startNodeProcess: (env?: Env) => Promise<NodeProcess>
  /** What does jobs, once it has begun to poll for them. */
  readonly startWorker: (env?: Env) => Promise<Running>
  readonly startWorkerProcess: (env?: Env) => Promise<RunningProcess>
  makeAccount(spec?: Partial<AccountSpec>): Promise<AccountId>
  makeKey(account: AccountId, spec?: Partial<KeySpec>): Promise<{ id: KeyId; secret: string }>
}

/** Generous, so that only tests of limits meet them. */
export const WIDE_QUOTA = { perMinute: 1_000_000, burst: 1_000_000, perDay: null, perMonth: null }

export const startNode = async (env: Env): Promise<Node> => asNode(await open(env, openService))

export const startNodeProcess = async (env: Env): Promise<NodeProcess> =>
  asNode(await startProcess([], env, /"msg":"listening"/))

export const startWorker = (env: Env): Promise<Running> =>
  open(env, (config, opening) => openWorker(config, config.worker.places, opening))

export const startWorkerProcess = (env: Env): Promise<RunningProcess> =>
  startProcess(['work'], env, /"msg":"worker started"/)

async function asNode<Kind extends Running>(running: Kind): Promise<Kind & Node> {
  const find = (message: string) => new RegExp(`"url":"([^"]+)","msg":"${message}"`).exec(running.output())?.[1]
  const url = find('listening') ?? ''
  const metricsUrl = `${find('metrics listening')}/metrics`
  const check = await createAnswerCheck(url)
  return {
    ...running,
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

/** The lists of names take half a second to read and hold nothing of a caller: all nodes of this process share them. */
let names: Names | undefined

async function open(
  env: Env,
  openIt: (config: Config, opening: Opening) => Promise<Omit<Service, 'cut'> & Partial<Service>>,
): Promise<Running> {
  const foreign = Object.keys(env).find((name) => !name.startsWith('NAMEWRIGHT_'))
  if (foreign !== undefined) throw new Error(`only a process of its own has ${foreign} in its environment`)
  const config = readConfig(env)
  let output = ''
  const log = openLog(config.logLevel, { write: (line) => void (output += line) })
  const service = await openIt(config, { version: SERVER.version, log, names: (names ??= openNames()) })
  if (service.cut) output += (await findSetupText(service.ctx)) ?? ''
  let ending: Promise<number> | undefined
  return { output: () => output, stop: (signal = 'SIGTERM') => (ending ??= end(signal)) }

  async function end(signal: NodeJS.Signals): Promise<number> {
    if (signal === 'SIGKILL') service.cut?.()
    await service.drain(signal)
    await service[Symbol.asyncDispose]()
    return 0
  }
}

/** Until it writes what it is waited for. */
async function startProcess(args: readonly string[], env: Env, sign: RegExp): Promise<RunningProcess> {
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, MAIN, ...args], {
    env: { PATH: process.env.PATH ?? '', ...COMPILED, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  const { promise: started, resolve, reject } = Promise.withResolvers<void>()
  const listen = (chunk: Buffer) => {
    output += chunk
    if (sign.test(output)) resolve()
  }
  child.stdout.on('data', listen)
  child.stderr.on('data', listen)
  // Unlike `exit`, `close` comes after all that it wrote.
  child.once('close', (code) => {
    reject(new Error(`the process ended with ${code}: ${output}`))
    // By itself, after it had started: its callers only see that it is gone.
    if (code) console.error(`the process of ${args.join(' ')} ended with ${code}: ${output.slice(-4_000)}`)
  })
  await started
  return {
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
