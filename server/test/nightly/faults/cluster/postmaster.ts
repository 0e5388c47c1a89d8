/** The processes of one PostgreSQL, found by the folder that they all work in. */
import { execFile } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { until } from './child.ts'

const VERSIONS = '/usr/lib/postgresql'
const run = promisify(execFile)

export async function newestBin(): Promise<string> {
  const newest = (await readdir(VERSIONS)).toSorted((a, b) => Number(a) - Number(b)).at(-1)
  return `${VERSIONS}/${newest}/bin`
}

export async function idOf(what: '-u' | '-g', user: string): Promise<number> {
  return Number((await run('id', [what, user])).stdout)
}

/** The pids of those that work in the folder, and of those alone whose title has the word. */
export function processesIn(folder: string, word = ''): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return (
          readlinkSync(`/proc/${name}/cwd`) === folder && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(word)
        )
      } catch {
        // It has just ended.
        return false
      }
    })
    .map(Number)
}

/** As a machine that loses its power, but for what the kernel still writes. */
export async function killProcessesIn(folder: string): Promise<void> {
  await until(`nothing runs in ${folder}`, () => {
    const pids = processesIn(folder)
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has just ended.
      }
    }
    return pids.length === 0
  })
}

/** The same as a line of shell, for when we cannot do it any more. */
export function killLine(folder: string): string {
  return `ls -l /proc/[0-9]*/cwd | sed -n 's|.*/proc/\\([0-9]*\\)/cwd -> ${folder}$|\\1|p' | xargs -r kill -9`
}

/** PostgreSQL marks its folder as used with a segment of shared memory, which a killed one leaves behind. */
export async function forgetSharedMemory(dataDir: string): Promise<void> {
  const lines = (await readFile(`${dataDir}/postmaster.pid`, 'utf8').catch(() => '')).split('\n')
  const [, segment] = (lines[6] ?? '').trim().split(/\s+/)
  if (segment) await run('ipcrm', ['-m', segment]).catch(() => {})
}
