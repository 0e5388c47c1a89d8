/**
 * Starts the service for a test: a database of its own, and real nodes, in this process or as processes that can be killed.
 *
 *   startApp()                   one database and one node per test worker, for all files with the same settings
 *   startApp({ own: true })      a database of its own, and the nodes that the test starts there
 *   startApp({ people: true })   HTTPS, a mail server and visitors, with either
 *
 * Accounts isolate the files that share a database. Such a file gets a view of its own: its first `startNode()` without
 * settings answers the shared node, and further ones end with the file. Whoever stops a node, empties
 * a table or counts what is in the whole database takes its own.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate, openAccounts, openDb, openKeys, SCOPES } from './source.ts'
import { makeCertificate } from './certificate.ts'
import { freePort } from './free-port.ts'
import { peopleWorldOf } from './people-world.ts'
import type { PeopleService, PeopleWorld } from './people-world.ts'
import { flush, REDIS_TIMEOUT_MS, REDIS_URL } from './redis.ts'
import { openSmtp } from './smtp-world.ts'
import { findTemplate, makeDatabaseName } from './template.ts'
import {
  ADMIN_URL,
  startNode,
  startNodeProcess,
  startWorker,
  startWorkerProcess,
  WIDE_QUOTA,
  type Node,
  type Running,
  type World,
} from './world.ts'

type Settings = Readonly<Record<string, string>>

export interface AppOptions {
  /** Of all its nodes. */
  readonly settings?: Settings
  readonly own?: boolean
  readonly people?: boolean
  /** Another PostgreSQL than everybody's, for who wants to restart one. Only for an own database. */
  readonly server?: string
}

export function startApp(options: AppOptions & { readonly people: true }): Promise<PeopleWorld>
export function startApp(options?: AppOptions): Promise<World>
export async function startApp({ settings = {}, own, people, server }: AppOptions = {}): Promise<World | PeopleWorld> {
  if (people) return own ? peopleWorldOf(await openPeople(settings)) : viewOfPeople(await sharedPeople(settings))
  if (own) return openWorld(settings, server)
  const { world, node } = await shared(settings)
  return viewOf(world, node)
}

const shared = sharing(async (settings) => {
  const world = await openWorld(settings)
  return { world, node: await world.startNode() }
})
const sharedPeople = sharing(openPeople)

/** What an earlier process of this worker has left in Redis is nothing to this one. */
let emptied: Promise<void> | undefined

async function openWorld(env: Settings, adminUrl = ADMIN_URL): Promise<World> {
  await (emptied ??= flush(REDIS_URL))
  const name = makeDatabaseName()
  const template = adminUrl === ADMIN_URL ? findTemplate() : undefined
  await runOnServer(adminUrl, `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${template}`}`)
  const databaseUrl = adminUrl.replace(/[^/]+$/, name)
  await migrate(databaseUrl)
  const db = openDb({ url: databaseUrl, poolSize: 4 })
  const keys = openKeys({ db, now: Date.now })
  const accounts = openAccounts({ db, now: Date.now })
  const owner = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  owner.on('error', () => {})
  const started: Running[] = []
  const starting =
    <Kind extends Running>(start: (env: Settings) => Promise<Kind>) =>
    async (more: Settings = {}) => {
      const one = await start({ ...nodeEnv, ...more })
      started.push(one)
      return one
    }
  const nodeEnv = {
    NAMEWRIGHT_DATABASE_URL: databaseUrl,
    NAMEWRIGHT_REDIS_URL: REDIS_URL,
    NAMEWRIGHT_REDIS_TIMEOUT_MS: String(REDIS_TIMEOUT_MS),
    NAMEWRIGHT_SECRET: randomBytes(24).toString('hex'),
    NAMEWRIGHT_DNS_RESOLVERS: '127.0.0.1:5320',
    // The loopback internet of most tests is DNS; those of registrars and registries say so.
    NAMEWRIGHT_AVAILABILITY_MODE: 'balanced',
    NAMEWRIGHT_REGISTRARS: 'none',
    NAMEWRIGHT_RDAP: 'off',
    NAMEWRIGHT_NAMESPACES: 'off',
    NAMEWRIGHT_PRICE_REFRESH: 'off',
    NAMEWRIGHT_PORT: '0',
    NAMEWRIGHT_METRICS_ADDRESS: '127.0.0.1:0',
    NAMEWRIGHT_DRAIN_SECONDS: '0',
    // Tests share the machine with each other; those of overload say so.
    NAMEWRIGHT_OVERLOAD: 'off',
    // Tests of jobs start workers that they can stop and kill.
    NAMEWRIGHT_WORKER: 'apart',
    ...env,
  }

  return {
    databaseUrl,
    env: nodeEnv,
    owner,
    db,
    keys,
    startNode: starting(startNode),
    startNodeProcess: starting(startNodeProcess),
    startWorker: starting(startWorker),
    startWorkerProcess: starting(startWorkerProcess),
    makeAccount: (spec = {}) => accounts.create({ name: 'test', ...spec }),
    makeKey: (account, spec = {}) =>
      keys.create(account, { name: 'test', scopes: SCOPES, quota: WIDE_QUOTA, allowedIps: [], ...spec }),
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((one) => one.stop('SIGKILL')))
      keys.close()
      await Promise.all([db.close(), owner.end()])
      await runOnServer(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    },
  }
}

async function runOnServer(adminUrl: string, statement: string): Promise<void> {
  const server = new pg.Client(adminUrl)
  await server.connect()
  await server.query(statement)
  await server.end()
}

async function openPeople(env: Settings): Promise<PeopleService> {
  const certificate = await makeCertificate()
  const smtp = await openSmtp()
  const port = await freePort()
  const url = `https://localhost:${port}`
  const world = await openWorld({
    ...certificate.env,
    NAMEWRIGHT_PUBLIC_URL: url,
    NAMEWRIGHT_SIGN_UP: 'open',
    NAMEWRIGHT_SMTP_URL: smtp.url,
    NAMEWRIGHT_MAIL_FROM: 'Namewright <no-reply@names.example>',
    NAMEWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    ...env,
  })
  const node = await world.startNode({ NAMEWRIGHT_PORT: String(port) })
  return {
    world,
    node,
    smtp,
    url,
    certificate,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await smtp.close()
      await certificate[Symbol.asyncDispose]()
    },
  }
}

/** Opens once for the same settings. */
function sharing<T>(open: (settings: Settings) => Promise<T>): typeof open {
  const opened = new Map<string, Promise<T>>()
  return (settings) => {
    const key = JSON.stringify(Object.entries(settings).toSorted(([one], [other]) => one.localeCompare(other)))
    const once = opened.get(key) ?? open(settings)
    opened.set(key, once)
    return once
  }
}

/** Of a world that others use too: what it starts beyond `node` ends with the view. */
function viewOf(world: World, node: Node): World {
  const started: Running[] = []
  const starting =
    <Kind extends Running>(start: (env?: Settings) => Promise<Kind>) =>
    async (env?: Settings) => {
      const one = await start(env)
      started.push(one)
      return one
    }
  const startOwn = starting(world.startNode)
  let isGiven = false
  return {
    ...world,
    startNode(env = {}) {
      if (isGiven || Object.keys(env).length > 0) return startOwn(env)
      isGiven = true
      return Promise.resolve(sharedNode(node))
    },
    startNodeProcess: starting(world.startNodeProcess),
    startWorker: starting(world.startWorker),
    startWorkerProcess: starting(world.startWorkerProcess),
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((one) => one.stop('SIGKILL')))
    },
  }
}

/** What it wrote before this file is nothing of this file's. */
function sharedNode(node: Node): Node {
  const from = node.output().length
  return {
    ...node,
    output: () => node.output().slice(from),
    stop: () => Promise.reject(new Error('this node is shared: a test that stops one takes an own app')),
  }
}

function viewOfPeople(service: PeopleService): PeopleWorld {
  const { node, smtp } = service
  const world = viewOf(service.world, node)
  const earlier = smtp.emails.length
  return peopleWorldOf({
    ...service,
    world,
    node: sharedNode(node),
    smtp: {
      ...smtp,
      get emails() {
        return smtp.emails.slice(earlier)
      },
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  })
}
