/**
 * Starts a PostgreSQL for the demo from the installed programs: a new cluster in a temporary folder, reachable only
 * by a socket in that folder. It is stopped with the demo, and the folder is deleted.
 *
 * PostgreSQL refuses to run as root, so root runs it as the user `postgres`.
 */
import { execFile } from 'node:child_process'
import { chown, mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openAdminConnection } from '../../platform/db/admin-connection.ts'
import { startChild } from './child.ts'
import { DemoError } from './demo-error.ts'

export interface OwnPostgres extends AsyncDisposable {
  /** Connects as a superuser to the database `postgres`. */
  readonly url: string
}

const OLDEST = 15
// Debian and its derivatives keep every installed version here; other systems have the newest on the path.
const VERSIONS = '/usr/lib/postgresql'
const START_MS = 30_000
// Deleted at the end, so no data has to survive a power failure.
const SETTINGS = [
  'listen_addresses=',
  'max_connections=60',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
]
const MISSING =
  'PostgreSQL is not running and not installed. Install it (Debian: apt-get install postgresql), or set NAMEWRIGHT_DATABASE_URL.'

const run = promisify(execFile)

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const bin = await findPrograms()
  await using opening = new AsyncDisposableStack()
  const folder = await mkdtemp(`${tmpdir()}/namewright-demo-`)
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  const user = process.getuid?.() === 0 ? await findPostgresUser() : undefined
  if (user) await chown(folder, user.uid, user.gid)
  // The working directory must be accessible to the user that runs it.
  const as = { ...user, cwd: folder }
  const data = `${folder}/data`
  const made = run(`${bin}initdb`, ['-D', data, '-U', 'namewright', '-A', 'trust', '-E', 'UTF8', '--no-sync'], as)
  await made.catch((error: { readonly stderr?: string }) => {
    throw new DemoError(`PostgreSQL could not be set up in ${folder}:\n${error.stderr?.trim() ?? ''}`)
  })
  await using log = await open(`${folder}/log`, 'w')
  const settings = [...SETTINGS, `unix_socket_directories=${folder}`].flatMap((setting) => ['-c', setting])
  const child = await startChild(`${bin}postgres`, ['-D', data, ...settings], {
    ...as,
    stdio: ['ignore', log.fd, log.fd],
  })
  if (!child) throw new DemoError(MISSING)
  // "Immediate" shutdown: the data is not needed any more.
  opening.defer(() => child.stop('SIGQUIT'))
  const url = `postgres://namewright@localhost/postgres?host=${encodeURIComponent(folder)}`
  const deadline = performance.now() + START_MS
  while (!(await isThere(url))) {
    if (child.hasEnded() || performance.now() > deadline)
      throw new DemoError('PostgreSQL started but does not respond.')
    await sleep(50)
  }
  const closers = opening.move()
  return { url, [Symbol.asyncDispose]: () => closers.disposeAsync() }
}

/** The path prefix of the programs; empty for those on the PATH. */
async function findPrograms(): Promise<string> {
  const versions = (await readdir(VERSIONS).catch(() => [])).map(Number).filter((version) => version >= OLDEST)
  if (versions.length > 0) return `${VERSIONS}/${Math.max(...versions)}/bin/`
  const said = await run('initdb', ['--version']).catch(() => undefined)
  const [version = '0'] = /\d+/.exec(said?.stdout ?? '') ?? []
  if (Number(version) < OLDEST) throw new DemoError(MISSING)
  return ''
}

async function findPostgresUser(): Promise<{ uid: number; gid: number }> {
  try {
    const [uid, gid] = await Promise.all(['-u', '-g'].map(async (what) => run('id', [what, 'postgres'])))
    return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
  } catch {
    throw new DemoError('PostgreSQL cannot run as root, and there is no user postgres. Run the demo as another user.')
  }
}

async function isThere(url: string): Promise<boolean> {
  try {
    await using connection = await openAdminConnection(url)
    return (await connection.run('SELECT 1')).length > 0
  } catch {
    return false
  }
}
