#!/usr/bin/env node
/**
 * namewright-server: start, wait for a signal, close.
 *
 * On SIGTERM or SIGINT `/readyz` says no at once, so that load balancers look elsewhere; a little later new
 * connections are refused, what is under way is finished, everything is closed in reverse, and the process ends.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { runAdmin } from './admin.ts'
import { runIndex } from './build-index.ts'
import { ConfigError, readConfig } from './config/config.ts'
import type { Config } from './config/config.ts'
import { openContext } from './context.ts'
import { migrate } from './db/migrate.ts'
import { createHttpServer } from './http/server.ts'
import { openLog } from './log.ts'
import { openOutbound } from './outbound.ts'

const USAGE = `namewright-server [serve]           start the service
namewright-server migrate           bring the database up to date
namewright-server admin …           accounts and keys; see namewright-server admin help
namewright-server index …           the index of registered names; see namewright-server index help
Settings come from the environment; see docs/configuration.md.`

// Where ICANN's zone data service is.
const CZDS = { accountUrl: 'https://account-api.icann.org', apiUrl: 'https://czds-api.icann.org' }

// Callers may ask for 30 s (`deadline_ms`); a little is left for writing the answer.
const LONGEST_REQUEST_MS = 35_000

async function main([command = 'serve', ...args]: readonly string[]): Promise<number> {
  if (command === 'help' || command === '--help') {
    console.log(USAGE)
    return 0
  }
  if (!['serve', 'migrate', 'admin', 'index'].includes(command)) {
    console.error(`There is no command ${command}.\n${USAGE}`)
    return 2
  }
  const config = readConfig(process.env)
  if (command === 'migrate') {
    const applied = await migrate(config.database.ownerUrl.reveal())
    console.log(applied.length > 0 ? `applied ${applied.join(', ')}` : 'nothing to apply')
    return 0
  }
  if (command === 'index') return index(args, config)
  return command === 'admin' ? runAdmin(args, config, process) : serve(config)
}

async function index(args: readonly string[], config: Config): Promise<number> {
  const ca = config.outbound.caFile && (await readFile(config.outbound.caFile, 'utf8'))
  const outbound = openOutbound({ now: Date.now, routes: config.outbound.routes, ...(ca ? { ca } : {}) })
  try {
    const [username, password] = config.czds ?? []
    const czds = username && password && { username: username.reveal(), password, ...CZDS }
    const request: typeof outbound.stream = (url, options) => outbound.stream(url, options)
    return await runIndex(args, { now: Date.now, request, ...(czds ? { czds } : {}) }, process)
  } finally {
    await outbound.close()
  }
}

async function serve(config: Config): Promise<number> {
  const log = openLog(config.logLevel)
  const stopped = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => resolve(signal))
  })
  if (config.database.migrate === 'auto') {
    const applied = await migrate(config.database.ownerUrl.reveal())
    if (applied.length > 0) log.info({ applied }, 'database brought up to date')
  }
  await using ctx = await openContext(config, log)
  const tls = config.tls && {
    cert: await readFile(config.tls.certFile, 'utf8'),
    key: await readFile(config.tls.keyFile, 'utf8'),
  }
  const { app, readiness } = await createHttpServer(ctx, { tls, version: await readVersion() })
  const url = await app.listen({ ...config.listen })
  log.info({ url: tls ? url.replace('http:', 'https:') : url }, 'listening')

  const signal = await stopped
  readiness.draining = true
  log.info({ signal }, 'draining')
  await sleep(config.drainSeconds * 1000)
  // A closed server keeps no time, so one half-sent request would hold the process for ever.
  setTimeout(() => app.server.closeAllConnections(), LONGEST_REQUEST_MS).unref()
  await app.close()
  log.info('closed')
  return 0
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // A wrong setting needs no stack trace; anything else does.
  console.error(error instanceof ConfigError ? `Cannot start:\n${error.message}` : error)
  process.exitCode = 1
}
