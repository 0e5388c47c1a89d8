/**
 * Runs the commands of the manual: the same words, in bash, from the root of the repository.
 *
 * A curl configuration of its own makes every curl say its HTTP status on stderr, so the words need no change to be
 * judged. The environment is only what is given, and whatever is left running at the end is ended.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { ROOT } from './pages.ts'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Of every curl, in order. */
  readonly statuses: readonly number[]
}

const CURLRC = 'silent\nshow-error\nwrite-out = "%{stderr}\\nHTTP status %{http_code}\\n"\n'

export async function runShell(
  script: string,
  env: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Ran> {
  const home = await mkdtemp(`${tmpdir()}/namewright-docs-`)
  await writeFile(`${home}/.curlrc`, CURLRC)
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: fileURLToPath(ROOT),
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', CURL_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that what the script started can be ended with it.
    detached: true,
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  signal?.addEventListener('abort', () => endGroup(child.pid), { once: true })
  const written = once(child, 'close')
  await once(child, 'exit')
  endGroup(child.pid)
  await written
  await rm(home, { recursive: true })
  const statuses = [...stderr.matchAll(/^HTTP status (\d+)$/gm)].map(([, status]) => Number(status))
  return { code: child.exitCode, stdout, stderr, statuses }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}
