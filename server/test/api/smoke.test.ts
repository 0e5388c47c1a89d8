import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareWorld } from '../shared-world.ts'
import type { Node, World } from '../world.ts'

let world: World
let node: Node
beforeAll(async () => {
  world = await shareWorld()
  node = await world.startNode()
})
afterAll(() => world[Symbol.asyncDispose]())

test('a description becomes names, a record and a favorite', async () => {
  const { secret: key } = await world.makeKey(await world.makeAccount())
  const body = { description: 'a chess club in Reykjavik', count: 5, deadline_ms: 30_000 }
  const made = await node.call('/v1/generate', { key, body })
  expect(made.status).toBe(200)
  expect(made.json.data.suggestions).toHaveLength(5)
  const history = await node.call('/v1/history', { key })
  expect(history.json.data.history[0].suggestions).toEqual(made.json.data.suggestions)
  const { domain } = made.json.data.suggestions[0].domains[0]
  const added = await node.call('/v1/favorites', { key, body: { domain } })
  expect(added.status).toBe(201)
  const again = await node.call('/v1/favorites', { key, body: { domain } })
  expect(again.status).toBe(200)
  expect(again.json).toEqual(added.json)
})
