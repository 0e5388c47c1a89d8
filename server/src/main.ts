#!/usr/bin/env node
/**
 * namewright-server: start, wait for a signal, close.
 *
 * On SIGTERM or SIGINT `/readyz` says no at once, so that load balancers look elsewhere; a little later new
 * connections are refused, what is under way is finished, everything is closed in reverse, and the process ends. Jobs
 * that run are let finish meanwhile, or given back.
 *
 * Each command imports its own code when it is called, so that none pays for loading what only another one needs.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Risen } from './backup/tombstones.ts'
import type { Config } from './config/config.ts'
import type { Context } from './context.ts'
import type { Logger } from './log.ts'
import type { AccountId, KeyId } from './model/caller.ts'
import type { UserId } from './model/member.ts'

const USAGE = `namewright-server [serve]           start the service
namewright-server work              do jobs without serving, --concurrency N at the same time
namewright-server migrate           bring the database up to date
namewright-server doctor            look at everything the service needs, and say what to do
namewright-server backup …          check, now, list; see docs/operating/backup.md
namewright-server restore …         --to TIME, tombstones, finish
namewright-server admin …           accounts and keys; see namewright-server admin help
namewright-server jobs …            what waits and what died; see namewright-server jobs help
namewright-server switch …          sources on and off, for all nodes; see namewright-server switch help
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
  if (
    !['serve', 'work', 'migrate', 'doctor', 'backup', 'restore', 'admin', 'jobs', 'switch', 'index'].includes(command)
  ) {
    console.error(`There is no command ${command}.\n${USAGE}`)
    return 2
  }
  const { readConfig } = await import('./config/config.ts')
  if (command === 'doctor') {
    const { runDoctor } = await import('./doctor.ts')
    const { POOL_SIZE } = await import('./context.ts')
    return runDoctor(args, { readConfig: () => readConfig(process.env), poolSize: POOL_SIZE }, process)
  }
  if (command === 'backup' || command === 'restore') {
    const { runBackup } = await import('./backup.ts')
    const forget = (risen: Risen) => forgetAgain(readConfig(process.env), risen)
    return runBackup([command, ...args], { readConfig: () => readConfig(process.env), forget }, process)
  }
  const config = readConfig(process.env)
  if (command === 'migrate') {
    const { bringUpToDate } = await import('./bring-up-to-date.ts')
    const applied = await bringUpToDate(config.database.ownerUrl.reveal())
    console.log(applied.length > 0 ? `applied ${applied.join(', ')}` : 'nothing to apply')
    return 0
  }
  if (command === 'index') return index(args, config)
  if (command === 'jobs') return (await import('./tend-jobs.ts')).runJobs(args, config, process)
  if (command === 'switch') return (await import('./turn-switches.ts')).runSwitch(args, config, process)
  if (command === 'work') return work(args, config)
  if (command === 'admin') return (await import('./admin.ts')).runAdmin(args, config, process)
  return serve(config)
}

/** After a restore: who was deleted since, by the same flows. Answers what somebody has to settle by hand. */
async function forgetAgain(config: Config, { accounts, people, keys }: Risen): Promise<string[]> {
  const [{ openContext }, { openLog }, { deleteAccounts }, { deletePerson }, { ApiError }] = await Promise.all([
    import('./context.ts'),
    import('./log.ts'),
    import('./delete-account.ts'),
    import('./delete-person.ts'),
    import('./errors.ts'),
  ])
  await using ctx = await openContext(config, openLog('warn'))
  const left: string[] = []
  await deleteAccounts(ctx, accounts as AccountId[])
  for (const userId of people as UserId[]) {
    const person = await ctx.people.find(userId)
    if (!person) continue
    const leaver = { userId, email: person.email }
    await deletePerson({ ...ctx, deleteAccounts: (ids) => deleteAccounts(ctx, ids) }, leaver).catch(
      (error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'last_owner') throw error
        left.push(
          `person ${userId} is the only owner of an account that others are in: give it to one of them, run this again`,
        )
      },
    )
  }
  for (const { account, id } of keys) await ctx.keys.revoke(account as AccountId, id as KeyId)
  return left
}

async function index(args: readonly string[], config: Config): Promise<number> {
  const [{ runIndex }, { openOutbound }] = await Promise.all([import('./build-index.ts'), import('./outbound.ts')])
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

async function work(args: readonly string[], config: Config): Promise<number> {
  const [{ LEAST_PLACES }, { openLog }, { openContext }, { startWorker }] = await Promise.all([
    import('./jobs/lanes.ts'),
    import('./log.ts'),
    import('./context.ts'),
    import('./worker.ts'),
  ])
  const [option, number, ...rest] = args
  const isRight = option === undefined || (option === '--concurrency' && rest.length === 0)
  const places = option === undefined ? config.worker.places : Number(number)
  if (!isRight || !Number.isInteger(places) || places < LEAST_PLACES) {
    console.error(
      `namewright-server work takes --concurrency with a whole number from ${LEAST_PLACES}, and nothing else.`,
    )
    return 2
  }
  const log = openLog(config.logLevel)
  const stopped = signalled()
  await migrateIfWanted(config, log)
  await using ctx = await openContext(config, log)
  await using door = await openDoor(config, ctx)
  if (door) log.info({ url: door.url }, 'worker port')
  const worker = startWorker(ctx, places)
  const signal = await stopped
  if (door) door.readiness.draining = true
  log.info({ signal }, 'draining')
  await worker.stop()
  log.info('closed')
  return 0
}

async function openDoor({ listen, worker }: Config, ctx: Context) {
  if (worker.port === undefined) return undefined
  const { openWorkerPort } = await import('./http/worker-port.ts')
  return openWorkerPort(ctx, { host: listen.host, port: worker.port, version: await readVersion() })
}

function signalled(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => resolve(signal))
  })
}

async function migrateIfWanted(config: Config, log: Logger): Promise<void> {
  if (config.database.migrate !== 'auto') return
  const { bringUpToDate } = await import('./bring-up-to-date.ts')
  const applied = await bringUpToDate(config.database.ownerUrl.reveal())
  if (applied.length > 0) log.info({ applied }, 'database brought up to date')
}

async function serve(config: Config): Promise<number> {
  const [{ openLog }, { openContext }, { createHttpServer }, { startWorker }] = await Promise.all([
    import('./log.ts'),
    import('./context.ts'),
    import('./http/server.ts'),
    import('./worker.ts'),
  ])
  const log = openLog(config.logLevel)
  const stopped = signalled()
  await migrateIfWanted(config, log)
  await using ctx = await openContext(config, log)
  const tls = config.tls && {
    cert: await readFile(config.tls.certFile, 'utf8'),
    key: await readFile(config.tls.keyFile, 'utf8'),
  }
  const { app, readiness } = await createHttpServer(ctx, { tls, version: await readVersion() })
  const url = await app.listen({ ...config.listen })
  log.info({ url: tls ? url.replace('http:', 'https:') : url }, 'listening')
  const worker = config.worker.inside ? startWorker(ctx) : undefined
  const setup = await ctx.people.makeSetupToken().catch(() => undefined)
  // The only link that is ever logged: it works once, and only while nobody is here.
  if (setup) log.info({ link: `${ctx.publicUrl}/setup?token=${setup}` }, 'nobody can sign in yet: open this link')

  const signal = await stopped
  readiness.draining = true
  log.info({ signal }, 'draining')
  const worked = worker?.stop()
  await sleep(config.drainSeconds * 1000)
  // A closed server keeps no time, so one half-sent request would hold the process for ever.
  setTimeout(() => app.server.closeAllConnections(), LONGEST_REQUEST_MS).unref()
  await app.close()
  await worked
  log.info('closed')
  return 0
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

try {
  process.exitCode = await main(process.argv.slice(2))
  // Everything is closed; what a sign-in provider has not answered yet must not hold the process.
  setTimeout(() => process.exit(), 2_000).unref()
} catch (error) {
  const { ConfigError } = await import('./config/config.ts')
  // A wrong setting needs no stack trace; anything else does.
  console.error(error instanceof ConfigError ? `Cannot start:\n${error.message}` : error)
  process.exitCode = 1
}
