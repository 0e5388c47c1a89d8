/**
 * Names of the caller: each of a hundred is in exactly one list, with the reason that is true, at the price that was
 * announced, alone, as a stream and in a batch. Strict mode, with a registrar that the test holds in hand.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readInternet } from '../internet/read-internet.ts'
import { expectError } from '../expect-error.ts'
import { readStream, replayed } from '../stream-reader.ts'
import { openStrictWorld } from '../strict-world.ts'
import type { StrictWorld } from '../strict-world.ts'
import type { Answer, Node } from '../world.ts'
import { waitForEnd } from './batch-calls.ts'

const internet = readInternet()
const delegated = internet.labelsOf('com').slice(200, 230)
/** Not in DNS: only the registrar knows. */
const held = Array.from({ length: 30 }, (_, at) => `heldfolk${at}`)
const unsafe = ['fuckery', 'shitstorm', 'Cunt', 'f-u-c-k', 'nigger']
const famous = ['Google', 'Netflix', 'Microsoft', 'Spotify', 'Instagram']
const free = Array.from({ length: 21 }, (_, at) => `freefolk${at}`)
const invalid = ['crumb_folk', 'folk.nosuchsuffix', '---']
const duplicates = ['FreeFolk0', 'free folk1', 'heldfolk0', 'Google']
const withSuffix = ['crumbfolk.net', 'heldfolk.org']
const ALL = [...delegated, ...free, ...unsafe, ...famous, ...invalid, ...held, ...duplicates, ...withSuffix]
const BODY = { description: 'a bakery that delivers by bicycle', count: 50, tlds: ['com'], deadline_ms: 20_000 }
const VARIANTS = 6

let strict: StrictWorld
let node: Node
beforeAll(async () => {
  strict = await openStrictWorld()
  ;[node] = await Promise.all([strict.startNode(), strict.world.startWorker()])
  for (const name of held) strict.registered.add(`${name}.com`)
  strict.registered.add('heldfolk.org')
})
afterAll(() => strict[Symbol.asyncDispose]())

async function makeKey(checks: number | null = null) {
  const account = await strict.world.makeAccount()
  if (checks !== null) {
    const text = 'INSERT INTO account_plan (account_id, checks_per_day) VALUES ($1, $2)'
    await strict.world.owner.query(text, [account, checks])
  }
  return { account, key: (await strict.world.makeKey(account)).secret }
}

interface Data {
  readonly suggestions: readonly { name: string; origin: string; domains: { domain: string; available: boolean }[] }[]
  readonly rejected: readonly { name: string; reason: string; nearest?: { domain: string; available: boolean } }[]
}

const generate = (key: string, more: object): Promise<Answer> =>
  node.call('/v1/generate', { key, body: { ...BODY, ...more } })

async function usageOf(key: string): Promise<{ today: number; checks: number }> {
  const { account } = (await node.call('/v1/usage', { key })).json.data.usage
  return { today: account.today, checks: account.checks.today }
}

/** What each of the hundred becomes, whoever asks. */
function expectVerdicts({ suggestions, rejected }: Data): void {
  expect(suggestions.map(({ name }) => name)).toEqual([...free, 'crumbfolk.net'])
  for (const { domains, origin } of suggestions) {
    expect(origin).toBe('candidate')
    expect(domains).toMatchObject([{ available: true }])
  }
  expect(suggestions.at(-1)?.domains.map(({ domain }) => domain)).toEqual(['crumbfolk.net'])
  const because = (reason: string) => rejected.filter((one) => one.reason === reason).map(({ name }) => name)
  expect(because('taken')).toEqual([...delegated, ...held, 'heldfolk.org'])
  expect(because('unsafe')).toEqual(unsafe)
  expect(because('famous')).toEqual(famous)
  expect(because('invalid')).toEqual(invalid)
  expect(because('duplicate')).toEqual(duplicates)
  expect(suggestions.length + rejected.length).toBe(ALL.length)
  const nearest = rejected.flatMap((one) => (one.nearest ? [one.nearest] : []))
  expect(nearest.map(({ domain }) => domain)).toEqual(delegated.slice(0, 10).map((label) => `get${label}.com`))
  expect(nearest.every(({ available }) => available)).toBe(true)
}

test('each of a hundred candidates is in one list with its reason, at one unit a suggestion and one check a domain', async () => {
  expect(ALL).toHaveLength(100)
  const { key } = await makeKey()
  await strict.untilTrusted(node, (await makeKey()).key)
  const answer = await generate(key, { candidates: ALL })
  expect(answer.status, answer.text).toBe(200)
  expectVerdicts(answer.json.data)
  expect(answer.json.data.shortfall).toMatchObject({ wanted: 50, returned: 22, reason: 'no_more_names' })
  const lookedUp = ALL.length - invalid.length - duplicates.length + 10 * VARIANTS
  expect(await usageOf(key)).toEqual({ today: 22, checks: lookedUp })
  const { history } = (await node.call('/v1/history', { key })).json.data
  expect(history).toHaveLength(1)
  expect(history[0].suggestions).toHaveLength(22)
  for (const name of [...held, ...famous]) expect(JSON.stringify(history)).not.toContain(`"${name}"`)
})

test('a batch has the same, and counts the checks of its candidates when it is accepted', async () => {
  const { key } = await makeKey(95)
  const requests = [{ ...BODY, candidates: ALL }]
  const accepted = await node.call('/v1/batches', { key, body: { requests } })
  expect(accepted.status, accepted.text).toBe(202)
  expect((await usageOf(key)).checks).toBe(93)
  const path = accepted.headers.get('location') ?? ''
  await waitForEnd(node, key, path)
  const [item] = (await node.call(`${path}/results`, { key })).json.data.results
  // No check is left for variants.
  const nearest = item.data.rejected.filter((one: object) => 'nearest' in one)
  expect(nearest).toEqual([])
  expect(item.data.suggestions).toHaveLength(22)
  expect(item.data.rejected).toHaveLength(78)
  expect(await usageOf(key)).toEqual({ today: 22, checks: 93 })
  const before = strict.registrar.requests.length
  for (const [where, body] of [
    ['/v1/batches', { requests }],
    ['/v1/generate', { ...BODY, candidates: ALL }],
  ] as const) {
    expectError(await node.call(where, { key, body }), 429, 'checks_exceeded')
  }
  expect(strict.registrar.requests).toHaveLength(before)
})

test('a stream shows candidates while they are confirmed, and ends with the whole answer', async () => {
  const { key } = await makeKey()
  const { events } = await readStream(node.url, '/v1/generate', { key, body: { ...BODY, candidates: ALL } })
  const done = events.at(-1)?.data.data
  expectVerdicts(done)
  expect(replayed(events)).toEqual(done.suggestions)
  expect((await usageOf(key)).today).toBe(22)
})

test('what exceeds the count is not checked, and with only_available false a taken name is a suggestion', async () => {
  const { key } = await makeKey()
  const few = (await generate(key, { candidates: [held[0], ...free], count: 2 })).json.data as Data
  expect(few.suggestions.map(({ name }) => name)).toEqual(free.slice(0, 2))
  expect(few.rejected.map(({ reason }) => reason)).toEqual(['taken', ...free.slice(2).map(() => 'not_checked')])
  const any = (await generate(key, { candidates: [delegated[1], free[3]], only_available: false })).json.data as Data
  expect(any.suggestions.map(({ name, domains }) => [name, domains[0]?.available])).toEqual([
    [delegated[1], false],
    [free[3], true],
  ])
  expect(any.rejected).toEqual([])
})

test('names of ours are added only on request, after the candidates, and never one of them again', async () => {
  const { key } = await makeKey()
  const { suggestions, rejected } = (await generate(key, { candidates: [free[5], held[5]], count: 6, fill: true })).json
    .data as Data
  expect(suggestions.map(({ origin }) => origin)).toEqual(['candidate', ...Array(5).fill('built_in')])
  expect(suggestions[0]?.name).toBe(free[5])
  expect(rejected.map(({ name, reason }) => [name, reason])).toEqual([[held[5], 'taken']])
  expect((await usageOf(key)).today).toBe(6)
  const plain = (await generate(key, { count: 1 })).json.data
  expect(Object.keys(plain)).toEqual(['suggestions'])
  expect(Object.keys(plain.suggestions[0])).toEqual(['name', 'domains'])
})

test('the rules and limits that a request states hold for its candidates', async () => {
  const { key } = await makeKey()
  const rules = { exclude_words: ['crumb'], max_length: 12, hyphens: false }
  const candidates = ['freefolk6', 'crumbfolk', 'free-folk', 'averylongfreefolk', 'freefolk7.io']
  const excluded = (await generate(key, { candidates, ...rules, max_price: 12 })).json.data as Data
  expect(excluded.suggestions.map(({ name }) => name)).toEqual(['freefolk6'])
  expect(excluded.rejected.map(({ name, reason }) => [name, reason])).toEqual([
    ['crumbfolk', 'excluded'],
    ['free-folk', 'excluded'],
    ['averylongfreefolk', 'excluded'],
    ['freefolk7.io', 'too_expensive'],
  ])
})

test.each([
  ['no candidate', { candidates: [] }, '/candidates'],
  ['101 candidates', { candidates: Array.from({ length: 101 }, (_, at) => `many${at}`) }, '/candidates'],
  ['an empty one', { candidates: ['fine', ''] }, '/candidates/1'],
  ['one of 101 characters', { candidates: ['a'.repeat(101)] }, '/candidates/0'],
  ['a control character', { candidates: ['crumb\u0007folk'] }, '/candidates/0'],
  ['six suffixes', { candidates: ['fine'], tlds: ['com', 'net', 'org', 'io', 'app', 'dev'] }, '/tlds'],
])('%s is refused, and the error names the field', async (_what, more, pointer) => {
  const { key } = await makeKey()
  const answer = await generate(key, more)
  expectError(answer, 400, 'invalid_request')
  expect(answer.json.error.errors.map((one: { pointer: string }) => one.pointer)).toEqual([pointer])
})

test('a hundred characters count after NFC', async () => {
  const { key } = await makeKey()
  const name = 'e\u0301'.repeat(100)
  const { rejected } = (await generate(key, { candidates: [name] })).json.data as Data
  expect(rejected).toEqual([{ name: name.normalize('NFC'), reason: 'invalid' }])
})
