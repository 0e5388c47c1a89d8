/**
 * Two members of PostgreSQL under Patroni, and the etcd that decides between them.
 *
 * One etcd is enough here: it is never what is killed. A member is a folder, a port and a Patroni that starts and stops
 * its PostgreSQL; who is root runs both as the user `postgres`.
 */
import { chown, mkdir, writeFile } from 'node:fs/promises'
import pg from 'pg'
import type { Place } from '../steps/partition.ts'
import { startChild, until } from './child.ts'
import type { Child } from './child.ts'
import { idOf, forgetSharedMemory, killLine, killProcessesIn, newestBin } from './postmaster.ts'
import { takePorts } from '../../../ports.ts'
import { ask } from './rest.ts'
import { leaveUndo } from './sweeper.ts'

/**
 * A primary whose machine is gone is missed when its lease runs out. It renews every LOOP_S, so that is TTL_S - LOOP_S
 * to TTL_S after the crash: 13 to 18 s here, and one more until the other has been promoted and HAProxy has seen it.
 * Shorter would be quicker and would, on a machine whose cores are busy, depose a primary that is only slow. Patroni
 * wants LOOP_S + 2 * RETRY_S <= TTL_S.
 */
const TTL_S = 18
const LOOP_S = 5
const RETRY_S = 6

// On a busy machine the follower may be far behind, though with every write that was acknowledged.
const ANY_LAG = 1_000_000_000

export interface Member {
  readonly host: string
  readonly port: number
  readonly restPort: number
}

export interface Pair extends AsyncDisposable {
  readonly members: readonly Member[]
  readonly etcdPort: number
  readonly start: () => Promise<void>
  readonly primary: () => Promise<number>
  readonly crash: (index: number) => Promise<void>
  readonly revive: (index: number) => Promise<void>
  readonly switchover: () => Promise<void>
  readonly healthy: () => Promise<void>
}

export async function openPair(folder: string, places: readonly Place[]): Promise<Pair> {
  const names = places.flatMap((_place, index) => [`sql${index}`, `rest${index}`] as const)
  const ports: Record<string, number> = await takePorts([...names, 'etcd', 'peer'])
  const etcdPort = ports.etcd ?? 0
  const members = places.map(({ host }, index) => ({
    host,
    port: ports[`sql${index}`] ?? 0,
    restPort: ports[`rest${index}`] ?? 0,
  }))
  const user = process.getuid?.() === 0 ? 'postgres' : undefined
  const bin = await newestBin()
  const running: (Child | undefined)[] = members.map(() => undefined)
  const dataDirOf = (index: number) => `${folder}/member${index}/data`
  const etcd = startEtcd(folder, etcdPort, ports.peer ?? 0)
  for (const [index] of members.entries()) await writeMember(index)

  async function writeMember(index: number): Promise<void> {
    const { host, port, restPort } = at(index)
    const home = `${folder}/member${index}`
    await mkdir(home)
    if (user) await chown(home, await idOf('-u', user), await idOf('-g', user))
    leaveUndo(folder, killLine(dataDirOf(index)))
    // JSON is YAML.
    await writeFile(
      `${home}.yml`,
      JSON.stringify({
        scope: 'namewright',
        name: `member${index}`,
        restapi: { listen: `${host}:${restPort}`, connect_address: `${host}:${restPort}` },
        etcd3: { host: `127.0.0.1:${etcdPort}` },
        bootstrap: {
          dcs: {
            ttl: TTL_S,
            loop_wait: LOOP_S,
            retry_timeout: RETRY_S,
            maximum_lag_on_failover: ANY_LAG,
            synchronous_mode: true,
            // Who accepts writes goes on alone when nobody follows: two members, and either may be down.
            synchronous_mode_strict: false,
            postgresql: { use_pg_rewind: true, use_slots: true, parameters: PARAMETERS },
          },
          initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { auth: 'trust' }, 'data-checksums', 'no-sync'],
        },
        postgresql: {
          listen: `${host}:${port}`,
          connect_address: `${host}:${port}`,
          data_dir: dataDirOf(index),
          bin_dir: bin,
          pgpass: `${home}/pgpass`,
          authentication: {
            superuser: { username: 'root' },
            replication: { username: 'follower', password: 'follower' },
          },
          parameters: { unix_socket_directories: home },
          pg_hba: ['127.0.0.1/32', '198.18.0.0/15'].flatMap((range) => [
            `host all all ${range} trust`,
            `host replication all ${range} trust`,
          ]),
          basebackup: [{ checkpoint: 'fast' }],
          remove_data_directory_on_rewind_failure: true,
          remove_data_directory_on_diverged_timelines: true,
        },
      }),
    )
  }

  function startMember(index: number): Child {
    const child = startChild({
      log: `${folder}/member${index}.log`,
      before: places[index]?.before ?? [],
      ...(user ? { user } : {}),
      command: ['patroni', `${folder}/member${index}.yml`],
      cwd: `${folder}/member${index}`,
    })
    running[index] = child
    return child
  }

  function at(index: number): Member {
    const member = members[index]
    if (!member) throw new Error(`there is no member ${index}`)
    return member
  }

  async function findPrimary(): Promise<number | undefined> {
    const answers = await Promise.all(members.map((member) => isAnswered(member, '/primary')))
    const index = answers.indexOf(true)
    return index === -1 ? undefined : index
  }

  async function primary(): Promise<number> {
    let found: number | undefined
    await until('a member that accepts writes', async () => (found = await findPrimary()) !== undefined)
    return found ?? 0
  }

  async function healthy(): Promise<void> {
    await until(
      'both members, one following the other',
      async () => {
        const leader = await findPrimary()
        if (leader === undefined) return false
        const states = await followersOf(at(leader))
        if (states.length !== members.length - 1) return false
        // PostgreSQL waits for the follower a moment before Patroni would hand over to it; both must.
        return states.includes('sync') && (await isKnownAsSynchronous(at(leader)))
      },
      { everyMs: 200, forMs: 90_000 },
    )
  }

  async function crash(index: number): Promise<void> {
    // Patroni first, or it would start again what dies.
    await running[index]?.end('SIGKILL')
    await killProcessesIn(dataDirOf(index))
  }

  return {
    members,
    etcdPort,
    primary,
    crash,
    healthy,
    async start() {
      // Until it has agreed with itself on a version Patroni takes it for broken, and checks again only much later.
      await until('etcd', async () =>
        /"etcdcluster":"\d/.test((await ask('GET', '127.0.0.1', etcdPort, '/version')).text),
      )
      const first = startMember(0)
      await until('the first member begins', () => {
        if (!first.isRunning()) throw new Error(`Patroni ended: ${first.output().slice(-2_000)}`)
        return first.output().includes('bootstrap a new cluster')
      })
      for (const index of members.keys()) if (index > 0) startMember(index)
      await primary()
    },
    async revive(index) {
      if (!running[index]?.isRunning()) startMember(index)
      await healthy()
    },
    /** What `patronictl switchover` asks for. */
    async switchover() {
      const leader = await primary()
      const { host, restPort } = at(leader)
      const body = JSON.stringify({ leader: `member${leader}`, candidate: `member${1 - leader}` })
      const answer = await ask('POST', host, restPort, '/switchover', body)
      if (answer.status !== 200) throw new Error(`no switchover: ${answer.text}`)
      await until('the other accepts writes', async () => (await findPrimary()) === 1 - leader)
    },
    async [Symbol.asyncDispose]() {
      for (const [index] of members.entries()) {
        await crash(index)
        await forgetSharedMemory(dataDirOf(index))
      }
      await etcd.end('SIGKILL')
    },
  }
}

const PARAMETERS = {
  max_connections: 200,
  shared_buffers: '64MB',
  max_wal_size: '512MB',
  wal_keep_size: '128MB',
  max_wal_senders: 6,
  // In the data folder instead of /dev/shm, so that nothing is left behind by who is killed.
  dynamic_shared_memory_type: 'mmap',
  log_min_messages: 'warning',
  wal_receiver_timeout: '5s',
  wal_sender_timeout: '5s',
}

function startEtcd(folder: string, port: number, peerPort: number): Child {
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const options = {
    name: 'etcd',
    'data-dir': `${folder}/etcd`,
    'listen-client-urls': url,
    'advertise-client-urls': url,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `etcd=${peerUrl}`,
    'log-level': 'warn',
    logger: 'zap',
  }
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  return startChild({ log: `${folder}/etcd.log`, command: ['etcd', ...args], cwd: folder })
}

async function isAnswered({ host, restPort }: Member, path: string): Promise<boolean> {
  return (await ask('GET', host, restPort, path)).status === 200
}

async function isKnownAsSynchronous({ host, restPort }: Member): Promise<boolean> {
  return (await ask('GET', host, restPort, '/cluster')).text.includes('"sync_standby"')
}

/** How each that streams from this member follows it: sync or async. */
async function followersOf({ host, port }: Member): Promise<readonly string[]> {
  const client = new pg.Client({
    connectionString: `postgres://root@${host}:${port}/postgres`,
    connectionTimeoutMillis: 2_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ sync_state: string }>(
      `SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'`,
    )
    return rows.map((row) => row.sync_state)
  } catch {
    return []
  } finally {
    await client.end().catch(() => {})
  }
}
