/**
 * Many Idempotency-Keys, five calls each at once, half of all calls with another body, and a node that dies.
 *
 * What must come of a key: one body wins and has one effect; every call with it ends in 200 and the same text; every
 * call with the other body ends in 422. Which body wins is open. A client sends the same call again when the connection
 * is lost, and after a 409.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WIDE_QUOTA } from '../world.ts'
import { startApp } from '../start-app.ts'
import type { Answer, Node, World } from '../world.ts'

const KEYS = 200
const CALLS = 5
const KEYS_AT_ONCE = 16

let world: World
let nodes: [Node, Node]
beforeAll(async () => {
  world = await startApp({ own: true })
  nodes = [await world.startNodeProcess(), await world.startNodeProcess()]
})
afterAll(() => world[Symbol.asyncDispose]())

interface Outcome {
  readonly body: number
  readonly answer: Answer
  /** The connection was lost at least once. */
  readonly cut: boolean
}

const inWords = KEYS.toLocaleString('en')

test(
  `${inWords} keys, 5 calls each, altered bodies and a dying node make ${inWords} effects`,
  { timeout: 240_000 },
  async () => {
    const account = await world.makeAccount()
    const { secret: key } = await world.makeKey(account, { quota: { ...WIDE_QUOTA, perDay: 10 * KEYS } })
    const outcomes: Outcome[][] = []
    let next = 0
    let dead = false
    const worker = async () => {
      while (next < KEYS) {
        const n = next++
        if (n === KEYS / 2) {
          // Calls go on to it until it is known to be dead, so some are cut off or refused.
          void nodes[1].stop('SIGKILL').then(() => (dead = true))
        }
        outcomes[n] = await Promise.all(Array.from({ length: CALLS }, (_, i) => persist(n, i)))
      }
    }
    async function persist(n: number, i: number): Promise<Outcome> {
      const body = (n + i) % 2
      let cut = false
      for (let at = n + (i >> 1); ; at++) {
        const node = dead ? nodes[0] : (nodes[at % 2] ?? nodes[0])
        const answer = await node
          .call('/v1/generate', {
            key,
            body: {
              description: `bakery number ${n}, ${body === 0 ? 'bread' : 'cake'}`,
              count: 1,
              deadline_ms: 10_000,
            },
            headers: { 'Idempotency-Key': `k${n}` },
          })
          .catch(() => undefined)
        if (answer && answer.status !== 409) return { body, answer, cut }
        cut ||= answer === undefined
        await sleep(answer ? 100 : 10)
      }
    }
    await Promise.all(Array.from({ length: KEYS_AT_ONCE }, worker))

    const calls = outcomes.flat()
    expect(calls).toHaveLength(KEYS * CALLS)
    expect(calls.filter(({ body }) => body === 1)).toHaveLength((KEYS * CALLS) / 2)
    expect(calls.some(({ cut }) => cut)).toBe(true)
    outcomes.forEach((ofKey, n) => expect(problemsOf(ofKey), `key ${n}`).toEqual([]))

    const { rows } = await world.owner.query<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM history WHERE account_id = $1) AS records,
            (SELECT count(DISTINCT substring(description, '\\d+'))::int FROM history WHERE account_id = $1) AS keys,
            (SELECT sum(used)::int FROM quota_block WHERE account_id = $1) AS spent,
            (SELECT count(*)::int FROM idempotent_answer WHERE account_id = $1) AS answers`,
      [account],
    )
    expect(rows[0]).toEqual({ records: KEYS, keys: KEYS, spent: KEYS, answers: KEYS })
  },
)

function problemsOf(ofKey: readonly Outcome[]): string[] {
  const problems: string[] = []
  const won = ofKey.filter(({ answer }) => answer.status === 200)
  const [first] = won
  if (!first) return ['nobody got an answer']
  if (won.some(({ body }) => body !== first.body)) problems.push('both bodies won')
  if (won.some(({ answer }) => answer.text !== first.answer.text)) problems.push('the answers differ')
  for (const { body, answer } of ofKey) {
    if (answer.status === 200) continue
    if (answer.status !== 422 || answer.json.error.code !== 'idempotency_mismatch') problems.push(answer.text)
    else if (body === first.body) problems.push('the winning body was refused')
  }
  return problems
}
