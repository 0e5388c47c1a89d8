/**
 * The cluster on trial: `node server/test/nightly/faults/cluster/try.ts`.
 *
 * Opens it, calls generate through HAProxy, crashes the member that accepts writes under a writer, measures how long
 * the writer found nobody, revives the member, closes everything, and checks whether a process was left behind.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { request } from '../../../world.ts'
import { openCluster } from './cluster.ts'

const began = performance.now()
const say = (what: string) => console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${what}`)

let folder = ''
{
  await using cluster = await openCluster({ apiNodes: 2, worker: true })
  folder = cluster.folder
  say(`open at ${cluster.url}, ${folder}`)
  const account = await cluster.makeAccount()
  const { secret: key } = await cluster.makeKey(account)
  const generate = () =>
    request(cluster.url, '/v1/generate', { key, body: { description: 'bread from a small oven', count: 3 } })
  const answer = await generate()
  say(`generate: ${answer.status}, ${JSON.stringify(answer.json).slice(0, 120)}`)

  const writer = startWriter(cluster.postgres.url())
  await sleep(2_000)
  const primary = await cluster.postgres.primary()
  say(`crash of member ${primary}, which accepts writes`)
  await cluster.postgres.crash(primary)
  const before = writer.written()
  while (writer.written() < before + 50) await sleep(50)
  say(`writes again at member ${await cluster.postgres.primary()}`)
  const { acknowledged, gapMs } = await writer.stop()
  say(`the writer's longest gap: ${(gapMs / 1000).toFixed(1)} s`)
  await cluster.postgres.revive(primary)
  say(`member ${primary} follows again`)
  const lost = acknowledged - (await countWritten(cluster.postgres.url()))
  say(`acknowledged ${acknowledged}, lost ${Math.max(0, lost)}`)
  await cluster.postgres.switchover()
  await cluster.postgres.healthy()
  say('switched over')
  await cluster.redis.kill()
  say(`generate without the Redis master: ${(await generate()).status}`)
  await cluster.redis.restart()
  say('Redis has both again')
  for (const node of cluster.nodes) {
    await node.kill()
    say(`generate without node ${node.index}: ${(await generate()).status}`)
    await node.start()
  }
  say('both nodes again')
}
say('closed')
const left = processesNaming(folder)
console.log(left.length === 0 && !existsSync(folder) ? 'nothing is left' : `left behind: ${left.join('; ')} ${folder}`)
process.exitCode = left.length === 0 ? 0 : 1

function processesNaming(text: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return command.includes(text) ? [`${name} ${command}`] : []
      } catch {
        return []
      }
    })
}

/** Writes a row at a time and tries again when it cannot. */
function startWriter(url: string) {
  let acknowledged = 0
  let gapMs = 0
  let last = performance.now()
  const over = new AbortController()
  const work = (async () => {
    let client: pg.Client | undefined
    while (!over.signal.aborted) {
      try {
        if (!client) {
          client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 2_000 })
          client.on('error', () => {})
          await client.connect()
          await client.query('CREATE TABLE IF NOT EXISTS written (at timestamptz)')
        }
        await client.query('INSERT INTO written VALUES (now())')
        acknowledged += 1
        gapMs = Math.max(gapMs, performance.now() - last)
        last = performance.now()
      } catch {
        await client?.end().catch(() => {})
        client = undefined
        await sleep(100)
      }
    }
    await client?.end().catch(() => {})
  })()
  return {
    written: () => acknowledged,
    async stop() {
      over.abort()
      await work
      return { acknowledged, gapMs }
    },
  }
}

async function countWritten(url: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM written')
  await client.end()
  return rows[0]?.count ?? 0
}
