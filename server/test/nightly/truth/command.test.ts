/**
 * The command alone, a new process in each network: 500 names that are registered, 500 that are held, 500 that are free
 * and some that are reserved, while its resolver, its registrar or its registries are broken or lie.
 *
 * Each starts with nothing known, so that every lie meets it before it has had a chance to test who tells it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTurns, rankOf } from './measure.ts'
import { askCommand, openFolder } from './runners/command.ts'
import type { CommandOptions, Run } from './runners/command.ts'
import { worldOf } from './world/cells.ts'
import type { Name } from './world/cells.ts'
import * as worlds from './world/networks.ts'
import type { Network } from './world/networks.ts'
import { openTruthInternet } from './world/open-internet.ts'
import type { Addresses } from './world/open-internet.ts'

const { findWrong, HONEST, isProvable, makeNames, nameOf, NETWORKS } = worlds

const AT_ONCE = 4
const DEADLINE_S = 10
// For each of so many names, the command takes its deadline.
const ONE_REQUEST = 1_000
// The most that the command takes: the registries are asked a few times a second each.
const LONGEST_S = 30
// Found, or that there was none, or that some could not be checked.
const CODES = [0, 1, 5]

const names = makeNames(500)
const few = makeNames(120)
/** None of them. */
const others = names.slice(600, 960)
const closing = new AsyncDisposableStack()
let addresses: Addresses
beforeAll(async () => {
  const internet = closing.use(await openTruthInternet(worldOf(names, worlds.ALSO_SOLD)))
  addresses = internet.addresses
})
afterAll(() => closing.disposeAsync())

async function ask(network: Network, asked = names, options: CommandOptions = { deadline: DEADLINE_S }) {
  const run = await askCommand(
    addresses,
    network,
    asked.map(({ domain }) => domain),
    options,
  )
  const wrong = [findWrong(network, asked, run.answers), findGuesses(network, asked, run), crashOf(network, run)].flat()
  return { network, run, wrong }
}

/** Free, and nobody could prove it. */
function findGuesses(network: Network, asked: readonly Name[], { answers }: Run): string[] {
  const unproved = asked.filter((name) => name.kind === 'free' && !isProvable(name, network))
  const domains = new Set(unproved.map(({ domain }) => String(domain)))
  const guessed = answers.filter(({ available, domain }) => available && domains.has(domain))
  return guessed.map(({ domain, sources }) => `${domain}: available by ${sources.join(' and ')} (${nameOf(network)})`)
}

function crashOf(network: Network, { code, stderr }: Run): string[] {
  const isSound = CODES.includes(code ?? -1) && !/^ +at /m.test(stderr)
  return isSound ? [] : [`it ended with ${code}: ${stderr} (${nameOf(network)})`]
}

/** Of the names that this is about and that are free: how many there are, and which share is called available. */
function foundOf({ answers }: Run, about: readonly Name[]) {
  const free = about.filter(({ kind }) => kind === 'free').map(({ domain }) => domain)
  const available = new Set(answers.filter((one) => one.available).map(({ domain }) => domain))
  return { free: free.length, share: free.filter((domain) => available.has(domain)).length / free.length }
}

test('whoever lies or is broken, no name that is not free is available', { timeout: 1_800_000 }, async () => {
  const runs: Awaited<ReturnType<typeof ask>>[] = []
  await inTurns(NETWORKS, AT_ONCE, async (network) => void runs.push(await ask(network)))
  const tookMs = runs.map(({ run }) => run.tookMs).toSorted((a, b) => a - b)
  console.log(
    `${names.length} names in ${runs.length} networks; a command took` +
      ` ${[0.5, 0.95, 1].map((share) => rankOf(tookMs, share)).join(' / ')} ms (p50, p95, max)`,
  )
  const wrong = runs.flatMap((one) => one.wrong)
  expect.soft(wrong, wrong.join('\n')).toEqual([])
  // What the registries do must not matter to what a registrar and DNS have proved.
  const sold = names.filter((name) => isProvable(name, HONEST) && worlds.isSold(name))
  const able = runs.filter(({ network }) => network.dns.speaks && network.registrar?.speaks)
  const shares = able.map(({ network, run }) => ({ in: nameOf(network), share: foundOf(run, sold).share }))
  expect(able.length).toBeGreaterThan(20)
  console.log(
    `${able.length} with an honest registrar and resolver: at least ${Math.min(...shares.map(({ share }) => share))} found`,
  )
  expect(shares.filter(({ share }) => share < 0.9)).toEqual([])

  // One that waits for a source that never answers takes for ever; one on a busy machine is only late.
  expect(rankOf(tookMs, 1)).toBeLessThan(3 * DEADLINE_S * 1000 * Math.ceil(names.length / ONE_REQUEST))
})

describe.concurrent('of the free names that an honest source can prove, nine of ten are available', () => {
  const options = { deadline: LONGEST_S }
  test.each([
    ['with all sources', HONEST],
    ['behind a home router', worlds.BEHIND_ROUTER],
    ['without the registrar', worlds.WITHOUT_REGISTRAR],
  ])('%s', async (_, network) => {
    const { run, wrong } = await ask(network, few, options)
    const found = foundOf(
      run,
      few.filter((name) => isProvable(name, network)),
    )
    console.log(
      `${nameOf(network)}: ${(100 * found.share).toFixed(1)} % of ${found.free}, ${rankOf([run.tookMs], 1)} ms`,
    )
    expect(wrong).toEqual([])
    expect(found.share).toBeGreaterThanOrEqual(0.9)
    if (network.registrar === undefined)
      expect(run.answers.filter(({ sources }) => sources.includes('vercel'))).toEqual([])
    // Of the others there is no record, and whoever was asked cannot prove that they can be registered.
    const said = Object.groupBy(run.answers.entries().toArray(), ([at]) => few[at]?.kind ?? 'free')
    expect([...new Set(said.free?.map(([, { status }]) => status))].toSorted()).toEqual(['available', 'unproven'])
  })
})

// A registry that denies all is found out by a test, and was honest when it was tested.
const LIARS = NETWORKS.filter(({ dns, registrar, rdap }) => {
  const liars = [dns, registrar, rdap].filter((one) => one !== undefined && (one.lies || one.name === 'denies_all'))
  return liars.length === 1
})
const INVENTORS = NETWORKS.filter(({ dns, rdap }) => dns.name === 'rewriting' || rdap.name === 'invents_all')

describe.concurrent('a cache folder that has seen another network', () => {
  test.each(LIARS.map((network) => [nameOf(network), network] as const))(
    'makes nobody believed: %s',
    async (_, network) => {
      await using folder = await openFolder()
      const honest = network.registrar === undefined ? worlds.WITHOUT_REGISTRAR : HONEST
      expect((await ask(honest, few, { folder })).wrong).toEqual([])
      expect((await ask(network, others, { folder })).wrong).toEqual([])
    },
  )

  test.each([...LIARS, ...INVENTORS].map((network) => [nameOf(network), network] as const))(
    'spoils nothing once all are honest again: %s',
    async (_, network) => {
      await using folder = await openFolder()
      await ask(network, few, { folder })
      const { run, wrong } = await ask(HONEST, few, { folder })
      expect(wrong).toEqual([])
      expect(foundOf(run, few.filter(worlds.isSold)).share).toBeGreaterThanOrEqual(0.9)
    },
  )
})
