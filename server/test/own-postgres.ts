/**
 * A PostgreSQL of a test's own, in a folder and on a port of its own, which can be stopped and started again. It does
 * not run as root, so a test that is root runs it as the user `postgres`.
 */
import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { takePorts } from './ports.ts'

export interface OwnPostgres extends AsyncDisposable {
  /** As a superuser. */
  readonly adminUrl: string
  /** Ends every connection, then the server, and starts it again where it was. */
  restart(): Promise<void>
  /** Dies without a word to anybody. */
  crash(): Promise<void>
  /** After a crash: until it answers again. */
  start(): Promise<void>
  /** Every process of it is stopped and goes on: it is there and does not answer. */
  stall(): Promise<void>
  resume(): Promise<void>
  /** A standby of it, that can be read. Gone when this one is. */
  follow(): Promise<OwnPostgres>
}

const VERSIONS = '/usr/lib/postgresql'

interface OwnPostgresOptions {
  /** Besides its port, such as `fsync=off`. */
  readonly settings?: readonly string[]
  /** Of the server that it is a standby of. */
  readonly primaryPort?: number
}

export async function openOwnPostgres({ settings = [], primaryPort }: OwnPostgresOptions = {}): Promise<OwnPostgres> {
  const run = promisify(execFile)
  const newest = (await readdir(VERSIONS)).toSorted((a, b) => Number(a) - Number(b)).at(-1)
  const bin = `${VERSIONS}/${newest}/bin`
  const folder = await mkdtemp(`${tmpdir()}/namewright-postgres-`)
  const { postgres: port } = await takePorts(['postgres'])
  const idOf = async (what: '-u' | '-g') => Number((await run('id', [what, 'postgres'])).stdout)
  const who = process.getuid?.() === 0 ? { uid: await idOf('-u'), gid: await idOf('-g') } : {}
  if (who.uid !== undefined) await chown(folder, who.uid, who.gid)
  // In a folder that whoever runs it may be in.
  const as = { ...who, cwd: folder }
  const data = `${folder}/data`
  if (primaryPort === undefined) {
    await run(`${bin}/initdb`, ['-D', data, '-U', 'root', '-A', 'trust', '-E', 'UTF8', '--no-sync'], as)
  } else {
    const from = `host=127.0.0.1 port=${primaryPort} user=root`
    await run(`${bin}/pg_basebackup`, ['-d', from, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'], as)
  }
  const followers: OwnPostgres[] = []
  const adminUrl = `postgres://root@127.0.0.1:${port}/postgres`
  let server = await start()

  async function start(): Promise<ChildProcess> {
    const usual = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']
    const args = ['-D', data, ...[...usual, ...settings].flatMap((setting) => ['-c', setting])]
    const child = spawn(`${bin}/postgres`, args, { ...as, stdio: 'ignore' })
    while (!(await answers())) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
      await sleep(100)
    }
    return child
  }

  async function answers(): Promise<boolean> {
    const client = new pg.Client(adminUrl)
    client.on('error', () => {})
    try {
      await client.connect()
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }

  const isOver = () => server.exitCode !== null || server.signalCode !== null

  /** "Fast" (SIGINT): who is connected is thrown out, what is committed is kept. "Immediate" (SIGQUIT): as a crash. */
  async function stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    if (isOver()) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }

  async function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(server.pid)])
    const children = stdout.split('\n').map(Number)
    for (const pid of [server.pid ?? 0, ...children]) if (pid > 0) sendSignal(pid, signal)
  }

  return {
    adminUrl,
    async restart() {
      await stop()
      server = await start()
    },
    crash: () => stop('SIGQUIT'),
    async start() {
      if (isOver()) server = await start()
    },
    stall: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    async follow() {
      const follower = await openOwnPostgres({ settings, primaryPort: port })
      followers.push(follower)
      return follower
    },
    async [Symbol.asyncDispose]() {
      for (const follower of followers) await follower[Symbol.asyncDispose]()
      // A test that failed while it was stalled must not leave it behind.
      await signalAll('SIGCONT').catch(() => {})
      await stop('SIGQUIT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A connection's process may have ended since it was listed. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
