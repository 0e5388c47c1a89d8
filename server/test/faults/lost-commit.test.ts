/**
 * The connection to PostgreSQL breaks in the commit of a generate request: the caller cannot know whether it was done, and
 * sends it again with the same key. Whatever happened, it is done once and paid for once, and nobody is told that units
 * are used up which are only not found yet.
 */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountId } from '../source.ts'
import { WIDE_QUOTA } from '../world.ts'
import { startApp } from '../start-app.ts'
import type { Answer, Node, World } from '../world.ts'

type Moment = 'before the commit arrives' | 'after the commit is done'

const COUNT = 2
// The statement that spends: it ends the commit of a generate request, and is in no other.
const COMMIT = /quota_block_spend/

let world: World
let breaking: Awaited<ReturnType<typeof openBreakingProxy>>
let nodes: { readonly same: Node; readonly other: Node }
beforeAll(async () => {
  world = await startApp({ own: true })
  const url = new URL(world.databaseUrl)
  breaking = await openBreakingProxy(url.hostname, Number(url.port))
  url.hostname = '127.0.0.1'
  url.port = String(breaking.port)
  const [same, other] = [
    await world.startNodeProcess({ NAMEWRIGHT_DATABASE_URL: url.href }),
    await world.startNodeProcess(),
  ]
  nodes = { same, other }
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await breaking.close()
})

/** Passes everything on, and once resets the connection that carries a commit. */
async function openBreakingProxy(host: string, port: number) {
  let next: Moment | undefined
  const server = createServer((near) => {
    const far = connect(port, host)
    let sent = ''
    let isLost = false
    const reset = () => [near, far].forEach((socket) => socket.resetAndDestroy())
    near.on('data', (bytes) => {
      // A name may be cut by the end of a packet.
      sent = (sent + bytes.toString('latin1')).slice(-bytes.length - 32)
      if (!next || !COMMIT.test(sent)) return far.write(bytes)
      isLost = next === 'after the commit is done'
      next = undefined
      return isLost ? far.write(bytes) : reset()
    })
    // The server writes nothing before the commit is done.
    far.on('data', (bytes) => (isLost ? reset() : near.write(bytes)))
    for (const socket of [near, far]) socket.on('error', reset).on('close', reset)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    breakOnce(moment: Moment) {
      next = moment
    },
    isBroken: () => next === undefined,
    async close() {
      server.close()
      await once(server, 'close')
    },
  }
}

function generate(node: Node, key: string, order: string): Promise<Answer> {
  const body = { description: `a bakery, ${order}`, count: COUNT, deadline_ms: 30_000 }
  return node.call('/v1/generate', { key, body, headers: { 'idempotency-key': order } })
}

async function booksOf(account: AccountId) {
  const { rows } = await world.owner.query<{ records: number; used: number; leased: number }>(
    `SELECT (SELECT count(*)::int FROM history WHERE account_id = $1) AS records,
       (SELECT sum(used)::int FROM quota_block WHERE account_id = $1) AS used,
       (SELECT sum(leased)::int FROM quota_period WHERE account_id = $1 AND kind = 'day') AS leased`,
    [account],
  )
  return rows[0]
}

async function loseCommit(key: string, moment: Moment): Promise<void> {
  breaking.breakOnce(moment)
  const lost = await generate(nodes.same, key, 'lost')
  expect([lost.status, lost.json.error.code, breaking.isBroken()]).toEqual([503, 'unavailable', true])
  expect(lost.json.error.hint).toContain('The request may have been carried out')
  expect(Number(lost.headers.get('retry-after'))).toBeGreaterThan(0)
}

const MOMENTS: readonly Moment[] = ['before the commit arrives', 'after the commit is done']

test.each(MOMENTS.flatMap((moment) => (['same', 'other'] as const).map((node) => ({ moment, node }))))(
  'the last units of a key are spent once when the connection breaks $moment, and the $node node is asked again',
  async ({ moment, node }) => {
    const account = await world.makeAccount()
    const { secret: key } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: COUNT } })
    await loseCommit(key, moment)
    const again = await generate(nodes[node], key, 'lost')
    expect([again.status, again.json.data?.suggestions?.length], again.text).toEqual([200, COUNT])
    expect(again.headers.get('idempotent-replayed')).toBe(moment === 'after the commit is done' ? 'true' : null)
    expect((await generate(nodes[node], key, 'another')).json.error.code).toBe('quota_exceeded')
    expect(await booksOf(account)).toEqual({ records: 1, used: COUNT, leased: COUNT })
  },
)

test.each(MOMENTS)(
  'the last units of a plan are there for another key when the connection breaks %s',
  async (moment) => {
    const account = await world.makeAccount()
    await world.owner.query('INSERT INTO account_plan (account_id, names_per_day) VALUES ($1, $2)', [account, COUNT])
    const [first, second] = [await world.makeKey(account), await world.makeKey(account)]
    await loseCommit(first.secret, moment)
    const other = await generate(nodes.other, second.secret, 'other')
    const isThere = moment === 'before the commit arrives'
    expect([other.status, other.json.error?.code]).toEqual(isThere ? [200, undefined] : [429, 'quota_exceeded'])
    expect(await booksOf(account)).toEqual({ records: 1, used: COUNT, leased: COUNT })
  },
)
