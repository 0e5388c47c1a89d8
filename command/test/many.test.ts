/** More domains than the maximum of one request. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp } from '../../server/test/start-app.ts'
import type { Node, World } from '../../server/test/world.ts'
import { runCli } from './harness.ts'
import { createScreen } from './screen.ts'

const COUNT = 1_200

let world: World
let node: Node
beforeAll(async () => {
  world = await startApp()
  node = await world.startNode()
})
afterAll(() => world[Symbol.asyncDispose]())

test('are checked a thousand at a time, and printed in order', { timeout: 120_000 }, async () => {
  const { secret } = await world.makeKey(await world.makeAccount())
  const env = { NAMEWRIGHT_URL: node.url, NAMEWRIGHT_API_KEY: secret }
  const domains = Array.from({ length: COUNT }, (_, i) => `free-for-sure-many-${i}.com`)
  const stderr = createScreen(80)
  const args = ['check', '--stdin', '--ndjson', '--deadline', '30', '--timeout', '90']
  const ran = await runCli(args, { env, stdin: domains.join('\n'), stderr })
  expect(ran.code).toBe(0)
  const checked = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { input: string })
  expect(checked.map(({ input }) => input)).toEqual(domains)
  // Only standard error is a terminal: it shows the progress, which is removed at the end.
  expect(stderr.frames).toContain('0 of 1000 …')
  expect(stderr.frames).toContain('0 of 200 …')
  expect(stderr.lines()).toEqual([''])
})
