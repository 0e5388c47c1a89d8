/** docs/cli.md: every example runs unchanged in bash against a real service, and every command has an example. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf, readPage, rowsOf, sectionOf } from '../../../server/test/docs/pages.ts'
import { openWorld } from '../../../server/test/world.ts'
import type { World } from '../../../server/test/world.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { EXIT } from '../../src/cli/exit.ts'
import { openFolder, startBlock } from './harness.ts'

const PAGE = readPage('docs/cli.md')
const BLOCKS = blocksOf(PAGE, 'sh')

describe('the page', () => {
  test.for(COMMANDS.map(({ name }) => name))('has an example of namewright %s', (name) => {
    const short = name.replace(/ list$/, '')
    expect(BLOCKS.some((block) => new RegExp(`namewright ${name}\\b|namewright ${short}$`, 'm').test(block))).toBe(true)
  })

  test('has every exit code, and no other', () => {
    const codes = [...sectionOf(PAGE, '## Exit codes').matchAll(/^\| (\d+) /gm)].map(([, code]) => Number(code))
    expect(codes).toEqual(Object.values(EXIT))
  })

  test('has every column of a batch', () => {
    const section = sectionOf(PAGE, '## Many descriptions from a file')
    const source = readFileSync(new URL('../../src/cli/batch-file.ts', import.meta.url), 'utf8')
    const fields = /const FIELDS[^=]*= \{\n([^}]*)\}/.exec(source)?.[1] ?? ''
    const names = [...fields.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(15)
    for (const name of names) expect(section).toContain(`\`${name}\``)
  })

  test('shows the symbols that there are', () => {
    expect(rowsOf(PAGE).map(([name]) => name)).toEqual(expect.arrayContaining(['✓', '◆', '●', '?']))
  })
})

describe('the examples', { timeout: 180_000 }, () => {
  let world: World
  let env: Record<string, string>
  beforeAll(async () => {
    // Nothing listens there, so that no event leaves this machine.
    world = await openWorld({ NAMEWRIGHT_OUTBOUND_ROUTES: 'hooks.example.com=127.0.0.1:1' })
    const node = await world.startNode()
    await world.startWorker()
    const { secret: key } = await world.makeKey(await world.makeAccount())
    await node.call('/v1/generate', { key, body: { description: 'a bakery by the sea', count: 1 } })
    const history = await node.call('/v1/history', { key })
    const requests = [{ description: 'a bakery', count: 1 }]
    const batch = await node.call('/v1/batches', { key, body: { requests } })
    const hook = { url: 'https://hooks.example.com/namewright', events: ['batch.completed'] }
    const webhook = await node.call('/v1/webhooks', { key, body: hook })
    env = {
      NAMEWRIGHT_URL: node.url,
      NAMEWRIGHT_API_KEY: key,
      HISTORY_ID: history.json.data.history[0].id,
      BATCH_ID: batch.json.data.batch.id,
      WEBHOOK_ID: webhook.json.data.webhook.id,
    }
  }, 120_000)
  afterAll(() => world[Symbol.asyncDispose]())

  // login.test.ts simulates a person who signs in, and runs that example.
  const blocks = BLOCKS.filter((block) => !block.includes('namewright login'))
  test('are all run', () => expect(blocks).toHaveLength(BLOCKS.length - 1))

  test.for(
    blocks.map((block) => ({ block, name: block.split('\n').find((line) => line.includes('namewright ')) ?? '' })),
  )('$name', async ({ block }) => {
    using home = openFolder()
    const ran = await startBlock(block, home.path, env).ended()
    expect(ran.code, `${ran.stdout}${ran.stderr}`).toBe(0)
    expect(ran.stderr).not.toContain('namewright: ')
  })
})
