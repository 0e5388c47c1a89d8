/**
 * Undoes what would outlive us. Our children die with us, but a PostgreSQL that Patroni started does not, nor does a
 * network namespace or a mounted disk. So a shell waits for the end of our pipe, which comes however we end, and then
 * runs what was left in the file `undo` of the folder, last first.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'

const SCRIPT = `cat >/dev/null; cd /; [ -e "$0/undo" ] && tac "$0/undo" | sh >/dev/null 2>&1; rm -rf "$0"`

export function openSweeper(folder: string): AsyncDisposable {
  const shell = spawn('sh', ['-c', SCRIPT, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  // It waits for us, we do not wait for it.
  shell.unref()
  return {
    async [Symbol.asyncDispose]() {
      shell.ref()
      const ended = once(shell, 'exit')
      shell.kill('SIGKILL')
      await ended
      shell.stdin.destroy()
    },
  }
}

/** One line of shell, to be run if we die before we can do it ourselves. */
export function leaveUndo(folder: string, line: string): void {
  appendFileSync(`${folder}/undo`, `${line}\n`)
}
