/** Nodes start together, on an empty database: each migration is applied once, the queue is made, and nobody fails. */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrate, QUEUE_NAMES } from '../source.ts'
import { ADMIN_URL } from '../world.ts'

test('eight processes that migrate two empty databases at once apply every file once in each', async () => {
  const files = (await readdir(new URL('../../migrations/', import.meta.url))).toSorted()
  const names = [1, 2].map(() => `nw_migrate_${randomBytes(6).toString('hex')}`)
  const server = new pg.Client(ADMIN_URL)
  await server.connect()
  for (const name of names) await server.query(`CREATE DATABASE ${name}`)
  try {
    const starts = names.flatMap((name) => Array.from({ length: 4 }, () => ADMIN_URL.replace(/[^/]+$/, name)))
    const applied = await Promise.all(starts.map((url) => migrate(url)))
    expect(applied.flat().toSorted()).toEqual([...files, ...files].toSorted())
    for (const name of names) {
      const client = new pg.Client(ADMIN_URL.replace(/[^/]+$/, name))
      await client.connect()
      const { rows } = await client.query<{ name: string }>('SELECT name FROM jobs.queue WHERE partition')
      expect(rows.map((row) => row.name).toSorted()).toEqual(QUEUE_NAMES.toSorted())
      await client.end()
    }
    expect(await Promise.all(starts.map((url) => migrate(url)))).toEqual(starts.map(() => []))
  } finally {
    for (const name of names) await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await server.end()
  }
})
