/**
 * A PostgreSQL whose every write is archived by pgBackRest, with a store beside it: it can be destroyed and had again as it was at any
 * moment. Set up as `deploy/backup/pgbackrest.conf` says.
 */
import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../../../free-port.ts'
import { openPgbackrest, type Pgbackrest } from '../../../source.ts'

export interface BackedUpPostgres extends AsyncDisposable {
  /** As a superuser. */
  readonly adminUrl: string
  readonly pgbackrest: Pgbackrest
  readonly configFile: string
  readonly user: { readonly uid: number; readonly gid: number } | undefined
  start(): Promise<void>
  stop(): Promise<void>
  /** With SIGKILL, and then its files. */
  destroy(): Promise<void>
}

const VERSIONS = '/usr/lib/postgresql'
const TEMPLATE = new URL('../../../../../deploy/backup/pgbackrest.conf', import.meta.url)
const run = promisify(execFile)

export async function openBackedUpPostgres(): Promise<BackedUpPostgres> {
  const newest = (await readdir(VERSIONS)).toSorted((a, b) => Number(a) - Number(b)).at(-1)
  const bin = `${VERSIONS}/${newest}/bin`
  const folder = await mkdtemp(`${tmpdir()}/namewright-backup-`)
  const data = `${folder}/data`
  const port = await freePort()
  const idOf = async (what: '-u' | '-g') => Number((await run('id', [what, 'postgres'])).stdout)
  const user = process.getuid?.() === 0 ? { uid: await idOf('-u'), gid: await idOf('-g') } : undefined
  const as = { ...user, cwd: folder }
  const configFile = `${folder}/pgbackrest.conf`
  await writeFile(configFile, await configurationFor(folder, data, port))
  for (const name of ['store', 'log', 'lock', 'spool']) await mkdir(`${folder}/${name}`)
  if (user) {
    for (const name of ['', '/store', '/log', '/lock', '/spool', '/pgbackrest.conf']) {
      await chown(folder + name, user.uid, user.gid)
    }
  }
  await run(`${bin}/initdb`, ['-D', data, '-U', 'root', '-A', 'trust', '-E', 'UTF8', '--no-sync'], as)
  const adminUrl = `postgres://root@127.0.0.1:${port}/postgres`
  const pgbackrest = openPgbackrest({ stanza: 'namewright', configFile, user })
  let server: ChildProcess | undefined

  async function start(): Promise<void> {
    const settings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      'max_connections=60',
      'archive_mode=on',
      `archive_command=pgbackrest --config=${configFile} --stanza=namewright archive-push %p`,
      'archive_timeout=5s',
      'wal_level=replica',
      'max_wal_size=4GB',
    ]
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
    const child = spawn(`${bin}/postgres`, args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] })
    let log = ''
    child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk).slice(-4_000)))
    server = child
    while (!(await isPrimary(adminUrl))) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}: ${log}`)
      await sleep(100)
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }

  try {
    await start()
    await run('pgbackrest', [`--config=${configFile}`, '--stanza=namewright', 'stanza-create'], as)
  } catch (error) {
    await end('SIGKILL')
    await rm(folder, { recursive: true, force: true })
    throw error
  }

  return {
    adminUrl,
    pgbackrest,
    configFile,
    user,
    start,
    stop: () => end('SIGINT'),
    async destroy() {
      await end('SIGKILL')
      // Its children end a moment after it and still write.
      while (await isBusy(`${data}/postmaster.pid`)) await sleep(50)
      await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
      await mkdir(data, { mode: 0o700 })
      if (user) await chown(data, user.uid, user.gid)
    },
    async [Symbol.asyncDispose]() {
      await end('SIGQUIT')
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/** The shipped configuration, with the places of this one. */
async function configurationFor(folder: string, data: string, port: number): Promise<string> {
  const shipped = await readFile(TEMPLATE, 'utf8')
  const places: Record<string, string> = {
    'repo1-path': `${folder}/store`,
    'pg1-path': data,
    'pg1-port': String(port),
    'pg1-socket-path': folder,
  }
  const text = Object.entries(places).reduce((left, [name, value]) => {
    const line = new RegExp(`^${name}=.*$`, 'm')
    if (!line.test(left)) throw new Error(`${name} is not in the shipped configuration`)
    return left.replace(line, `${name}=${value}`)
  }, shipped)
  // Where an operator keeps it is not read here: the folder of further files belongs to the machine.
  const more = [
    `repo1-cipher-pass=${randomBytes(36).toString('base64')}`,
    `log-path=${folder}/log`,
    `lock-path=${folder}/lock`,
    `spool-path=${folder}/spool`,
    'pg1-user=root',
  ]
  return text.replace('[namewright]', `${more.slice(0, -1).join('\n')}\n\n[namewright]\n${more.at(-1)}`)
}

async function isBusy(pidFile: string): Promise<boolean> {
  const [first = ''] = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n')
  if (first === '') return false
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', first]).catch(() => ({ stdout: '' }))
  return stdout.trim() !== ''
}

async function isPrimary(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ follows: boolean }>('SELECT pg_is_in_recovery() AS follows')
    return rows[0]?.follows === false
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
