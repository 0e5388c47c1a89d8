/** A database that was destroyed comes back as it was at a chosen second, and what must not come back does not. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { expect, test } from 'vitest'
import { runCommand } from '../../run-command.ts'
import { startApp } from '../../start-app.ts'
import { openOwnRedis } from './own-redis.ts'
import { openBackedUpPostgres } from './restore/backed-up-postgres.ts'
import { drillRestore } from './restore/drill.ts'

test(
  'everything that was deleted is back, row for row, and a lost machine costs seconds',
  // For what hangs: many rows are written, backed up and restored, on whatever disk there is.
  { timeout: 3_600_000 },
  async () => {
    const rows = 20_000
    const drilled = await drillRestore(rows)
    expect(drilled.isExact).toBe(true)
    // And the hundredth that is written after the backup.
    expect(drilled.stored['history']).toMatch(new RegExp(`^${rows * 1.01}:`))
    // archive_timeout is 5 s; the rest is for handing over a piece on a busy machine.
    expect(drilled.lostSeconds).toBeLessThan(20)
    expect(drilled.restoreSeconds + drilled.startSeconds).toBeLessThan(120)
  },
)

test('backup check tells what keeps a moment of the past from being had again', { timeout: 120_000 }, async () => {
  await using postgres = await openBackedUpPostgres()
  const env = {
    NAMEWRIGHT_DATABASE_URL: postgres.adminUrl,
    NAMEWRIGHT_REDIS_URL: 'redis://127.0.0.1:1',
    NAMEWRIGHT_SECRET: 'x'.repeat(40),
  }
  const args = ['--config', postgres.configFile]
  // pgBackRest must be the user whose files they are; as root it would leave files that this user cannot replace.
  const check = () => runCommand(['backup', 'check', ...args], env, postgres.user)
  const none = await check()
  expect(none.stdout + none.stderr).toContain('there is no backup')
  expect(none.code).toBe(1)
  const made = await runCommand(['backup', 'now', '--type', 'full', ...args], env, postgres.user)
  expect(made.stdout).toMatch(/^\d{8}-\d{6}F {2}full {2}/)
  const sound = await check()
  // The shipped configuration encrypts, so there is nothing to warn of.
  expect(sound.stdout).toMatch(/^ok +archiving works; \d{8}-\d{6}F/)
  expect(sound.code).toBe(0)
  const listed = await runCommand(['backup', 'list', ...args], env, postgres.user)
  expect(listed.stdout.trim().split('\n')).toHaveLength(1)
  const wrong = await runCommand(['restore', '--to', '2026-11-15 12:00', ...args], env, postgres.user)
  expect(wrong.stderr).toContain('a time with a time zone')
  expect(wrong.code).toBe(2)
  // It must be stopped first, which pgBackRest sees by itself.
  const running = await runCommand(['restore', '--to', 'latest', ...args], env, postgres.user)
  expect(running.stderr).toContain('postmaster')
  expect(running.code).toBe(1)
})

test(
  'who was deleted, and which key was revoked, after the moment that is restored are gone again',
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'namewright-restore-'))
    await using redis = await openOwnRedis()
    await using world = await startApp({ own: true, settings: { NAMEWRIGHT_REDIS_URL: redis.url } })
    const [gone, stays] = [await world.makeAccount(), await world.makeAccount()]
    const revoked = await world.makeKey(stays)
    const kept = await world.makeKey(stays)
    const since = new Date().toISOString()
    // Later: the account is deleted, and the key is revoked.
    await world.owner.query('DELETE FROM account WHERE id = $1', [gone])
    await world.keys.revoke(stays, revoked.id)
    const printed = await runCommand(['restore', 'tombstones', '--since', since], world.env)
    expect(printed.code).toBe(0)
    expect(printed.stdout.trim().split('\n')).toHaveLength(2)
    expect(printed.stdout).not.toContain(gone)
    const file = join(folder, 'tombstones.jsonl')
    await writeFile(file, printed.stdout)

    // Restored: both are there again, and Redis believes in a block that the ledger has never had.
    await world.owner.query(`INSERT INTO account (id, name, created_at) VALUES ($1, 'back', now())`, [gone])
    const back = await world.makeKey(gone)
    await world.owner.query('UPDATE api_key SET revoked_at = NULL WHERE id = $1', [revoked.id])
    const client = new Redis(redis.url)
    client.on('error', () => client.disconnect())
    await client.hset(`q:{${kept.id}}:2026-11-15`, { block: 'later', left: 400 })
    await client.set(`r:{${kept.id}}`, '1')

    const { code, stdout } = await runCommand(['restore', 'finish', '--tombstones', file], world.env)
    expect(stdout).toMatch(/^ok +every migration is applied$/m)
    expect(stdout).toMatch(/^ok +the quota ledger is consistent: 0 blocks$/m)
    expect(stdout).toMatch(/^ok +1 leased blocks were removed from Redis/m)
    expect(stdout).toMatch(/^ok +deleted again: 1 accounts, 0 people; revoked again: 1 keys$/m)
    expect(code).toBe(0)
    expect(await client.keys('*')).toEqual([`r:{${kept.id}}`])
    const { rows } = await world.owner.query('SELECT id, revoked_at IS NULL AS is_live FROM api_key ORDER BY is_live')
    expect(rows).toEqual([
      { id: revoked.id, is_live: false },
      { id: kept.id, is_live: true },
    ])
    expect(back.id).toBeDefined()
    expect((await world.owner.query('SELECT id FROM account')).rows).toEqual([{ id: stays }])
    await client.quit()
    await rm(folder, { recursive: true })
  },
)

test(
  'a restored ledger that does not add up, and a Redis that is away, keep the restore from being finished',
  { timeout: 120_000 },
  async () => {
    await using world = await startApp({ own: true, settings: { NAMEWRIGHT_REDIS_URL: 'redis://127.0.0.1:1' } })
    const account = await world.makeAccount()
    await world.owner.query(
      `INSERT INTO quota_period (account_id, key_id, kind, starts_on, leased) VALUES ($1, $1, 'day', current_date, 7)`,
      [account],
    )
    const { code, stdout } = await runCommand(['restore', 'finish'], world.env)
    expect(stdout).toMatch(/^problem +0 blocks are overspent, 1 periods do not equal the sum of their blocks$/m)
    expect(stdout).toMatch(/^problem +Redis is unreachable/m)
    expect(stdout).toMatch(/^warning +no --tombstones/m)
    expect(code).toBe(1)
    // Read and left as it was.
    const { rows } = await world.owner.query<{ forced: boolean }>(
      `SELECT relforcerowsecurity AS forced FROM pg_class WHERE relname IN ('quota_period', 'quota_block', 'account')`,
    )
    expect(rows.every(({ forced }) => forced)).toBe(true)
  },
)
