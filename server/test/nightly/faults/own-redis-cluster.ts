/**
 * A Redis Cluster of a test's own: three masters, a replica each, behind a password and without persistence. Any of them
 * can be killed.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { startChild, until } from './cluster/child.ts'
import type { Child } from './cluster/child.ts'
import { takePorts } from '../../ports.ts'
import { askRedis as askAnyone, redisArgs } from './cluster/sentinels.ts'

export interface OwnRedisCluster extends AsyncDisposable {
  /** As the setting wants it: three of the six addresses, a master and two others among them. */
  readonly urls: readonly string[]
  /** The port of the master that keeps this key, as the other nodes report. */
  masterOf(key: string): number
  masters(): readonly number[]
  /** With SIGKILL. */
  kill(port: number): Promise<void>
  stall(port: number): void
  resume(port: number): void
  /** Whatever does not run; until every master has its replica again. */
  restart(): Promise<void>
}

// A node that is silent for that long is voted out; Redis would give it 15 seconds.
const NODE_TIMEOUT_MS = 5_000
const PASSWORD = 'of all nodes'

const askRedis = (port: number, ...command: readonly string[]) =>
  askAnyone(port, '--no-auth-warning', '-a', PASSWORD, ...command)

export async function openOwnRedisCluster(): Promise<OwnRedisCluster> {
  const folder = await mkdtemp(`${tmpdir()}/namewright-redis-cluster-`)
  const taken = await takePorts(['a', 'b', 'c', 'd', 'e', 'f', 'A', 'B', 'C', 'D', 'E', 'F'])
  const members = [
    { port: taken.a, bus: taken.A },
    { port: taken.b, bus: taken.B },
    { port: taken.c, bus: taken.C },
    { port: taken.d, bus: taken.D },
    { port: taken.e, bus: taken.E },
    { port: taken.f, bus: taken.F },
  ]
  const running = new Map<number, Child>()

  function start({ port, bus }: { port: number; bus: number }): void {
    const options = {
      requirepass: PASSWORD,
      masterauth: PASSWORD,
      'cluster-enabled': 'yes',
      'cluster-port': bus,
      'cluster-config-file': `nodes-${port}.conf`,
      'cluster-node-timeout': NODE_TIMEOUT_MS,
      // A replica takes over however long it could not reach its master, which on a busy machine takes a while to be noticed.
      'cluster-replica-validity-factor': 0,
    }
    const more = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
    const command = ['redis-server', ...redisArgs(port, folder), ...more]
    running.set(port, startChild({ log: `${folder}/redis-${port}.log`, command, cwd: folder }))
  }

  /** By whom answers first. */
  function ask(...command: readonly string[]): string {
    for (const { port } of members) {
      if (running.get(port)?.isRunning() !== true) continue
      const said = askRedis(port, ...command)
      if (said !== '') return said
    }
    return ''
  }

  /** One line of CLUSTER NODES each. */
  function listed() {
    return ask('cluster', 'nodes')
      .split('\n')
      .map((line) => line.split(' '))
      .map(([id = '', address = '', flags = '', of = '', , , , link = '', ...slots]) => ({
        id,
        port: Number(/:(\d+)@/.exec(address)?.[1]),
        flags: flags.split(','),
        of,
        isLinked: link === 'connected',
        slots: slots.filter((range) => /^\d/.test(range)).map((range) => range.split('-').map(Number)),
      }))
  }

  const isWell = ({ flags, isLinked }: ReturnType<typeof listed>[number]) =>
    isLinked && !flags.some((flag) => flag.startsWith('fail'))

  function isWhole(): boolean {
    const nodes = listed()
    const leaders = nodes.filter(({ flags, slots }) => flags.includes('master') && slots.length > 0)
    return (
      nodes.length === members.length &&
      nodes.every(isWell) &&
      leaders.length === 3 &&
      leaders.every(({ id }) => nodes.some(({ of }) => of === id)) &&
      members.every(({ port }) => {
        const said = askRedis(port, 'cluster', 'info') + askRedis(port, 'info', 'replication')
        return said.includes('cluster_state:ok') && !said.includes('master_link_status:down')
      })
    )
  }

  const masters = () =>
    listed().filter((node) => node.flags.includes('master') && isWell(node) && node.slots.length > 0)

  async function close(): Promise<void> {
    await Promise.all([...running.values()].map((child) => child.end('SIGKILL')))
    await rm(folder, { recursive: true, force: true })
  }

  try {
    members.forEach(start)
    await until('six Redis', () => members.every(({ port }) => askRedis(port, 'ping') === 'PONG'))
    const addresses = members.map(({ port }) => `127.0.0.1:${port}`)
    await promisify(execFile)(
      'redis-cli',
      [
        '--no-auth-warning',
        '-a',
        PASSWORD,
        '--cluster',
        'create',
        ...addresses,
        '--cluster-replicas',
        '1',
        '--cluster-yes',
      ],
      { timeout: 60_000 },
    )
    await until('a whole Redis Cluster', isWhole, { everyMs: 200 })
  } catch (error) {
    await close()
    throw error
  }

  return {
    urls: members
      .filter((_, index) => index % 2 === 0)
      .map(({ port }) => `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`),
    masters: () => masters().map(({ port }) => port),
    masterOf(key) {
      const slot = Number(ask('cluster', 'keyslot', key))
      const found = masters().find(({ slots }) => slots.some(([from = 0, to = from]) => from <= slot && slot <= to))
      return found?.port ?? 0
    },
    kill: async (port) => running.get(port)?.end('SIGKILL'),
    stall: (port) => running.get(port)?.signal('SIGSTOP'),
    resume: (port) => running.get(port)?.signal('SIGCONT'),
    async restart() {
      for (const member of members) if (running.get(member.port)?.isRunning() !== true) start(member)
      await until('a whole Redis Cluster', isWhole, { everyMs: 200 })
    },
    [Symbol.asyncDispose]: close,
  }
}
