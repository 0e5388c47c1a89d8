/** Nodes start together, on an empty database: each migration is applied once, and nobody fails. */
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
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
    expect(await Promise.all(starts.map((url) => migrate(url)))).toEqual(starts.map(() => []))
  } finally {
    for (const name of names) await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await server.end()
  }
})
