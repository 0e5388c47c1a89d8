/**
 * The service as tests see it, and its processes. `start-app.ts` starts it.
 *
 * Accounts and keys are made through the same code as the operator's command. Every answer under /v1 that goes
 * through `call` is held against the OpenAPI document of the node that gave it.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type pg from 'pg'
import type { AccountSpec } from '../src/features/accounts/accounts.ts'
import type { Db } from '../src/platform/db/db.ts'
import type { KeySpec, Keys } from '../src/features/keys/keys.ts'
import type { AccountId, KeyId } from '../src/model/caller.ts'
import { createAnswerCheck } from './answer-check.ts'
import { COMPILED } from './compiled.ts'
import { POSTGRES_SERVER } from './template.ts'

// What tests put into tables themselves has ids as the service makes them.
export { makeId } from '../src/model/id.ts'
export type { AccountId, KeyId, QuotaLimits, Scope } from '../src/model/caller.ts'

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

export async function startNode(env: Record<string, string>): Promise<Node> {
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
export async function startProcess(args: readonly string[], env: Record<string, string>, sign: RegExp) {
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
