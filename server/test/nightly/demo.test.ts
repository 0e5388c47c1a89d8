/** `namewright demo`, which is `namewright-server demo`: one command to a service that answers, and nothing left when it ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BIN } from '../../../command/test/harness.ts'
import { applyMigrations, DemoError, openAdminConnection, openDb, openDemoDatabase, readMachine } from '../source.ts'
import { COMPILED } from '../compiled.ts'
import { freePort } from '../free-port.ts'
import { openOwnPostgres, type OwnPostgres } from '../own-postgres.ts'
import { request } from '../world.ts'

// A role that no PostgreSQL of this machine has, so that the demo finds none that it may use.
const NOBODY = 'nobody_of_this_name'

test('it prints a link, a sign-in and a key that work, and leaves nothing behind', { timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'namewright-test-'))
  // PostgreSQL runs as another user where this is root, and has to get through.
  await chmod(folder, 0o711)
  const port = await freePort()
  const child = spawn(process.execPath, [BIN, 'demo'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...COMPILED,
      TMPDIR: folder,
      PGUSER: NOBODY,
      NAMEWRIGHT_PORT: String(port),
      // What a real service on this machine would have: none of it may count.
      NAMEWRIGHT_REGISTRARS: 'vercel',
      NAMEWRIGHT_DNS_RESOLVERS: '127.0.0.1:5320',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors = text(child.stderr)
  const ended = once(child, 'exit')
  let said = ''
  const greeted = Promise.withResolvers<void>()
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    said += part
    if (said.includes('Ctrl-C stops the demo')) greeted.resolve()
  })
  void ended.then(async () => greeted.reject(new Error(`it ended: ${said}${await errors}`)))
  try {
    await greeted.promise
    const url = `http://localhost:${port}`
    expect(said).toContain(`Namewright runs at ${url}\nSandbox: these domains and prices are made up.\n`)
    const [, key = ''] = /API key +(nw_\w+)/.exec(said) ?? []
    const [, email, password] = /sign in +(\S+)\n +password +(\S+)/.exec(said) ?? []

    const body = {
      description: 'a bakery that delivers by bicycle',
      count: 5,
      include: ['evidence'],
      deadline_ms: 20_000,
    }
    const names = await request(url, '/v1/generate', { key, body })
    expect(names.status).toBe(200)
    expect(names.headers.get('namewright-sandbox')).toBe('true')
    expect(names.json.data.suggestions).toHaveLength(5)
    expect((await request(url, '/', {})).text).toContain('<div id="app"')

    const signIn = { body: { email, password }, headers: { origin: url } }
    expect((await request(url, '/auth/sign-in/email', signIn)).status).toBe(200)
  } finally {
    child.kill('SIGINT')
    await ended
  }
  expect(child.exitCode).toBe(0)
  expect(await errors).toMatch(
    /^Starting a temporary PostgreSQL, version \d+ of this machine …\nCreating the tables …\nStarting the service …\n$/,
  )
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
  await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow()
})

describe('the database of the demo', () => {
  let own: OwnPostgres
  beforeAll(async () => {
    own = await openOwnPostgres()
  }, 60_000)
  afterAll(() => own[Symbol.asyncDispose]())

  const rowsOf = async (query: string) => {
    await using connection = await openAdminConnection(own.adminUrl)
    return await connection.run(query)
  }

  /** Brings the schema, and acts in it as a node does: as a role that row-level security binds. */
  const expectRole = async (url: string) => {
    await applyMigrations(url)
    const db = openDb({ url, poolSize: 1 })
    const seen = await db.find({ name: 'who', text: 'SELECT current_user AS who', values: [] })
    await db.close()
    expect(seen.rows).toEqual([{ who: 'namewright_app' }])
  }

  test('is made anew each time, and goes with the roles that it brought', async () => {
    for (let run = 1; run <= 2; run++) {
      await using database = await openDemoDatabase({ databaseUrl: own.adminUrl, user: NOBODY, environment: {} })
      await using connection = await openAdminConnection(database.url)
      // Left by a demo that was killed: nothing of it is found by the next one.
      await connection.run('CREATE TABLE left_behind ()')
      if (run === 1) await expectRole(database.url)
    }
    expect(await rowsOf("SELECT 1 FROM pg_database WHERE datname = 'namewright_demo'")).toEqual([])
    expect(await rowsOf("SELECT rolname FROM pg_roles WHERE rolname LIKE 'namewright\\_%'")).toEqual([])
  })

  test('is left alone while another demo uses it', async () => {
    await using database = await openDemoDatabase({ databaseUrl: own.adminUrl, user: NOBODY, environment: {} })
    await using user = await openAdminConnection(database.url)
    expect(await user.run('SELECT 1 AS one')).toEqual([{ one: 1 }])
    await expect(openDemoDatabase({ databaseUrl: own.adminUrl, user: NOBODY, environment: {} })).rejects.toThrow(
      DemoError,
    )
  })
})

test('of the environment only the addresses, the port, the display and where programs are count', () => {
  const env = {
    NAMEWRIGHT_HOST: '0.0.0.0',
    NAMEWRIGHT_PORT: '8090',
    PGUSER: 'ada',
    PGPORT: '1',
    DISPLAY: ':0',
    PATH: '/bin',
    NAMEWRIGHT_REGISTRARS: 'x',
  }
  expect(readMachine(env)).toEqual({
    databaseUrl: undefined,
    host: '0.0.0.0',
    port: 8090,
    user: 'ada',
    hasDisplay: true,
    environment: { PATH: '/bin' },
  })
})
