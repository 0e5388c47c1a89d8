/**
 * The disk of the database is full, and then it fails: reading goes on, writing is refused with `storage_full` and not
 * with a riddle, and nothing that was acknowledged is lost when there is room again.
 *
 * Three acts on a PostgreSQL of the plan's own: its tables' disk is full; the disk of its log is full too, which stops
 * it altogether until somebody makes room; and `fsync` fails, after which it starts over from its log. Needs root.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from '../../../world.ts'
import { startApp } from '../../../start-app.ts'
import type { World } from '../../../world.ts'
import { ofKinds, within } from '../check/summary.ts'
import type { Operation } from '../load/log.ts'
import { breakSync } from '../steps/broken-sync.ts'
import { openDiskPostgres } from '../steps/disk-postgres.ts'
import type { DiskPostgres } from '../steps/disk-postgres.ts'
import { openSmallDisk } from '../steps/small-disk.ts'
import type { SmallDisk } from '../steps/small-disk.ts'
import { allDone, figuresOf, kept, safety } from './bars.ts'
import { drive } from './drive.ts'
import type { Ground } from './drive.ts'
import type { Plan } from './plan.ts'

const MEGABYTES = 120
const CALM = 8
const FULL = { ci: 10, full: 20 }
const REST = 12
const MAX_PER_SECOND = 20
// What callers wait for room: longer than it is missing.
const PATIENCE = { budgetMs: 60_000, attemptMs: 10_000 }

export const plan: Plan = {
  id: 'r16',
  title: 'disk full, then a disk that fails',
  async run(stage) {
    await using stack = new AsyncDisposableStack()
    const data = stack.use(await openSmallDisk(MEGABYTES))
    const wal = stack.use(await openSmallDisk(MEGABYTES))
    const postgres = stack.use(
      await openDiskPostgres({ folder: stage.folder, dataDir: `${data.folder}/data`, walDir: `${wal.folder}/wal` }),
    )
    const world = stack.use(await startApp({ own: true, server: postgres.adminUrl }))
    const node = await world.startNodeProcess()
    const { secret } = await world.makeKey(await world.makeAccount())
    const full = FULL[stage.length]
    const acts = { tables: CALM, log: CALM + full + REST, sync: CALM + 2 * (full + REST) }
    const seconds = acts.sync + REST
    const seen = { reads: [] as number[] }
    let broken = 0

    const driven = await drive(stage, groundOf(world, node.url), {
      name: 'r16',
      seconds,
      // One node alone.
      perSecond: Math.min(stage.perSecond, MAX_PER_SECOND),
      patience: PATIENCE,
      async faults(clock) {
        await clock.at(acts.tables)
        stage.say('the disk of the tables is full')
        await data.fill()
        while (Date.now() < clock.momentOf(acts.tables + full)) await readOnce(node.url, secret, seen)
        await data.free()
        await clock.at(acts.log)
        stage.say('the disk of the log is full')
        await wal.fill()
        await clock.at(acts.log + full)
        await makeRoom(wal, postgres)
        await clock.at(acts.sync)
        stage.say('fsync fails')
        broken = await failSync(postgres)
        await postgres.start()
      },
    })
    const whileFull = within(driven.log, driven.span(acts.tables + 1, acts.tables + full))
    const codes = codesOf(whileFull)
    const strange = codes.filter((code) => code === 'internal')
    return {
      bars: [
        ...kept(driven.findings),
        allDone(driven.log),
        safety('refusals for want of room', '> 0 storage_full', count(codes), codes.includes('storage_full')),
        safety('errors without a reason meanwhile', '0', strange.length, strange.length === 0),
        safety('reads while the tables have no room', 'all 200', count(seen.reads), isAll(seen.reads, 200)),
        safety('calls of fsync that failed', '> 0', broken, broken > 0),
      ],
      figures: [
        figuresOf('tables full', whileFull),
        figuresOf('reads meanwhile', ofKinds(whileFull, 'read')),
        figuresOf('log full', within(driven.log, driven.span(acts.log, acts.log + full))),
        figuresOf('fsync fails', within(driven.log, driven.span(acts.sync, seconds))),
      ],
      logFile: driven.logFile,
      details: driven.details(),
    }
  },
}

function groundOf(world: World, url: string): Ground {
  return {
    urls: [url],
    databaseUrl: world.databaseUrl,
    makeAccount: (spec) => world.makeAccount(spec),
    makeKey: (account, spec) => world.makeKey(account, spec),
  }
}

async function readOnce(url: string, key: string, seen: { reads: number[] }): Promise<void> {
  const { status } = await request(url, '/v1/history', { key })
  seen.reads.push(status)
  await sleep(250)
}

/** A server that stopped for want of room starts when there is some. */
async function makeRoom(wal: SmallDisk, postgres: DiskPostgres): Promise<void> {
  await wal.free()
  await postgres.start()
}

/** Until one has failed; then the disk is well again. */
async function failSync(postgres: DiskPostgres): Promise<number> {
  await using broken = await breakSync(postgres.pids())
  const end = performance.now() + 10_000
  while (broken.failed() === 0 && performance.now() < end) await sleep(20)
  return broken.failed()
}

function codesOf(log: readonly Operation[]): string[] {
  return log.flatMap(({ attempts }) => attempts.flatMap(({ code }) => (code === undefined ? [] : [code])))
}

function count(list: readonly (string | number)[]): string {
  const counts = new Map<string, number>()
  for (const one of list) counts.set(String(one), (counts.get(String(one)) ?? 0) + 1)
  return [...counts].map(([what, times]) => `${times} × ${what}`).join(', ') || 'none'
}

function isAll(list: readonly number[], wanted: number): boolean {
  return list.length > 0 && list.every((one) => one === wanted)
}
