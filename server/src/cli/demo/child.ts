/** A child process that the demo starts and stops. */
import { spawn } from 'node:child_process'
import type { SpawnOptions } from 'node:child_process'
import { once } from 'node:events'

export interface Child {
  hasEnded(): boolean
  /** Resolves when the process has exited. */
  stop(signal: NodeJS.Signals): Promise<void>
}

/** Undefined if the program is not installed. */
export async function startChild(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<Child | undefined> {
  // A separate process group: Ctrl-C in a terminal signals the whole group, and the service must close before
  // PostgreSQL and Redis.
  const child = spawn(command, args, { ...options, detached: true })
  const isThere = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true))
    child.once('error', () => resolve(false))
  })
  if (!isThere) return undefined
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    hasEnded,
    async stop(signal) {
      if (hasEnded()) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}
