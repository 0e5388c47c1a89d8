/**
 * A disk that takes what is written and fails when it is asked whether it is safe: `fsync` and `fdatasync` of running
 * processes answer EIO, by strace. Nothing on the disk is touched.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { until } from '../cluster/child.ts'

export interface BrokenSync extends AsyncDisposable {
  /** How many calls have failed. */
  failed(): number
}

/** Of these processes and of those that they start. Needs the right to trace them. */
export async function breakSync(pids: readonly number[]): Promise<BrokenSync> {
  const calls = 'fsync,fdatasync,sync_file_range'
  const args = ['-f', '-qq', '-e', `trace=${calls}`, '-e', `inject=${calls}:error=EIO`]
  const strace = spawn('strace', [...args, ...pids.flatMap((pid) => ['-p', String(pid)])], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  strace.stderr.on('data', (piece: Buffer) => (said += piece))
  let isOver = false
  strace.once('exit', () => (isOver = true))
  await until('strace holds them', () => {
    if (isOver) throw new Error(`strace ended: ${said}`)
    return pids.every((pid) => isTraced(pid))
  })
  return {
    failed: () => said.split('(INJECTED)').length - 1,
    async [Symbol.asyncDispose]() {
      if (isOver) return
      const ended = once(strace, 'exit')
      strace.kill('SIGINT')
      await ended
    },
  }
}

function isTraced(pid: number): boolean {
  try {
    return !/^TracerPid:\s*0$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    // It has ended; there is nothing to hold.
    return true
  }
}
