/**
 * A PostgreSQL whose data is on one disk and whose log of changes is on another, or on the same: for what happens when
 * a disk is full. It is started again where it was, as an operator would once there is room.
 */
import { execFile } from 'node:child_process'
import { chown, mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { startChild, until } from '../cluster/child.ts'
import { forgetSharedMemory, idOf, killProcessesIn, newestBin, processesIn } from '../cluster/postmaster.ts'
import { takePorts } from '../../../ports.ts'

const run = promisify(execFile)

export interface DiskPostgres extends AsyncDisposable {
  /** As a superuser. */
  readonly adminUrl: string
  /** Of the first process and all others. */
  pids(): readonly number[]
  isRunning(): boolean
  /** If it does not run; until it answers. */
  start(): Promise<void>
}

export interface DiskPostgresOptions {
  readonly folder: string
  readonly dataDir: string
  readonly walDir: string
}

export async function openDiskPostgres({ folder, dataDir, walDir }: DiskPostgresOptions): Promise<DiskPostgres> {
  const user = process.getuid?.() === 0 ? 'postgres' : undefined
  const as = user ? { uid: await idOf('-u', user), gid: await idOf('-g', user) } : {}
  const bin = await newestBin()
  const { postgres: port } = await takePorts(['postgres'])
  const isApart = !walDir.startsWith(`${dataDir}/`)
  for (const path of isApart ? [dataDir, walDir] : [dataDir]) {
    await mkdir(path)
    if (as.uid !== undefined) await chown(path, as.uid, as.gid)
  }
  const wal = isApart ? ['--waldir', walDir, '--wal-segsize', '1'] : ['--wal-segsize', '1']
  await run(`${bin}/initdb`, ['-D', dataDir, '-U', 'root', '-A', 'trust', '-E', 'UTF8', '--no-sync', ...wal], {
    ...as,
    cwd: dataDir,
  })
  const adminUrl = `postgres://root@127.0.0.1:${port}/postgres`
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: '32MB',
    // Small, so that a small disk holds it; what is on it is written again and again.
    max_wal_size: '16MB',
    min_wal_size: '2MB',
  }
  const launch = () =>
    startChild({
      log: `${folder}/postgres.log`,
      ...(user ? { user } : {}),
      command: [
        `${bin}/postgres`,
        '-D',
        dataDir,
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      cwd: dataDir,
    })
  let child = launch()
  await until('PostgreSQL answers', () => answers(adminUrl))

  return {
    adminUrl,
    pids: () => processesIn(dataDir),
    isRunning: () => child.isRunning(),
    async start() {
      if (!child.isRunning()) child = launch()
      await until('PostgreSQL answers again', () => answers(adminUrl))
    },
    async [Symbol.asyncDispose]() {
      // By itself, so that it leaves no shared memory behind; what is left after that is killed.
      await Promise.race([child.end('SIGINT'), sleep(10_000)])
      await killProcessesIn(dataDir)
      await forgetSharedMemory(dataDir)
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
