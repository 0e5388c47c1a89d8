/** The names that check gets, as an agent reads the answer: one golden file with the data and the text. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCertificate } from '../certificate.ts'
import { NAMESPACE_HOSTS, openNamespaceServer } from '../internet/namespace-server.ts'
import { connect } from '../mcp-client.ts'
import type { Agent } from '../mcp-client.ts'
import { emptyRedis } from '../redis.ts'
import { startApp } from '../start-app.ts'
import type { World } from '../world.ts'

const closing = new AsyncDisposableStack()
let world: World
let agent: Agent
beforeAll(async () => {
  const certificate = closing.use(await makeCertificate(NAMESPACE_HOSTS))
  const hosts = closing.use(await openNamespaceServer(certificate, { has: (_, name) => name.startsWith('fact') }))
  world = closing.use(await startApp())
  const node = await world.startNode({
    ...(await emptyRedis()),
    NAMEWRIGHT_NAMESPACES: 'on',
    NAMEWRIGHT_OUTBOUND_ROUTES: hosts.routes,
    NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
  })
  agent = await connect(node, (await world.makeKey(await world.makeAccount())).secret)
})
afterAll(() => closing.disposeAsync())

test('an agent learns what exists, and is never told that the rest is free', async () => {
  const names = ['factory-agent', 'Taken For Sure', 'settings']
  const { data, text, isError } = await agent.call('check', {
    names,
    tlds: ['com'],
    include: ['packages', 'code', 'links'],
  })
  expect(isError).toBe(false)
  await expect(`${JSON.stringify(data, null, 2)}\n\n${text}\n`).toMatchFileSnapshot('golden/mcp-check.txt')
})

test('a name that is a domain is refused with its place', async () => {
  const { error } = await agent.call('check', { names: ['mayfly', 'mayfly.com'] })
  expect(error?.errors).toMatchObject([{ pointer: '/names/1', code: 'bad_format' }])
})

test('with a country, what is closed to it is restricted, and the agent reads which rule says so', async () => {
  const names = await agent.call('check', { names: ['free-for-sure-agent'], tlds: ['us'], country: 'DE' })
  expect(names.data).toMatchObject({ domains: [{ available: false, status: 'restricted' }] })
  const domains = ['free-for-sure-agent.us', 'free-for-sure-agent.eu']
  const { data, text } = await agent.call('check', { domains, country: 'DE' })
  expect(data).toMatchObject({
    domains: [{ status: 'restricted', eligibility: 'us_nexus' }, { eligibility: 'eea_presence' }],
  })
  expect(data).not.toMatchObject({ domains: [{}, { status: 'restricted' }] })
  expect(text).toContain('free-for-sure-agent.us not available (restricted), who can register: us_nexus')
})

test('premium domains do not end a check that looks for some at an ordinary price', async () => {
  const made = { NAMEWRIGHT_SANDBOX: 'on', NAMEWRIGHT_DNS_RESOLVERS: '', NAMEWRIGHT_AVAILABILITY_MODE: 'strict' }
  const node = await world.startNode({ ...(await emptyRedis()), ...made })
  const key = (await world.makeKey(await world.makeAccount())).secret
  const domains = Array.from({ length: 200 }, (_, at) => `bredweel${at.toString(36)}x.com`)
  const seen: { domain: string; status: string }[] = (await node.call('/v1/domains/check', { key, body: { domains } }))
    .json.data.domains
  const [premium, taken, [free = '', ...rest]] = ['premium', 'taken', 'available'].map((status) =>
    seen.filter((one) => one.status === status).map(({ domain }) => domain),
  ) as [string[], string[], string[]]
  const first = [...premium.slice(0, 1), ...taken.slice(0, 9)]
  expect(first).toHaveLength(10)
  const ofSandbox = await connect(node, key)
  const { data } = await ofSandbox.call('check', { domains: [...first, free, ...rest.slice(0, 20)], limit: 1 })
  expect(data.domains).toHaveLength(20)
  expect(data.domains[0]).toMatchObject({ domain: premium[0], available: true, status: 'premium' })
  expect(data.domains[10]).toMatchObject({ domain: free, available: true, status: 'available' })
  expect(data).toMatchObject({ not_checked: 11 })
})
