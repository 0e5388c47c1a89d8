/** Runs `namewright-server` with these arguments and this environment, and nothing of the test's own environment. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { COMPILED } from './compiled.ts'

const MAIN = new URL('../src/main.ts', import.meta.url).pathname

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `user`: whom to be, where that is not who runs the test. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  user?: { readonly uid: number; readonly gid: number },
): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH ?? '', ...COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}
