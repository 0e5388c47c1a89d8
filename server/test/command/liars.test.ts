/** The command alone, each time a new process, where somebody lies: the small version of `nightly/truth/command.test.ts`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askCommand } from '../nightly/truth/runners/command.ts'
import { worldOf } from '../nightly/truth/world/cells.ts'
import { ALSO_SOLD, findWrong, HONEST, isSold, LIST_REFUSED, makeNames } from '../nightly/truth/world/networks.ts'
import type { Network } from '../nightly/truth/world/networks.ts'
import { openTruthInternet } from '../nightly/truth/world/open-internet.ts'
import type { Addresses } from '../nightly/truth/world/open-internet.ts'
import { DNS_STATES, RDAP_STATES, REGISTRAR_STATES } from '../nightly/truth/world/states.ts'

// So long that each name is asked about: what nobody asked about is never available.
const DEADLINE_S = 10
const names = makeNames(35)
const closing = new AsyncDisposableStack()
let addresses: Addresses
beforeAll(async () => {
  const internet = closing.use(await openTruthInternet(worldOf(names, ALSO_SOLD)))
  addresses = internet.addresses
})
afterAll(() => closing.disposeAsync())

async function ask(network: Network) {
  const domains = names.map(({ domain }) => domain)
  const { answers } = await askCommand(addresses, network, domains, { deadline: DEADLINE_S })
  const free = names.filter((name) => name.kind === 'free' && isSold(name))
  const found = answers.filter(({ available, domain }) => available && free.some((name) => name.domain === domain))
  return { wrong: findWrong(network, names, answers), share: found.length / free.length }
}

const dns = DNS_STATES.find(({ name }) => name === 'denies all') ?? HONEST.dns
const rdap = RDAP_STATES.find(({ name }) => name === 'denies_all') ?? HONEST.rdap
const turned = RDAP_STATES.find(({ name }) => name === 'turned') ?? HONEST.rdap
const registrar = REGISTRAR_STATES.find(({ name }) => name === 'vercel lying')

test.concurrent.each<[string, Network]>([
  ['a resolver that denies every name', { ...HONEST, dns }],
  ['a registrar that sells every name', { ...HONEST, registrar }],
  ['registries that deny every name, without the registrar', { ...HONEST, registrar: undefined, rdap }],
  ['that resolver, and registries that are right only to a test', { dns, registrar: undefined, rdap: turned }],
])('no name that is not free is available to a command that meets %s', async (_, network) => {
  expect((await ask(network)).wrong).toEqual([])
})

test.concurrent.each<[string, Network]>([
  ['all are honest', HONEST],
  ['the registries deny every name, and the list of suffixes is refused', { ...LIST_REFUSED, rdap }],
])('nine of ten free names that the registrar sells are available where %s', async (_, network) => {
  const { wrong, share } = await ask(network)
  expect(wrong).toEqual([])
  expect(share).toBeGreaterThanOrEqual(0.9)
})
