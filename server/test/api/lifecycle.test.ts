/**
 * How a node begins and ends: it names everything that is wrong with its settings, brings an empty database up to
 * date however many start at once, and leaves without dropping a request.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerTo, openFakeResolver } from '../internet/fake-resolver.ts'
import { runCommand } from '../run-command.ts'
import { ADMIN_URL, request } from '../world.ts'
import { startApp } from '../start-app.ts'
import type { World } from '../world.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'

let world: World
beforeAll(async () => {
  world = await startApp({ own: true })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('a start', () => {
  test('with an empty environment names everything that is missing, and ends with 1', async () => {
    const { code, stdout, stderr } = await runCommand([], {})
    expect(code).toBe(1)
    expect(stdout).toBe('')
    for (const name of ['NAMEWRIGHT_DATABASE_URL', 'NAMEWRIGHT_SECRET']) {
      expect(stderr).toMatch(new RegExp(`^${name} must be .*for example`, 'm'))
    }
    expect(stderr).not.toMatch(/ at .*\.ts:/)
  })

  test('with wrong settings names each of them, and shows no secret', async () => {
    const { code, stderr } = await runCommand([], {
      ...world.env,
      NAMEWRIGHT_DATABASE_URL: 'mysql://user:hunter2@127.0.0.1/x',
      NAMEWRIGHT_SECRET: 'short-and-private',
      NAMEWRIGHT_PORT: '70000',
      NAMEWRIGHT_SUFFIXES: 'com,-',
      NAMEWRIGHT_TLS_CERT_FILE: '/nowhere.pem',
      NAMEWRIGHT_PROT: '8080',
    })
    expect(code).toBe(1)
    for (const name of ['DATABASE_URL', 'SECRET', 'PORT', 'SUFFIXES', 'TLS_CERT_FILE', 'PROT']) {
      expect(stderr).toMatch(new RegExp(`^NAMEWRIGHT_${name} `, 'm'))
    }
    expect(stderr).not.toMatch(/hunter2|short-and-private/)
  })

  test('on a port that is in use says so in one sentence, and ends with 1', async () => {
    const node = await world.startNodeProcess()
    const { port } = new URL(node.url)
    const { code, stderr } = await runCommand([], { ...world.env, NAMEWRIGHT_HOST: '127.0.0.1', NAMEWRIGHT_PORT: port })
    expect(code).toBe(1)
    expect(stderr).toBe(
      `Cannot start: port ${port} of 127.0.0.1 is already in use. End the process that uses it, or change the port in ` +
        'NAMEWRIGHT_PORT, NAMEWRIGHT_METRICS_ADDRESS or NAMEWRIGHT_WORKER_PORT.\n',
    )
  })

  test.each([[[]], [['work']]])(
    '%j with commits of an earlier version on its disk does not happen',
    async (command) => {
      const folder = mkdtempSync(`${tmpdir()}/namewright-data-`)
      mkdirSync(`${folder}/journal`)
      writeFileSync(`${folder}/journal/1.journal`, 'a commit')
      try {
        const { code, stderr } = await runCommand(command, { ...world.env, NAMEWRIGHT_DATA_DIR: folder })
        expect(code).toBe(1)
        expect(stderr).toBe(
          `Cannot start:\n${folder}/journal is not empty: its files have commits that may not be in the database. Start ` +
            'the version before with this folder until its metric namewright_deferred_commits is 0, move away what is ' +
            'left, and start this version again.\n',
        )
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  )

  test('of an unknown command is 2 and shows the known ones', async () => {
    const { code, stderr } = await runCommand(['sevre'], world.env)
    expect(code).toBe(2)
    expect(stderr).toContain('namewright-server migrate')
  })

  test('of three nodes at once on an empty database migrates it once', async () => {
    const name = `nw_test_${randomBytes(6).toString('hex')}`
    const server = new pg.Client(ADMIN_URL)
    await server.connect()
    await server.query(`CREATE DATABASE ${name}`)
    const url = ADMIN_URL.replace(/[^/]+$/, name)
    try {
      const start = () => world.startNodeProcess({ NAMEWRIGHT_DATABASE_URL: url })
      const nodes = await Promise.all([start(), start(), start()])
      for (const node of nodes) expect((await node.call('/readyz')).status).toBe(200)
      const files = readdirSync(new URL('../../migrations/', import.meta.url)).filter((file) => file.endsWith('.sql'))
      const applied = nodes.flatMap((node) =>
        [...node.output().matchAll(/"applied":(\[[^\]]*\])/g)].flatMap(
          ([, list]) => JSON.parse(list ?? '') as string[],
        ),
      )
      expect(applied.toSorted()).toEqual(files.toSorted())
      const client = new pg.Client(url)
      await client.connect()
      const { rows } = await client.query<{ file: string }>('SELECT file FROM migration ORDER BY file')
      await client.end()
      expect(rows.map(({ file }) => file)).toEqual(files.toSorted())
      await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
    } finally {
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await server.end()
    }
  })

  test('of migrate says what it did, and that there is nothing left to do', async () => {
    const { code, stdout } = await runCommand(['migrate'], world.env)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'nothing to apply\n' })
  })
})

describe('an end', () => {
  test('is announced first, finishes what is under way, and exits with 0', async () => {
    const ending = Promise.withResolvers<void>()
    const silence = await openFakeResolver(async (query) => {
      await ending.promise
      return [answerTo(query, 'servfail')]
    })
    const node = await world.startNodeProcess({
      NAMEWRIGHT_DNS_RESOLVERS: silence.address,
      NAMEWRIGHT_DRAIN_SECONDS: '6',
    })
    const account = await world.makeAccount()
    const { secret: key } = await world.makeKey(account)
    const body = { description: 'a slow bakery', count: 1, verify: 'full', deadline_ms: 20_000 }
    const slow = node.call('/v1/generate', { key, body }).then((answer) => ({ answer, at: runningMs() }))
    await expect.poll(() => silence.asked.length).toBeGreaterThan(0)
    const stopping = node.stop('SIGTERM').then((code) => ({ code, at: runningMs() }))

    await expect.poll(async () => (await node.call('/readyz')).status, { interval: 20 }).toBe(503)
    expect((await node.call('/readyz')).json).toMatchObject({
      status: 'not_ready',
      checks: { draining: 'shutting down', database: 'ok' },
    })
    // Load balancers need a moment to notice: until then new callers are still served.
    expect((await node.call('/v1/history', { key })).status).toBe(200)

    const isOpen = () => request(node.url, '/healthz', { headers: { connection: 'close' } }).catch(() => 'refused')
    await expect.poll(isOpen).toBe('refused')
    const refusedAt = runningMs()
    ending.resolve()

    const { answer, at } = await slow
    expect(at, 'the request outlived the open door').toBeGreaterThan(refusedAt)
    expect(answer.status).toBe(200)
    const stopped = await stopping
    expect(stopped.code).toBe(0)
    expect(stopped.at - at).toBeLessThan(5000)
    expect(node.output()).toContain('"msg":"closed"')
    const { rowCount } = await world.owner.query('SELECT 1 FROM history WHERE account_id = $1', [account])
    expect(rowCount).toBe(1)
    await silence.close()
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('by %s with nothing under way is soon over', async (signal) => {
    const node = await world.startNodeProcess()
    const startedAt = runningMs()
    expect(await node.stop(signal)).toBe(0)
    expect(runningMs() - startedAt).toBeLessThan(5000)
  })
})
