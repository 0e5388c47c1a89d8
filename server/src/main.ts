#!/usr/bin/env node
/**
 * namewright-server: starts, waits for a signal, closes.
 *
 * On SIGTERM or SIGINT `/readyz` fails at once, so that load balancers stop sending requests. A little later new
 * connections are refused, requests in flight are finished, everything is closed in reverse, and the process ends.
 * Running jobs are finished meanwhile, or returned to the queue.
 *
 * Each command imports its own code when it is called, so that no command loads code that only another one needs.
 */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isHelp, parseOptions, UsageError } from './cli/command-line.ts'
import type { ResurrectedRows } from './cli/backup/tombstones.ts'
import type { Config } from './platform/config/config.ts'
import type { Context } from './context.ts'
import type { AccountId, KeyId } from './model/caller.ts'
import type { UserId } from './model/member.ts'

const USAGE = `namewright-server [serve]           start the service
namewright-server demo              try the service with made-up domains; everything is deleted at the end
namewright-server work              run a worker without serving, with --concurrency N
namewright-server migrate           apply database migrations
namewright-server doctor            check the settings and every dependency, and print what to fix
namewright-server backup …          check, now, list; see docs/operating/backup.md
namewright-server restore …         --to TIME, tombstones, finish
namewright-server admin …           accounts and keys; see namewright-server admin help
namewright-server jobs …            queued and dead jobs; see namewright-server jobs help
namewright-server switch …          turn sources on and off for all nodes; see namewright-server switch help
namewright-server reencrypt         re-encrypt secrets after a rotation of NAMEWRIGHT_SECRET; see docs/operations.md
namewright-server routes            print every route with its access, load class and limits
namewright-server index …           fetch and build the index of registered domains; see namewright-server index help
namewright-server --version         print the version
Add --help to any command to print its options.
Settings come from the environment; see docs/configuration.md.`

/** `--help` texts of the commands that have no file of their own. */
const HELP: Readonly<Record<string, string>> = {
  serve: `namewright-server [serve]
Starts the service and serves until SIGTERM or SIGINT. It applies database migrations first, unless
NAMEWRIGHT_MIGRATE=manual. Before the first user exists, it prints a setup link. The password must have 12 to 128
characters and must not be a common one.`,
  demo: `namewright-server demo
Starts a temporary service with made-up domains and deletes it at the end. See docs/demo.md.`,
  work: `namewright-server work [--concurrency N]
Runs a worker without serving, with N concurrent jobs, until SIGTERM or SIGINT.`,
  migrate: `namewright-server migrate
Applies database migrations and prints their names. It connects with NAMEWRIGHT_OWNER_DATABASE_URL, or with
NAMEWRIGHT_DATABASE_URL if that is not set.`,
  routes: `namewright-server routes
Prints every route with its access (scope, role, operator or public), its load class, whether it uses an
Idempotency-Key, whether it streams, and the limits that it declares. It does not print limits inside a handler, or the
rate and quota of a key; see docs/limits.md. Needs no settings and no database.`,
  reencrypt: `namewright-server reencrypt
Run it after a rotation of NAMEWRIGHT_SECRET. It re-encrypts all stored secrets with the current NAMEWRIGHT_SECRET.
See docs/operations.md.`,
}

const COMMANDS = [...USAGE.matchAll(/^namewright-server \[?(\w+)/gm)].map(([, name = '']) => name)

// Addresses of ICANN's zone data service.
const CZDS = { accountUrl: 'https://account-api.icann.org', apiUrl: 'https://czds-api.icann.org' }

// The same as in the quickstart.
const USUAL_PORT = 8080

async function main(words: readonly string[]): Promise<number> {
  const [command = 'serve', ...args] = words[0] === 'help' && words.length > 1 ? [...words.slice(1), '--help'] : words
  if (command === 'help' || isHelp([command])) {
    console.log(USAGE)
    return 0
  }
  if (command === '--version') {
    console.log(await readVersion())
    return 0
  }
  if (!COMMANDS.includes(command)) {
    console.error(`There is no ${command.startsWith('-') ? 'option' : 'command'} ${command}.\n${USAGE}`)
    return 2
  }
  if (isHelp(args) || args[0] === 'help') {
    console.log(await helpOf(command, args))
    return 0
  }
  try {
    return await run(command, args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(`${error.message}\n${await helpOf(command, args)}`)
    return 2
  }
}

async function helpOf(command: string, args: readonly string[]): Promise<string> {
  switch (command) {
    case 'admin':
      return (await import('./cli/admin/usage.ts')).usageOf(args)
    case 'doctor':
      return (await import('./cli/doctor.ts')).USAGE
    case 'backup':
    case 'restore':
      return (await import('./cli/backup.ts')).USAGE
    case 'jobs':
      return (await import('./cli/jobs.ts')).USAGE
    case 'switch':
      return (await import('./cli/switches.ts')).USAGE
    case 'index':
      return (await import('./cli/build-index.ts')).USAGE
    default:
      return HELP[command] ?? USAGE
  }
}

async function run(command: string, args: readonly string[]): Promise<number> {
  const options = command === 'work' ? parseOptions(args, { concurrency: { type: 'string' } }) : {}
  if (['serve', 'demo', 'migrate', 'routes', 'reencrypt'].includes(command)) parseOptions(args, {})
  if (command === 'routes') {
    const [{ FEATURES }, { printRoutes }] = await Promise.all([import('./app.ts'), import('./http/route-list.ts')])
    console.log(await printRoutes(FEATURES))
    return 0
  }
  const [{ readConfig }, { REGISTRARS }] = await Promise.all([
    import('./platform/config/config.ts'),
    import('./engines/availability/registrars/all.ts'),
  ])
  if (command === 'doctor') {
    const { runDoctor } = await import('./cli/doctor.ts')
    const { POOL_SIZE } = await import('./context.ts')
    return runDoctor(args, { readConfig: () => readConfig(process.env, REGISTRARS), poolSize: POOL_SIZE }, process)
  }
  if (command === 'backup' || command === 'restore') {
    const { runBackup } = await import('./cli/backup.ts')
    const forget = (resurrected: ResurrectedRows) => forgetAgain(readConfig(process.env, REGISTRARS), resurrected)
    return runBackup([command, ...args], { readConfig: () => readConfig(process.env, REGISTRARS), forget }, process)
  }
  if (command === 'demo') return demo()
  const config = readConfig(process.env, REGISTRARS)
  if (command === 'migrate') {
    const { migrate } = await import('./cli/migrate.ts')
    const applied = await migrate(config.database.ownerUrl.reveal())
    console.log(applied.length > 0 ? `applied ${applied.join(', ')}` : 'nothing to apply')
    return 0
  }
  if (command === 'index') return index(args, config)
  if (command === 'jobs') return (await import('./cli/jobs.ts')).runJobs(args, config, process)
  if (command === 'switch') return (await import('./cli/switches.ts')).runSwitch(args, config, process)
  if (command === 'reencrypt') return (await import('./cli/reencrypt-secrets.ts')).runReencrypt(config, process)
  if (command === 'work') return work(options.concurrency, config)
  if (command === 'admin') return (await import('./cli/admin.ts')).runAdmin(args, config, process)
  return serve(config)
}

/**
 * After a restore: deletes again what was deleted after the restored moment, with the same flows. Returns what the
 * operator must resolve manually.
 */
async function forgetAgain(config: Config, { accounts, people, keys }: ResurrectedRows): Promise<string[]> {
  const [{ openContext }, { openLog }, { deleteAccounts, deletePerson }, { ApiError }] = await Promise.all([
    import('./context.ts'),
    import('./platform/log.ts'),
    import('./features/accounts/index.ts'),
    import('./model/errors.ts'),
  ])
  await using ctx = await openContext(config, openLog('warn'))
  const left: string[] = []
  await deleteAccounts(ctx, accounts as AccountId[])
  for (const userId of people as UserId[]) {
    const person = await ctx.people.find(userId)
    if (!person) continue
    const leaver = { userId, email: person.email }
    await deletePerson(ctx, leaver).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'last_owner') throw error
      left.push(
        `person ${userId} is the only owner of an account with other members: make one of them an owner, then run this again`,
      )
    })
  }
  for (const { account, id } of keys) await ctx.keys.revoke(account as AccountId, id as KeyId)
  return left
}

async function index(args: readonly string[], config: Config): Promise<number> {
  const [{ runIndex }, { openOutbound }] = await Promise.all([
    import('./cli/build-index.ts'),
    import('./platform/outbound/outbound.ts'),
  ])
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

async function work(concurrency: string | undefined, config: Config): Promise<number> {
  const stopped = signalled()
  const [{ LEAST_PLACES }, { openWorker }, { openLog }] = await Promise.all([
    import('./platform/jobs/queue-classes.ts'),
    import('./service.ts'),
    import('./platform/log.ts'),
  ])
  const places = concurrency === undefined ? config.worker.places : Number(concurrency)
  if (!Number.isInteger(places) || places < LEAST_PLACES) {
    throw new UsageError(`--concurrency must be a whole number from ${LEAST_PLACES}.`)
  }
  const log = openLog(config.logLevel)
  await using worker = await openWorker(config, places, { version: await readVersion(), log })
  await worker.drain(await stopped)
  log.info('closed')
  return 0
}

function signalled(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => resolve(signal))
  })
}

/** The first signal closes everything; later ones, such as a second Ctrl-C, must not interrupt that. */
async function demo(): Promise<number> {
  const stopped = signalled()
  let isStopped = false
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => (isStopped = true))
  const [
    { openDemo, DemoError },
    { setUpFirstPerson },
    { readMachine },
    { readConfig },
    { REGISTRARS },
    { findFreePort },
  ] = await Promise.all([
    import('./cli/demo.ts'),
    import('./features/accounts/index.ts'),
    import('./platform/config/machine.ts'),
    import('./platform/config/config.ts'),
    import('./engines/availability/registrars/all.ts'),
    import('./http/free-port.ts'),
  ])
  const machine = readMachine()
  const port = await findFreePort(machine.port ?? USUAL_PORT)
  // In a checkout the command is linked; npx could find another one. The image has sources, too, and is none.
  const isCheckout = existsSync(new URL('../../pnpm-workspace.yaml', import.meta.url))
  const command = isCheckout ? 'pnpm exec namewright' : 'npx namewright'
  try {
    const [say, step] = [(text: string) => console.log(text), (text: string) => console.error(text)]
    // `serve` reports what goes wrong.
    const meanwhile = () => void import('./service.ts').catch(() => {})
    await using opened = await openDemo({ machine, port, command, say, step, meanwhile })
    if (isStopped) return 0
    const greet = (ctx: Context) =>
      opened.greet(ctx, async (person) =>
        setUpFirstPerson(ctx, (await ctx.people.makeSetupToken()) ?? '', person, null),
      )
    const env = { ...opened.env, ...(machine.host && { NAMEWRIGHT_HOST: machine.host }) }
    return await serve(readConfig(env, REGISTRARS), { stopped, greet, step })
  } catch (error) {
    if (!(error instanceof DemoError)) throw error
    console.error(error.message)
    return 1
  }
}

interface Occasion {
  readonly stopped?: Promise<string>
  /** Replaces the setup link for the first person. */
  readonly greet?: (ctx: Context) => Promise<void>
  /** Called with what happens next, for a person who waits. */
  readonly step?: (text: string) => void
}

async function serve(config: Config, { stopped = signalled(), greet, step }: Occasion = {}): Promise<number> {
  const [{ openService, findSetupText }, { openLog }] = await Promise.all([
    import('./service.ts'),
    import('./platform/log.ts'),
  ])
  const log = openLog(config.logLevel)
  await using service = await openService(config, { version: await readVersion(), log, step })
  if (greet) await greet(service.ctx)
  else {
    const text = await findSetupText(service.ctx)
    if (text !== undefined) console.error(text)
  }
  await service.drain(await stopped)
  log.info('closed')
  return 0
}

/** Of an address and port that another process has already; undefined for any other error. */
function portProblemOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') return undefined
  const { address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  const settings = 'NAMEWRIGHT_PORT, NAMEWRIGHT_METRICS_ADDRESS or NAMEWRIGHT_WORKER_PORT'
  return `Cannot start: port ${port} of ${address} is already in use. End the process that uses it, or change the port in ${settings}.`
}

async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

try {
  process.exitCode = await main(process.argv.slice(2))
  // Everything is closed; a pending request to a sign-in provider must not keep the process alive.
  setTimeout(() => process.exit(), 2_000).unref()
} catch (error) {
  const [{ ConfigError }, { databaseProblemOf }] = await Promise.all([
    import('./platform/config/config.ts'),
    import('./platform/db/database-problem.ts'),
  ])
  // A wrong setting, a used port and an unusable database need no stack trace; anything else does.
  const problem =
    error instanceof ConfigError
      ? `Cannot start:\n${error.message}`
      : (portProblemOf(error) ?? databaseProblemOf(error))
  console.error(problem ?? error)
  process.exitCode = 1
  // A pool that still tries to connect must not keep the process alive.
  setTimeout(() => process.exit(), 2_000).unref()
}
