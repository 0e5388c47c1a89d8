/**
 * The primary of PostgreSQL dies: domains and names are checked as before for a key that the node knows, through HTTP, the
 * client and the command. A check writes nothing, so nothing has to wait for the primary.
 */
import { expect, test } from 'vitest'
import { openOwnPostgres } from '../../../server/test/own-postgres.ts'
import { startApp } from '../../../server/test/start-app.ts'
import { createNamewright } from '../../src/namewright.ts'
import { runCli } from '../../../command/test/harness.ts'

interface Checked {
  readonly domain: string | null
  readonly status: string
}

const verdictsOf = (checked: readonly Checked[]) => checked.map(({ domain, status }) => [domain, status])

test.each([
  { where: 'without a replica', hasReplica: false, state: 'unreachable' },
  { where: 'with a replica', hasReplica: true, state: 'reading from the replica' },
])('$where checks go on while the primary is away', { timeout: 120_000 }, async ({ hasReplica, state }) => {
  await using primary = await openOwnPostgres()
  await using world = await startApp({ own: true, server: primary.adminUrl })
  const database = new URL(world.databaseUrl).pathname.slice(1)
  const replica = hasReplica ? await primary.follow() : undefined
  const node = await world.startNodeProcess(
    replica ? { NAMEWRIGHT_STANDBY_URL: replica.adminUrl.replace(/[^/]+$/, database) } : {},
  )
  const { secret: key } = await world.makeKey(await world.makeAccount())
  const namewright = createNamewright({ baseUrl: node.url, apiKey: key })
  const env = { NAMEWRIGHT_URL: node.url, NAMEWRIGHT_API_KEY: key }

  /** Asks in every way there is, and about a label that nobody has asked about, so that no verdict is remembered. */
  async function expectVerdicts(label: string): Promise<void> {
    const domains = [`free-for-sure-${label}.com`, 'example.com']
    const names = { names: [`freeforsure${label}`], tlds: ['com'] }
    const wanted = [
      [domains[0], 'available'],
      [domains[1], 'taken'],
    ]
    const named = [[`freeforsure${label}.com`, 'available']]
    const byDomain = await node.call('/v1/domains/check', { key, body: { domains } })
    expect([byDomain.status, verdictsOf(byDomain.json.data.domains)]).toEqual([200, wanted])
    const byName = await node.call('/v1/names/check', { key, body: names })
    expect([byName.status, verdictsOf(byName.json.data.names[0].domains)]).toEqual([200, named])
    expect(verdictsOf(await namewright.check(domains))).toEqual(wanted)
    expect((await namewright.checkNames(names)).flatMap((one) => verdictsOf(one.domains))).toEqual(named)
    const command = await runCli(['check', ...domains, '--json'], { env })
    expect([command.code, verdictsOf(JSON.parse(command.stdout) as Checked[])]).toEqual([0, wanted])
    const commandOfNames = await runCli(['name', ...names.names, '--tlds', 'com', '--json'], { env })
    const [shown] = JSON.parse(commandOfNames.stdout) as { domains: Checked[] }[]
    expect([commandOfNames.code, verdictsOf(shown?.domains ?? [])]).toEqual([0, named])
  }

  try {
    await expectVerdicts('before')
    await primary.crash()
    await expect.poll(async () => (await node.call('/readyz')).json.checks.database, { timeout: 20_000 }).toBe(state)
    const favorite = await node.call('/v1/favorites', { key, body: { domain: 'free-for-sure-before.com' } })
    expect(favorite.status).toBe(503)
    await expectVerdicts('after')
  } finally {
    await primary.start()
  }
})
