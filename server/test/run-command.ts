/** Runs `namewright-server` with these arguments and this environment, and nothing of the test's own environment. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

const MAIN = new URL('../src/main.ts', import.meta.url).pathname

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export async function runCommand(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}
