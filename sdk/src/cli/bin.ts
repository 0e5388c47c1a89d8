#!/usr/bin/env node
/** The command `namewright`: this process as streams, environment and signals; see run.ts. */
import { EXIT, Interrupted } from './exit.ts'
import { run } from './run.ts'

const stop = new AbortController()

// The first Ctrl-C lets the command say where things stand; the second does not wait.
process.on('SIGINT', () => {
  if (stop.signal.aborted) process.exit(EXIT.interrupted)
  stop.abort(new Interrupted('stopped'))
})
process.once('SIGTERM', () => stop.abort(new Interrupted('stopped')))
// Who reads no further (“| head”) wants no more of it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 141 : EXIT.upstream))

process.exitCode = await run(process.argv.slice(2), process, process.env, { signal: stop.signal })
// An open connection of the runtime's own keeps nobody waiting.
if (process.stdout.writableLength === 0 && process.stderr.writableLength === 0) process.exit()
