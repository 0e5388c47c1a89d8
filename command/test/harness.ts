/** Runs the command in a test: as a function with recorded streams, or as a process. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { run } from '../src/run.ts'
import type { Outside, Output } from '../src/streams.ts'

export const BIN = new URL('../src/bin.ts', import.meta.url).pathname

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly outside?: Partial<Outside>
  /** Replace the recorded streams. */
  readonly stdout?: Output
  readonly stderr?: Output
}

export async function runCli(args: readonly string[], running: Running = {}): Promise<Ran> {
  const { env = {}, stdin = '', outside = {} } = running
  const kept = { stdout: '', stderr: '' }
  const keeper = (name: 'stdout' | 'stderr'): Output => ({ write: (text) => void (kept[name] += text) })
  const streams = {
    stdin: inputOf(stdin),
    stdout: running.stdout ?? keeper('stdout'),
    stderr: running.stderr ?? keeper('stderr'),
  }
  const code = await run(args, streams, { HOME: '/nonexistent', ...env }, outside)
  return { code, ...kept }
}

async function* inputOf(text: string): AsyncGenerator<string> {
  yield text
}

export interface Process {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits until its output matches. */
  saw(sign: RegExp): Promise<void>
  ended(): Promise<Ran>
}

/** With this environment only. */
export function startCli(
  args: readonly string[],
  { env = {} }: { env?: Readonly<Record<string, string>> } = {},
): Process {
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const closed = once(child, 'close')
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    async saw(sign) {
      while (!sign.test(stdout + stderr)) {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${stdout}${stderr}`)
        await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), closed])
      }
    },
    async ended() {
      await closed
      return { code: child.exitCode, stdout, stderr }
    },
  }
}

export interface Folder extends Disposable {
  readonly path: string
}

export function openFolder(): Folder {
  const path = mkdtempSync(`${tmpdir()}/namewright-cli-`)
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
