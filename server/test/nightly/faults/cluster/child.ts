/**
 * A process of the cluster, ended by its pid and never by its name.
 *
 * Whatever it writes goes into a file of the cluster's folder, so that a process that is stopped or dead can still be
 * read. It dies with the process that started it (`setpriv --pdeathsig`), however that one ends.
 */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ChildSpec {
  /** The file that it writes to. */
  readonly log: string
  /** What the command line begins with: `ip netns exec …` and the like. */
  readonly before?: readonly string[]
  readonly command: readonly string[]
  readonly user?: string
  readonly cwd: string
  readonly env?: Record<string, string>
}

export interface Child {
  /** Undefined once it has ended. */
  pid(): number | undefined
  output(): string
  signal(signal: NodeJS.Signals): void
  /** Until it has ended. */
  end(signal: NodeJS.Signals): Promise<void>
  isRunning(): boolean
}

export function startChild({ log, before = [], command, user, cwd, env = {} }: ChildSpec): Child {
  const as = user === undefined ? [] : ['--reuid', user, '--regid', user, '--init-groups']
  const [program = '', ...args] = [...before, 'setpriv', '--pdeathsig', 'KILL', ...as, ...command]
  const file = openSync(log, 'a')
  const child = spawn(program, args, {
    cwd,
    env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin`, LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', file, file],
  })
  // A program that is not there shows as a process that is not running.
  child.on('error', () => {})
  closeSync(file)

  function pid(): number | undefined {
    return isAlive(child) ? child.pid : undefined
  }

  function send(signal: NodeJS.Signals): void {
    const target = pid()
    if (target !== undefined) process.kill(target, signal)
  }

  return {
    pid,
    signal: send,
    output: () => readFileSync(log, 'utf8'),
    isRunning: () => isAlive(child),
    async end(how) {
      if (!isAlive(child)) return
      const ended = once(child, 'exit')
      send(how)
      await ended
    },
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

/** Until `holds`; says what was waited for when it never does. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  { forMs = 60_000, everyMs = 50 }: { forMs?: number; everyMs?: number } = {},
): Promise<void> {
  const end = performance.now() + forMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${forMs / 1000} s`)
    await sleep(everyMs)
  }
}
