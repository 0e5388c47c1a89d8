/**
 * The command `namewright` as a process of its own: no server, no Redis, no database, no settings, and nothing in its cache
 * but what a test leaves there.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { COMPILED } from '../../../compiled.ts'
import { environmentOf } from '../world/networks.ts'
import type { Answer, Network } from '../world/networks.ts'
import type { Addresses } from '../world/open-internet.ts'

const BIN = new URL('../../../../../command/src/bin.ts', import.meta.url).pathname

export interface Run {
  readonly answers: readonly Answer[]
  /** From its start to its end. */
  readonly tookMs: number
  readonly code: number | null
  readonly stderr: string
}

export interface CommandOptions {
  /** Seconds. Without it the command's own default counts. */
  readonly deadline?: number
  /** Its cache and its home, for the next command too. Without it each has an empty one of its own. */
  readonly folder?: Folder
}

export interface Folder extends AsyncDisposable {
  readonly path: string
}

export async function openFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'namewright-command-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

/** `namewright check` in one network, with the names on standard input. */
export async function askCommand(
  addresses: Addresses,
  network: Network,
  names: readonly string[],
  { deadline, folder }: CommandOptions = {},
): Promise<Run> {
  await using own = folder === undefined ? await openFolder() : undefined
  const path = (folder ?? own)?.path ?? ''
  const args = ['check', '--stdin', '--json']
  if (deadline !== undefined) args.push('--deadline', String(deadline))
  if (network.registrar === undefined) args.push('--sources', 'rdap,dns')
  const startedAt = performance.now()
  const child = spawn(process.execPath, [BIN, ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...COMPILED,
      HOME: path,
      NAMEWRIGHT_CACHE_DIR: path,
      ...environmentOf(addresses, network),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.end(names.join('\n'))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const tookMs = performance.now() - startedAt
  if (stdout === '') throw new Error(`the command ended with ${child.exitCode} and said nothing: ${stderr}`)
  return { answers: JSON.parse(stdout) as Answer[], tookMs, code: child.exitCode, stderr }
}
