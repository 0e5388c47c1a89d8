/**
 * A real cluster on one machine: API nodes behind HAProxy, two PostgreSQL members under Patroni and etcd, Redis under
 * Sentinel. Everything is a process of its own that can be killed, stalled and started again.
 *
 * It is what an operator of several machines would run, with the same parts in the same order:
 *
 *   caller → HAProxy → API nodes → HAProxy → the PostgreSQL that accepts writes, or one that follows it
 *                                → Sentinel → Redis
 *
 * Everything is on loopback, unless it is asked to stand `apart`: then the nodes and one member have a network namespace
 * of their own each, whose cable can be cut (`steps/partition.ts`).
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { WIDE_QUOTA } from '../../../world.ts'
import {
  type AccountId,
  type AccountSpec,
  type KeyId,
  type KeySpec,
  migrate,
  openAccounts,
  openDb,
  openKeys,
  SCOPES,
} from '../../../source.ts'
import { openPlace } from '../steps/partition.ts'
import type { Place } from '../steps/partition.ts'
import { openApiNode } from './api-node.ts'
import { openLoadBalancer } from './haproxy.ts'
import { settingsOf } from './node-settings.ts'
import { openPair } from './patroni.ts'
import { takePorts } from '../../../ports.ts'
import { openSentinels } from './sentinels.ts'
import { openSweeper } from './sweeper.ts'

export interface ClusterOptions {
  readonly apiNodes: number
  /** More settings for every API node. */
  readonly env?: Record<string, string>
  /** Every API node and the first member of PostgreSQL in a network namespace of its own. Needs root. */
  readonly apart?: boolean
}

export interface ApiNode {
  readonly index: number
  readonly url: string
  pid(): number | undefined
  /** With SIGKILL; it stays down. */
  kill(): Promise<void>
  /** With SIGTERM, until it has ended. */
  term(): Promise<void>
  stall(): void
  resume(): void
  /** Until it is ready and HAProxy has seen that it is. */
  start(env?: Record<string, string>): Promise<void>
  output(): string
}

export interface Cluster extends AsyncDisposable {
  /** HAProxy in front of the API nodes. */
  readonly url: string
  readonly nodes: readonly ApiNode[]
  readonly postgres: {
    /** The index of the member that accepts writes. */
    primary(): Promise<number>
    /** Kills Patroni and every process of its PostgreSQL: the machine is gone. */
    crash(index: number): Promise<void>
    /** Starts it again, until it follows or is followed. */
    revive(index: number): Promise<void>
    switchover(): Promise<void>
    /** As the owner, through HAProxy to the primary: for assertions. */
    url(): string
    /** As the owner, straight to one member. */
    memberUrl(index: number): string
    /** Both are up and one follows the other. */
    healthy(): Promise<void>
  }
  readonly redis: {
    flush(): Promise<void>
    kill(): Promise<number>
    stall(): void
    resume(): void
    restart(): Promise<void>
    readonly url: string
  }
  readonly makeAccount: (spec?: Partial<AccountSpec>) => Promise<AccountId>
  readonly makeKey: (account: AccountId, spec?: Partial<KeySpec>) => Promise<{ id: KeyId; secret: string }>
  readonly folder: string
  /** Only of a cluster that stands apart: where the nodes and members are. */
  readonly places: { readonly nodes: readonly Place[]; readonly members: readonly Place[] }
  /** What listens where, for whoever cuts a cable. */
  readonly ports: ClusterPorts
}

export interface ClusterPorts {
  readonly etcd: number
  readonly redis: readonly number[]
  /** HAProxy's, towards the member that accepts writes, and towards one that follows. */
  readonly primary: number
  readonly standby: number
}

const DATABASE = 'namewright'
const MEMBERS = [0, 1] as const

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  await using opening = new AsyncDisposableStack()
  const folder = await mkdtemp(`${tmpdir()}/namewright-cluster-`)
  // PostgreSQL runs as somebody else, who must get to its part of the folder.
  await chmod(folder, 0o755)
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  opening.use(openSweeper(folder))

  const apart = options.apart ?? false
  const place = async (isApart: boolean) => opening.use(await openPlace({ isApart, folder }))
  const places = {
    nodes: await inTurn(options.apiNodes, () => place(apart)),
    // Only the first: whoever is cut off needs somebody to be cut off from.
    members: await inTurn(MEMBERS.length, (index) => place(apart && index === 0)),
  }

  const ports = await takePorts(['api', 'primary', 'standby'])
  const nodePorts = await takePorts(places.nodes.map((_place, index) => `node${index}`))
  const pair = opening.use(await openPair(folder, places.members))
  const balancer = opening.use(
    await openLoadBalancer({
      folder,
      ports,
      nodes: places.nodes.map(({ host }, index) => ({ host, port: nodePorts[`node${index}`] ?? 0 })),
      members: pair.members,
    }),
  )
  const redis = opening.use(await openSentinels(folder))

  await pair.start()
  const ownerUrl = `postgres://root@127.0.0.1:${ports.primary}/${DATABASE}`
  await balancer.sees('primary')
  await makeDatabase(ownerUrl)
  await migrate(ownerUrl)

  const settings = settingsOf({
    databaseUrl: ownerUrl,
    standbyUrl: ownerUrl.replace(`:${ports.primary}/`, `:${ports.standby}/`),
    redisUrl: redis.url,
    nodes: options.apiNodes,
  })
  const nodes = places.nodes.map((where, index) => {
    const name = `node${index}`
    const env = { ...settings, ...options.env }
    const isSeen = () => balancer.isUp('api', name)
    return opening.use(openApiNode({ index, name, folder, place: where, port: nodePorts[name] ?? 0, env, isSeen }))
  })
  await pair.healthy()
  await Promise.all(nodes.map((one) => one.start()))

  const db = openDb({ url: ownerUrl, poolSize: 2 })
  opening.defer(() => db.close())
  const keys = openKeys({ db, now: Date.now })
  opening.defer(() => keys.close())
  const accounts = openAccounts({ db, now: Date.now })
  const closers = opening.move()
  return {
    url: `http://127.0.0.1:${ports.api}`,
    nodes,
    postgres: {
      primary: pair.primary,
      crash: pair.crash,
      revive: pair.revive,
      switchover: pair.switchover,
      url: () => ownerUrl,
      memberUrl: (index) => {
        const { host, port } = nth(pair.members, index)
        return `postgres://root@${host}:${port}/${DATABASE}`
      },
      async healthy() {
        await pair.healthy()
        await balancer.sees('primary')
        await balancer.sees('replicas')
      },
    },
    redis,
    makeAccount: (spec = {}) => accounts.create({ name: 'test', ...spec }),
    makeKey: (account, spec = {}) =>
      keys.create(account, { name: 'test', scopes: SCOPES, quota: WIDE_QUOTA, allowedIps: [], ...spec }),
    folder,
    places,
    ports: {
      etcd: pair.etcdPort,
      redis: redis.ports,
      primary: ports.primary,
      standby: ports.standby,
    },
    [Symbol.asyncDispose]: () => closers.disposeAsync(),
  }
}

async function makeDatabase(url: string): Promise<void> {
  const client = new pg.Client(url.replace(/[^/]+$/, 'postgres'))
  await client.connect()
  await client.query(`CREATE DATABASE ${DATABASE}`)
  await client.end()
}

async function inTurn<T>(times: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let index = 0; index < times; index += 1) made.push(await make(index))
  return made
}

function nth<T>(list: readonly T[], index: number): T {
  const one = list[index]
  if (one === undefined) throw new Error(`there is no number ${index}`)
  return one
}
