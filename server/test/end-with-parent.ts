/** Preloaded into every process that a test starts: it ends when the worker that holds its standard input has ended. */
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume()
  process.stdin.unref()
}
