/** Redis as an operator runs it who wants no gap: a master, a replica, and three sentinels that watch over them. */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { startChild, until } from './child.ts'
import type { Child } from './child.ts'
import { takePorts } from '../../../ports.ts'

export interface SentinelRedis extends AsyncDisposable {
  readonly url: string
  readonly ports: readonly number[]
  flush(): Promise<void>
  /** The master, with SIGKILL. Returns its port. */
  kill(): Promise<number>
  /** Returns the port of the master, which is stalled. */
  stall(): number
  resume(): void
  /** Whatever does not run. */
  restart(): Promise<void>
}

const NAME = 'namewright'
// Two seconds without an answer; a fleet of nodes does without Redis for as long.
const DOWN_AFTER_MS = 2_000

export async function openSentinels(folder: string): Promise<SentinelRedis> {
  const ports = await takePorts(['a', 'b', 'x', 'y', 'z'])
  const servers = [ports.a, ports.b]
  const watchers = [ports.x, ports.y, ports.z]
  const running = new Map<number, Child>()

  for (const port of servers) startServer(port, port === ports.a ? undefined : ports.a)
  for (const port of watchers) {
    const file = `${folder}/sentinel-${port}.conf`
    await writeFile(
      file,
      [
        `port ${port}`,
        'bind 127.0.0.1',
        'protected-mode no',
        `dir ${folder}`,
        `sentinel monitor ${NAME} 127.0.0.1 ${ports.a} 2`,
        `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
        `sentinel failover-timeout ${NAME} 6000`,
        '',
      ].join('\n'),
    )
    const command = ['redis-server', file, '--sentinel']
    running.set(port, startChild({ log: `${folder}/sentinel-${port}.log`, command, cwd: folder }))
  }
  await healthy()

  function startServer(port: number, following: number | undefined): void {
    const command = ['redis-server', ...redisArgs(port, folder)]
    if (following !== undefined) command.push('--replicaof', '127.0.0.1', String(following))
    running.set(port, startChild({ log: `${folder}/redis-${port}.log`, command, cwd: folder }))
  }

  function master(): number {
    for (const port of watchers) {
      const [, found] = askRedis(port, 'sentinel', 'get-master-addr-by-name', NAME).split('\n')
      if (found) return Number(found)
    }
    throw new Error('no sentinel answers')
  }

  async function healthy(): Promise<void> {
    await until(
      'Redis with its replica and sentinels',
      () => {
        const count = (field: string) =>
          Number(fieldsOf(askRedis(ports.x, 'sentinel', 'master', NAME)).get(field) ?? -1)
        if (count('num-other-sentinels') !== 2 || count('num-slaves') !== 1) return false
        const leader = master()
        const [role] = askRedis(leader, 'role').split('\n')
        return role === 'master' && askRedis(leader, 'info', 'replication').includes('connected_slaves:1')
      },
      { everyMs: 200 },
    )
  }

  let stalled: Child | undefined
  return {
    url: `sentinel://${watchers.map((port) => `127.0.0.1:${port}`).join(',')}/${NAME}`,
    ports: [...servers, ...watchers],
    flush: async () => void askRedis(master(), 'flushall'),
    async kill() {
      const port = master()
      await running.get(port)?.end('SIGKILL')
      return port
    },
    stall() {
      const port = master()
      stalled = running.get(port)
      stalled?.signal('SIGSTOP')
      return port
    },
    resume: () => stalled?.signal('SIGCONT'),
    async restart() {
      for (const port of servers) {
        if (running.get(port)?.isRunning()) continue
        const leader = master()
        startServer(port, leader === port ? undefined : leader)
      }
      await healthy()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.values()].map((child) => child.end('SIGKILL')))
    },
  }
}

export function redisArgs(port: number, folder: string): string[] {
  const options = { port, bind: '127.0.0.1', 'protected-mode': 'no', save: '', appendonly: 'no', dir: folder }
  return Object.entries({ ...options, 'repl-diskless-sync-delay': 0 }).flatMap(([name, value]) => [
    `--${name}`,
    `${value}`,
  ])
}

/** What it says, or nothing if it does not within a second. */
export function askRedis(port: number, ...command: readonly string[]): string {
  try {
    return execFileSync('redis-cli', ['-h', '127.0.0.1', '-p', String(port), ...command], {
      encoding: 'utf8',
      timeout: 1_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}

/** Names and values in turn, a line each. */
function fieldsOf(said: string): Map<string, string> {
  const lines = said.split('\n')
  return new Map(lines.flatMap((line, index) => (index % 2 === 0 ? [[line, lines[index + 1] ?? ''] as const] : [])))
}
