/** Statements of a busy or silent server: how long they wait for a connection, and how they fail. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runningMs } from '../../scripts/test/running-ms.ts'
import { openDb, sql } from './source.ts'
import { startApp } from './start-app.ts'
import type { World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startApp()
})
afterAll(() => world?.[Symbol.asyncDispose]())

test('a statement that takes too long is unavailable for now, and no failure of ours', async () => {
  const db = openDb({ url: world.databaseUrl, poolSize: 1 })
  try {
    const late = db.transaction(await world.makeAccount(), async (tx) => {
      await tx.run(sql('limit', `SELECT set_config('statement_timeout', '50', true)`, []))
      await tx.run(sql('sleep', 'SELECT pg_sleep(60)', []))
    })
    await expect(late).rejects.toMatchObject({ code: 'unavailable' })
    expect(db.isPrimaryDown()).toBe(false)
  } finally {
    await db.close()
  }
})

test.each([
  ['TypeError', TypeError],
  ['plain Error', Error],
])('a mistake of our own code, a %s, is reported as one, and changes nothing', async (_, Mistake) => {
  const db = openDb({ url: world.databaseUrl, poolSize: 1 })
  try {
    const account = await world.makeAccount()
    const mistaken = db.transaction(account, async (tx) => {
      await tx.run(sql('rename', `UPDATE account SET name = 'mistaken' WHERE id = $1`, [account]))
      throw new Mistake('a batch belongs to an account')
    })
    await expect(mistaken).rejects.toMatchObject({ name: Mistake.name, message: 'a batch belongs to an account' })
    expect(db.isPrimaryDown()).toBe(false)
    const [{ rows }] = await db.as(account, [sql<{ name: string }>('named', 'SELECT name FROM account', [])])
    expect(rows).toHaveLength(1)
    expect(rows[0]?.name).not.toBe('mistaken')
  } finally {
    await db.close()
  }
})

test('a connection that the server or the network ends is unavailable', async () => {
  const db = openDb({ url: world.databaseUrl, poolSize: 1 })
  try {
    const ended = db.transaction(await world.makeAccount(), async (tx) => {
      const { rows } = await tx.run(sql<{ pid: number }>('pid', 'SELECT pg_backend_pid() AS pid', []))
      await world.owner.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
      await tx.run(sql('one', 'SELECT 1', []))
    })
    await expect(ended).rejects.toMatchObject({ code: 'unavailable' })
    const again = db.transaction(await world.makeAccount(), async (tx) => tx.run(sql('one', 'SELECT 1', [])))
    await expect(again).resolves.toMatchObject({ count: 1 })
  } finally {
    await db.close()
  }
})

describe('a statement without a free connection', () => {
  test('waits for one while the server is up', async () => {
    const db = openDb({ url: world.databaseUrl, poolSize: 1 })
    try {
      const account = await world.makeAccount()
      const held = Promise.withResolvers<void>()
      const holding = db.transaction(account, async (tx) => {
        await tx.run(sql('limit', `SELECT set_config('statement_timeout', '30000', true)`, []))
        held.resolve()
        await tx.run(sql('sleep', 'SELECT pg_sleep(4)', []))
      })
      await held.promise
      const [{ rows }] = await Promise.all([db.lookup(sql('one', 'SELECT 1 AS one', [])), holding])
      expect(rows).toEqual([{ one: 1 }])
    } finally {
      await db.close()
    }
  })

  test('fails within seconds when the server accepts connections and says nothing', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => void sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const db = openDb({
      url: `postgres://root@127.0.0.1:${(silent.address() as AddressInfo).port}/silent`,
      poolSize: 1,
    })
    try {
      const startedAt = runningMs()
      await expect(db.lookup(sql('one', 'SELECT 1 AS one', []))).rejects.toMatchObject({ code: 'unavailable' })
      expect(runningMs() - startedAt).toBeLessThan(6_000)
      expect(db.isPrimaryDown()).toBe(true)
    } finally {
      for (const socket of sockets) socket.destroy()
      silent.close()
      await db.close()
    }
  })
})
