/** A mistyped key never costs a database query. What the text of a key is made of is tested beside it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectError } from '../expect-error.ts'
import { startApp } from '../start-app.ts'
import type { Node, World } from '../world.ts'
import { UNKNOWN_KEY } from './contract.ts'

describe('a node without a database', () => {
  let world: World
  let node: Node
  beforeAll(async () => {
    world = await startApp()
    const closed = { NAMEWRIGHT_DATABASE_URL: 'postgres://127.0.0.1:1/nothing', NAMEWRIGHT_MIGRATE: 'manual' }
    node = await world.startNode(closed)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('still knows that a mistyped key is none, so it did not ask', async () => {
    for (let at = 3; at < UNKNOWN_KEY.length; at++) {
      const typo = `${UNKNOWN_KEY.slice(0, at)}${UNKNOWN_KEY[at] === 'x' ? 'y' : 'x'}${UNKNOWN_KEY.slice(at + 1)}`
      expectError(await node.call('/v1/history', { key: typo }), 401, 'invalid_token')
    }
  })

  test('cannot know a well-formed one, and says when to come back', async () => {
    const answer = await node.call('/v1/history', { key: UNKNOWN_KEY })
    expectError(answer, 503, 'unavailable')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
