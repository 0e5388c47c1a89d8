/** Load on a service for a while: keys to call with, a process that calls, and the log of what it saw. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WIDE_QUOTA } from '../../../world.ts'
import type { AccountId, AccountSpec, KeyId, KeySpec } from '../../../source.ts'
import type { CallingKey, Job } from './caller.ts'
import { USUAL_PATIENCE } from './operation.ts'

const CALLER = new URL('caller.ts', import.meta.url).pathname

/** What makes accounts and keys: a world, or a cluster. */
export interface Registrar {
  makeAccount(spec?: Partial<AccountSpec>): Promise<AccountId>
  makeKey(account: AccountId, spec?: Partial<KeySpec>): Promise<{ id: KeyId; secret: string }>
}

export interface KeyPlan {
  readonly accounts: number
  /** Of each account; the first of every second account has a budget for a day. */
  readonly keysEach: number
  readonly budget: number
}

export const USUAL_KEYS: KeyPlan = { accounts: 4, keysEach: 2, budget: 2_000 }

export async function makeKeys(
  registrar: Registrar,
  { accounts, keysEach, budget }: KeyPlan,
): Promise<readonly CallingKey[]> {
  const keys: CallingKey[] = []
  for (let at = 0; at < accounts; at++) {
    const account = await registrar.makeAccount({ name: `load ${at}` })
    for (let n = 0; n < keysEach; n++) {
      const isLimited = n === 0 && at % 2 === 1
      const quota = isLimited ? { ...WIDE_QUOTA, perDay: budget } : WIDE_QUOTA
      const { id, secret } = await registrar.makeKey(account, { quota })
      keys.push({ account, id, secret })
    }
  }
  return keys
}

export type LoadOptions = Pick<Job, 'urls' | 'keys' | 'run' | 'perSecond' | 'seconds'> &
  Partial<Pick<Job, 'patience' | 'again'>> & { readonly folder: string }

export interface Load extends AsyncDisposable {
  readonly logFile: string
  /** Milliseconds since 1970, when the schedule began. */
  readonly startedAt: number
  /** Until every operation has its end. */
  readonly ended: Promise<void>
}

export async function startLoad({ folder, ...options }: LoadOptions): Promise<Load> {
  const logFile = join(folder, `${options.run}.ndjson`)
  const job: Job = {
    patience: USUAL_PATIENCE,
    again: 0.02,
    ...options,
    logFile,
  }
  const jobFile = join(folder, `${options.run}.job.json`)
  await writeFile(jobFile, JSON.stringify(job), { mode: 0o600 })
  const child = spawn(process.execPath, [CALLER, jobFile], {
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
  const ended = endOf(child, () => errors)
  // Rejects for the code that awaits it; a plan that failed before may never.
  ended.catch(() => {})
  const first = await Promise.race([once(child.stdout, 'data'), ended])
  if (first === undefined) throw new Error(`the calling process ended before it began: ${errors}`)
  return {
    logFile,
    startedAt: (JSON.parse(String(first[0])) as { startedAt: number }).startedAt,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended.catch(() => {})
    },
  }
}

async function endOf(child: ChildProcess, errors: () => string): Promise<void> {
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the calling process ended with ${code}: ${errors()}`)
}
