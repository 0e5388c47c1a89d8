/**
 * What people say, and what an agent should make of it: each sentence of the table is a call that is made. The answers
 * are held against the announced schemas (by the client of the tests), and counted.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, validatorOf } from '../mcp-client.ts'
import type { Agent } from '../mcp-client.ts'
import { shareWorld } from '../shared-world.ts'
import type { World } from '../world.ts'
import { pickBy } from './mcp-words.ts'

interface Phrasing {
  readonly said: string
  readonly tool: string
  readonly arguments: Record<string, unknown>
}

const PHRASINGS = JSON.parse(
  readFileSync(new URL('mcp-phrasings.json', import.meta.url), 'utf8'),
) as readonly Phrasing[]
const MAX_TOKENS = 2_000
const LONG = 'What this is about takes a while to say, and goes on and on. '.repeat(30)

let world: World
let agent: Agent
let tools: Awaited<ReturnType<Agent['client']['listTools']>>['tools']
beforeAll(async () => {
  world = await shareWorld()
  const node = await world.startNode()
  agent = await connect(node, (await world.makeKey(await world.makeAccount())).secret)
  tools = (await agent.client.listTools()).tools
  // An account as it is after a while: searches of ten names each, and a shortlist with notes.
  for (const about of ['a bakery', 'a chess club', 'a law firm', 'a gym', 'a podcast', 'a hosting business'])
    await agent.call('suggest_domains', { description: `${about} that is run by two sisters in a small town` })
  for (let i = 0; i < 25; i++)
    await agent.call('add_favorite', {
      domain: `bread-${i}.com`,
      note: 'Anna likes it, Ben finds it too long',
      tags: ['bakery'],
    })
})
afterAll(() => world[Symbol.asyncDispose]())

test('there are at least thirty sentences, and several for each tool', () => {
  expect(PHRASINGS.length).toBeGreaterThanOrEqual(30)
  expect(new Set(PHRASINGS.map(({ said }) => said)).size).toBe(PHRASINGS.length)
  for (const { name } of tools) expect(PHRASINGS.filter(({ tool }) => tool === name).length, name).toBeGreaterThan(4)
})

test.each(PHRASINGS)('"$said" can be done by $tool, in a short answer', async ({ tool, arguments: args }) => {
  const { inputSchema } = tools.find(({ name }) => name === tool) ?? {}
  const check = validatorOf(inputSchema ?? {})
  expect(check(args), JSON.stringify(check.errors)).toBe(true)
  const { isError, text, tokens } = await agent.call(tool, args)
  expect(isError, text).toBe(false)
  expect(tokens).toBeLessThan(MAX_TOKENS)
})

describe('the descriptions', () => {
  test('share few words with each other', () => {
    const by = pickBy(tools)
    for (const { name: one } of tools)
      for (const { name: other } of tools)
        if (one < other) expect(by.overlap(one, other), `${one}, ${other}`).toBeLessThan(0.25)
  })

  test('lead from nine sentences of ten to the right tool by their words alone', () => {
    const by = pickBy(tools)
    const missed = PHRASINGS.filter(({ said, tool }) => {
      const [first, second] = by.pick(said)
      return first?.name !== tool || first.score === second?.score
    })
    expect(missed.length, missed.map(({ said }) => said).join('\n')).toBeLessThanOrEqual(PHRASINGS.length / 10)
  })
})

describe('a list without a limit', () => {
  test('ends where it is long enough to read, and its cursor goes on', async () => {
    const seen: string[] = []
    let cursor: string | null | undefined
    let pages = 0
    while (cursor !== null) {
      const { data, tokens } = await agent.call('list_favorites', { tag: 'bakery', ...(cursor ? { cursor } : {}) })
      expect(tokens).toBeLessThan(MAX_TOKENS)
      seen.push(...data.favorites.map(({ domain }: { domain: string }) => domain))
      cursor = data.next_cursor
      pages++
    }
    const kept = seen.filter((domain) => domain.startsWith('bread-'))
    expect(kept).toEqual(Array.from({ length: 25 }, (_, i) => `bread-${24 - i}.com`))
    expect(pages).toBeGreaterThan(1)
  })

  test('has at least one entry, also where that is long', async () => {
    for (const i of [1, 2]) await agent.call('add_favorite', { domain: `long-note-${i}.com`, note: LONG })
    const { data } = await agent.call('list_favorites', { q: 'long-note' })
    expect(data.favorites).toHaveLength(2)
    expect(data.favorites[0].note).toBe(LONG)
    for (const i of [3, 4, 5, 6])
      await agent.call('add_favorite', { domain: `long-note-${i}.com`, note: 'ü'.repeat(2_000) })
    const wide = await agent.call('list_favorites', { q: 'long-note' })
    expect(wide.data.favorites).toHaveLength(1)
    expect(wide.data.next_cursor).not.toBeNull()
  })

  test('shows the beginning of what was asked, and all of it by its id', async () => {
    const made = await agent.call('suggest_domains', { description: LONG, count: 20 })
    const { length } = made.data.suggestions
    const { data, tokens } = await agent.call('get_history')
    expect(tokens).toBeLessThan(MAX_TOKENS)
    const [{ id, description, suggestions, left_out: left }] = data.history
    expect([suggestions.length, left]).toEqual([10, length - 10])
    expect(description).toBe(`${LONG.slice(0, 199)}…`)
    const whole = await agent.call('get_history', { id })
    expect(whole.data.history[0]).toMatchObject({ description: LONG.trim(), left_out: 0 })
    expect(whole.data.history[0].suggestions).toEqual(made.data.suggestions)
  })

  test('is as long as it is wanted, where that is said', async () => {
    const { data } = await agent.call('list_favorites', { tag: 'bakery', limit: 25 })
    expect(data.favorites).toHaveLength(25)
  })
})
