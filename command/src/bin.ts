#!/usr/bin/env node
/** The entry point of the command `namewright`: passes streams, environment and signals of this process to run.ts. */
import { EXIT, Interrupted } from './exit.ts'
import { run } from './run.ts'

const stop = new AbortController()

// The first Ctrl-C lets the command print its state; the second exits at once.
process.on('SIGINT', () => {
  if (stop.signal.aborted) process.exit(EXIT.interrupted)
  stop.abort(new Interrupted('stopped'))
})
process.once('SIGTERM', () => stop.abort(new Interrupted('stopped')))
// The reader closed the pipe (“| head”).
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 141 : EXIT.upstream))

process.exitCode = await run(process.argv.slice(2), process, process.env, { signal: stop.signal })
// Do not wait for idle connections of the runtime.
if (process.stdout.writableLength === 0 && process.stderr.writableLength === 0) process.exit()
