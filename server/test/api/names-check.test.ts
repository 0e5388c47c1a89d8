/** POST /v1/names/check: domains as in POST /v1/domains/check, and beside them what registries and code hosts show. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeCertificate } from '../certificate.ts'
import { expectError, fieldsOf } from '../expect-error.ts'
import { NAMESPACE_FAULTS, NAMESPACE_HOSTS, openNamespaceServer } from '../internet/namespace-server.ts'
import type { NamespaceServer } from '../internet/namespace-server.ts'
import { recordsOf, spentBy } from '../readings.ts'
import { emptyRedis } from '../redis.ts'
import { startApp } from '../start-app.ts'
import type { AccountId, Answer, Call, Node, World } from '../world.ts'
import { openReading, replayed } from '../stream-reader.ts'
import type { NamespaceFault } from '../internet/namespace-server.ts'
import { runningMs } from '../../../scripts/test/running-ms.ts'
import { rankOf } from '../nightly/truth/measure.ts'

interface Verdict {
  readonly namespace: string
  readonly label: string
  readonly available: boolean
  readonly status: string
  readonly rule: string
  readonly url: string
}

interface Entry {
  readonly input: string
  readonly label: string
  readonly domains: readonly { readonly domain: string; readonly available: boolean }[]
  readonly packages?: readonly Verdict[]
  readonly code?: readonly Verdict[]
  readonly links?: readonly { readonly site: string; readonly url: string }[]
}

const PACKAGES = ['npm', 'pypi', 'crates-io', 'rubygems', 'docker-hub', 'homebrew-formula', 'homebrew-cask']
const CODE = ['github', 'gitlab']

const closing = new AsyncDisposableStack()
let world: World
let node: Node
let startNode: () => Promise<Node>
let hosts: NamespaceServer
let account: AccountId
let key: string
/** Which names exist, wherever they are asked for. */
let exists: (name: string) => boolean
beforeAll(async () => {
  const certificate = closing.use(await makeCertificate(NAMESPACE_HOSTS))
  hosts = closing.use(await openNamespaceServer(certificate, { has: (_, name) => exists(name) }))
  world = closing.use(await startApp())
  const redis = await emptyRedis()
  startNode = () =>
    world.startNode({
      ...redis,
      NAMEWRIGHT_NAMESPACES: 'on',
      NAMEWRIGHT_OUTBOUND_ROUTES: hosts.routes,
      NAMEWRIGHT_OUTBOUND_CA_FILE: certificate.caFile,
    })
  node = await startNode()
})
afterAll(() => closing.disposeAsync())
beforeEach(async () => {
  account = await world.makeAccount()
  key = (await world.makeKey(account)).secret
  hosts.be('well')
  hosts.requests.length = 0
  exists = (name) => name.startsWith('fact')
})

const ask = (body: object, { on = node, ...call }: Call & { on?: Node } = {}) =>
  on.call('/v1/names/check', { key, body: { deadline_ms: 10_000, ...body }, ...call })

function namesIn(answer: Answer): readonly Entry[] {
  if (answer.status !== 200) throw new Error(`expected names, got ${answer.status}: ${answer.text}`)
  return answer.json.data.names
}

const timeless = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"then"'))

describe('domains', () => {
  test('are what POST /v1/domains/check says, in the order of names and suffixes', async () => {
    const answer = await ask({ names: ['taken-for-sure', 'Free For Sure Names'], tlds: ['com', 'net'] })
    expect(Object.keys(answer.json.data)).toEqual(['names'])
    const [taken, free] = namesIn(answer) as [Entry, Entry]
    expect(Object.keys(taken)).toEqual(['input', 'label', 'domains'])
    expect(free).toMatchObject({ input: 'Free For Sure Names', label: 'freeforsurenames' })
    const domains = ['taken-for-sure.com', 'taken-for-sure.net', 'freeforsurenames.com', 'freeforsurenames.net']
    const there = await node.call('/v1/domains/check', { key, body: { domains, deadline_ms: 10_000 } })
    expect(timeless([...taken.domains, ...free.domains])).toEqual(timeless(there.json.data.domains))
    expect(taken.domains[0]?.available).toBe(false)
  })

  test('without tlds have the suffixes of the operator, and with a preset its own', async () => {
    const suffixesOf = (entry: Entry | undefined) => entry?.domains.map(({ domain }) => domain.replace('mayfly.', ''))
    expect(suffixesOf(namesIn(await ask({ names: ['mayfly'] }))[0])).toEqual(['com', 'ai', 'io', 'co'])
    const classic = await ask({ names: ['mayfly'], tlds: ['classic'] })
    expect(suffixesOf(namesIn(classic)[0])).toEqual(['com', 'net', 'org'])
  })

  test('cost no suggestion, and leave no history', async () => {
    await ask({ names: ['mayfly'], tlds: ['com'], include: ['packages', 'links'] })
    expect(await spentBy(world, account)).toBe(0)
    expect(await recordsOf(world, account)).toBe(0)
  })

  test('of every suffix come as a stream', async () => {
    const { json: all } = await node.call('/v1/tlds', { key })
    const body = { names: ['mayfly'], tlds: ['all'], include: ['code'], deadline_ms: 10_000 }
    const response = await fetch(`${node.url}/v1/names/check`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/x-ndjson',
      },
      body: JSON.stringify(body),
    })
    const events = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const done = events.at(-1)
    expect(done.event).toBe('done')
    const [entry] = done.data.data.names as [Entry]
    expect(entry.domains).toHaveLength(all.data.tlds.length)
    expect(entry.code?.map(({ namespace }) => namespace)).toEqual(CODE)
    const domain = events.find(({ event }) => event === 'domain')
    expect(entry.domains[domain.data.index]?.domain).toBe(domain.data.domain.domain)
  })
})

describe('package registries and code hosts', () => {
  test('are asked only if they are included', async () => {
    await ask({ names: ['factory'], tlds: ['com'], include: ['links'] })
    expect(hosts.requests).toEqual([])
    const [entry] = namesIn(await ask({ names: ['factory'], tlds: ['com'], include: ['code'] })) as [Entry]
    expect(Object.keys(entry)).toEqual(['input', 'label', 'domains', 'code'])
    expect(hosts.requests.every((request) => /^(?:api\.github\.com|gitlab\.com) /.test(request))).toBe(true)
  })

  test('each have a verdict with its rule, source, time and a page to look at', async () => {
    const before = Date.now()
    const answer = await ask({ names: ['factbird', 'wordbird'], tlds: ['com'], include: ['packages', 'code'] })
    const [fact, word] = namesIn(answer) as [Entry, Entry]
    expect(fact.packages?.map(({ namespace }) => namespace)).toEqual(PACKAGES)
    expect(fact.code?.map(({ namespace }) => namespace)).toEqual(CODE)
    const [npm] = fact.packages ?? []
    expect(npm).toEqual({
      namespace: 'npm',
      label: 'factbird',
      available: false,
      status: 'taken',
      rule: 'exists',
      confidence: 'definitive',
      sources: ['npm'],
      checked_at: expect.any(String),
      expires_at: expect.any(String),
      url: 'https://www.npmjs.com/package/factbird',
    })
    const { checked_at: at } = answer.json.data.names[0].packages[0]
    expect(Date.parse(at)).toBeGreaterThanOrEqual(before - 1_000)
    for (const { available } of [...(fact.packages ?? []), ...(fact.code ?? [])]) expect(available).toBe(false)
    for (const verdict of [...(word.packages ?? []), ...(word.code ?? [])]) {
      expect(verdict).toMatchObject({ available: false, status: 'unknown', rule: 'not_found' })
      expect(verdict).not.toHaveProperty('confidence')
    }
  })

  test('cause at most eleven requests for a name, and none when it is asked again', async () => {
    const body = { names: ['word-again'], tlds: ['com'], include: ['packages', 'code'] }
    const first = namesIn(await ask(body))
    const asked = hosts.requests.length
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(11)
    expect(timeless(namesIn(await ask(body)))).toEqual(timeless(first))
    expect(hosts.requests).toHaveLength(asked)
  })

  test('that fail leave their verdicts unknown, and the domains as they are', async () => {
    hosts.be('500')
    const body = { names: ['taken-for-sure'], tlds: ['com'], include: ['packages', 'code'] }
    const [entry] = namesIn(await ask(body)) as [Entry]
    expect(entry.domains[0]).toMatchObject({ domain: 'taken-for-sure.com', status: 'taken' })
    const verdicts = [...(entry.packages ?? []), ...(entry.code ?? [])]
    expect(new Set(verdicts.map(({ available }) => available))).toEqual(new Set([false]))
    // Docker Hub allows no hyphen, which needs no request.
    expect(verdicts.filter(({ status }) => status !== 'unknown').map(({ rule }) => rule)).toEqual(['invalid_name'])
  })

  test('are not asked where the operator has switched them off', async () => {
    const off = await world.startNode({ NAMEWRIGHT_NAMESPACES: 'off', NAMEWRIGHT_OUTBOUND_ROUTES: hosts.routes })
    const body = { names: ['factory'], tlds: ['com'], include: ['packages', 'code'] }
    const [entry] = namesIn(await ask(body, { on: off })) as [Entry]
    const rules = [...(entry.packages ?? []), ...(entry.code ?? [])].map(({ rule }) => rule)
    expect(new Set(rules)).toEqual(new Set(['switched_off']))
    const generating = { description: 'a bakery by bicycle', count: 1, include: ['handles'], deadline_ms: 10_000 }
    const { json } = await off.call('/v1/generate', { key, body: generating })
    for (const { status } of json.data.suggestions[0].handles.code as Verdict[]) expect(status).toBe('unknown')
    expect(hosts.requests).toEqual([])
  })
})

test('links have the query filled in, and are no verdicts', async () => {
  const [entry] = namesIn(await ask({ names: ['Blue Heron'], tlds: ['com'], include: ['links'] })) as [Entry]
  expect(entry.links).toEqual([
    { site: 'uspto', url: 'https://tmsearch.uspto.gov/search/search-results?query=Blue%20Heron' },
    { site: 'euipo', url: 'https://euipo.europa.eu/eSearch/#basic/1+1+1+1/100+100+100+100/Blue%20Heron' },
    { site: 'wipo', url: 'https://branddb.wipo.int/en/quicksearch?by=brandName&v=Blue%20Heron' },
    { site: 'x', url: 'https://x.com/blueheron' },
    { site: 'instagram', url: 'https://www.instagram.com/blueheron/' },
    { site: 'youtube', url: 'https://www.youtube.com/@blueheron' },
  ])
})

describe('refusals', () => {
  const problemsOf = (answer: Answer) => fieldsOf(expectError(answer, 400, 'invalid_request'))
  test.for<[what: string, body: object, problems: readonly string[]]>([
    ['no name', { names: [] }, ['/names too_few']],
    ['21 names', { names: Array.from({ length: 21 }, (_, nth) => `name${nth}`) }, ['/names too_many']],
    ['a domain', { names: ['mayfly', 'mayfly.com'] }, ['/names/1 bad_format']],
    ['a path', { names: ['../../etc'] }, ['/names/0 bad_format']],
    ['a hyphen in front', { names: ['-mayfly'] }, ['/names/0 bad_format']],
    ['an unknown suffix', { names: ['mayfly'], tlds: ['cmo'] }, ['/tlds/0 unknown_suffix']],
    ['every suffix at once', { names: ['mayfly'], tlds: ['all'] }, ['/tlds too_many']],
    ['an unknown part', { names: ['mayfly'], include: ['social'] }, ['/include/0 not_allowed']],
    ['an unknown field', { names: ['mayfly'], for_sale: true }, ['/for_sale unknown_field']],
  ])('%s', async ([, body, problems]) => {
    const answer = await ask(body)
    expect(problemsOf(answer)).toEqual(problems)
    expect(hosts.requests).toEqual([])
  })

  test('a key without the scope', async () => {
    const { secret } = await world.makeKey(account, { scopes: ['generate'] })
    expectError(await ask({ names: ['mayfly'] }, { key: secret }), 403, 'insufficient_scope')
  })
})

test('an Idempotency-Key is accepted and ignored: a check stores no answer', async () => {
  const owner = await world.makeAccount()
  const { secret } = await world.makeKey(owner)
  const headers = { 'idempotency-key': 'names-once' }
  for (const name of ['wordonce', 'wordonce', 'wordtwice']) {
    const answer = await ask({ names: [name], tlds: ['com'] }, { key: secret, headers })
    expect([answer.status, answer.headers.has('idempotent-replayed')]).toEqual([200, false])
  }
  const { rowCount } = await world.owner.query('SELECT 1 FROM idempotent_answer WHERE account_id = $1', [owner])
  expect(rowCount).toBe(0)
})

describe('POST /v1/generate', () => {
  interface Named {
    readonly name: string
    readonly domains: readonly object[]
    readonly handles?: { readonly packages: readonly Verdict[]; readonly code: readonly Verdict[] }
  }
  const BODY = { description: 'a bakery that brings bread by bicycle', count: 3, tlds: ['net'], deadline_ms: 10_000 }
  const generate = async (body: object, on = node) => {
    const answer = await on.call('/v1/generate', { key, body: { ...BODY, ...body } })
    if (answer.status !== 200) throw new Error(`expected names, got ${answer.status}: ${answer.text}`)
    return { ...answer, suggestions: answer.json.data.suggestions as readonly Named[] }
  }
  const verdictsOf = ({ handles }: Named) => [...(handles?.packages ?? []), ...(handles?.code ?? [])]
  const rulesOf = (suggestions: readonly Named[]) => [
    ...new Set(suggestions.flatMap(verdictsOf).map(({ rule }) => rule)),
  ]

  test('without handles asks nobody, and says byte for byte the same as with them, apart from them', async () => {
    const plain = await generate({})
    expect(Object.keys(plain.json.data)).toEqual(['suggestions'])
    for (const suggestion of plain.suggestions) expect(Object.keys(suggestion)).toEqual(['name', 'domains'])
    expect(hosts.requests).toEqual([])
    const { json } = await generate({ include: ['handles'] })
    expect(hosts.requests.length).toBeGreaterThan(0)
    for (const suggestion of json.data.suggestions) {
      expect(Object.keys(suggestion)).toEqual(['name', 'domains', 'handles'])
      delete suggestion.handles
    }
    expect(JSON.stringify(json)).toBe(plain.text)
  })

  test('with handles gives each name the verdicts of POST /v1/names/check, and records them', async () => {
    exists = (name) => name.length % 2 === 0
    const { suggestions } = await generate({ seed: 1, include: ['handles'] })
    const names = suggestions.map(({ name }) => name)
    const checked = namesIn(await ask({ names, tlds: ['net'], include: ['packages', 'code'] }))
    // GitHub allows one request a minute, so it may have responded to one of the two.
    const settled = (all: readonly Verdict[] = []) => all.filter(({ namespace }) => namespace !== 'github')
    const partsOf = ({ packages, code }: { packages?: readonly Verdict[]; code?: readonly Verdict[] }) =>
      timeless([settled(packages), settled(code)])
    expect(suggestions.map(({ handles = {} }) => partsOf(handles))).toEqual(checked.map(partsOf))
    for (const one of suggestions)
      expect(verdictsOf(one).map(({ namespace }) => namespace)).toEqual([...PACKAGES, ...CODE])
    const { json } = await node.call('/v1/history', { key })
    expect(json.data.history[0].suggestions).toEqual(suggestions)
  })

  test('with handles sends at most eleven requests for each of the first twenty names, and none a second time', async () => {
    const names = { count: 22, seed: 2 }
    // The names are known then, and all of the time is for their handles.
    await generate(names)
    const body = { ...names, include: ['handles'], deadline_ms: 3_000 }
    const { suggestions } = await generate(body)
    const sent = hosts.requests.length
    expect(sent).toBeGreaterThan(20)
    expect(sent).toBeLessThanOrEqual(20 * 11)
    expect(new Set(hosts.requests).size).toBe(sent)
    expect(rulesOf(suggestions.slice(20))).toContain('not_asked')
    const npm = () => hosts.requests.filter((request) => request.startsWith('registry.npmjs.org'))
    await generate(body)
    // What the rate limit left over is asked now, and nothing again.
    expect(npm().length).toBeLessThanOrEqual(20)
    expect(new Set(npm()).size).toBe(npm().length)
  })

  test('with handles streams names at once, and their handles when all hosts have responded', async () => {
    hosts.be('slow')
    const body = { ...BODY, seed: 3, include: ['handles'] }
    const reading = await openReading(node.url, '/v1/generate', { key, body })
    const events = await reading.all()
    const kinds = events.map(({ event }) => event)
    expect(kinds.filter((kind) => kind !== 'domain')).toEqual([
      ...Array.from({ length: 3 }, () => 'suggestion'),
      ...Array.from({ length: 3 }, () => 'handles'),
      'done',
    ])
    expect(events.find(({ event }) => event === 'suggestion')?.data).not.toHaveProperty('handles')
    expect(replayed(events)).toEqual(events.at(-1)?.data.data.suggestions)
  })

  test('with handles is over at its deadline while hosts are silent, with all its names', async () => {
    hosts.be('silent')
    const description = 'a school of sailing on a cold lake'
    await generate({ description })
    const began = runningMs()
    const { suggestions, json } = await generate({ description, include: ['handles'], deadline_ms: 2_500 })
    expect(runningMs() - began).toBeLessThan(4_000)
    expect(json.data).not.toHaveProperty('shortfall')
    for (const { available } of suggestions.flatMap(verdictsOf)) expect(available).not.toBe(true)
    expect(rulesOf(suggestions)).toContain('no_answer')
  })

  // The last ones use up what the hosts allow.
  const FAULTS: readonly [NamespaceFault, rule: string, description: string][] = [
    ['changed format', 'malformed_answer', 'a chess club for beginners'],
    ['another name', 'malformed_answer', 'a florist for weddings in the mountains'],
    ['slow', 'no_answer', 'an archive of old railway maps'],
    ['403', 'rate_limited', 'a workshop for violins'],
    ['429', 'rate_limited', 'a farm that sells goat cheese'],
  ]
  test.for(FAULTS)(
    'with handles says of no name that it is available while hosts misbehave: %s',
    async ([fault, rule, description]) => {
      exists = (name) => name.length % 2 === 0
      hosts.be(fault)
      await generate({ description })
      // Less than a slow host takes.
      const deadline_ms = fault === 'slow' ? 1_400 : 5_000
      const { suggestions } = await generate({ description, include: ['handles'], deadline_ms })
      expect(suggestions).toHaveLength(3)
      expect(rulesOf(suggestions)).toContain(rule)
      for (const one of suggestions) {
        expect(verdictsOf(one)).toHaveLength(PACKAGES.length + CODE.length)
        for (const { available, status, label, namespace } of verdictsOf(one)) {
          expect(available, `${label} at ${namespace}`).not.toBe(true)
          if (!exists(label)) expect(status, `${label} at ${namespace}`).not.toBe('taken')
        }
      }
    },
  )
})

test('of many names, each checked while its hosts misbehave, none is free by mistake or waits past the deadline', async () => {
  // A node of its own: hosts that misbehave are left alone for a while.
  const own = await startNode()
  const moods = ['well', ...NAMESPACE_FAULTS] as const
  const count = 36
  const deadline_ms = 1_000
  const tookMs: number[] = []
  const fastest = new Map<string, number>()
  for (let index = 0; index < count; index++) {
    const mood = moods[index % moods.length] ?? 'well'
    hosts.be(mood)
    const name = `${index % 2 === 0 ? 'fact' : 'word'}many${index}`
    const startedAt = runningMs()
    const [checked] = namesIn(
      await ask({ names: [name], tlds: ['com'], include: ['packages', 'code'], deadline_ms }, { on: own }),
    )
    const took = runningMs() - startedAt
    tookMs.push(took)
    fastest.set(mood, Math.min(took, fastest.get(mood) ?? took))
    const verdicts = [...(checked?.packages ?? []), ...(checked?.code ?? [])]
    expect(verdicts).toHaveLength(PACKAGES.length + CODE.length)
    for (const { namespace, available } of verdicts) expect(available, `${name} at ${namespace}`).not.toBe(true)
  }
  const sorted = tookMs.toSorted((a, b) => a - b)
  const perName = hosts.requests.length / count
  console.log(
    `${count} names, one in ${moods.length} with healthy hosts: ${rankOf(sorted, 0.5)} / ${rankOf(sorted, 0.99)} ms` +
      ` (p50, p99), ${perName.toFixed(1)} outside requests a name`,
  )
  // Other work on the machine makes one or two longer; a deadline that a mood breaks is broken each time.
  expect(Math.max(...fastest.values())).toBeLessThan(deadline_ms + 1_000)
  expect(rankOf(sorted, 0.95)).toBeLessThan(deadline_ms + 1_000)
  expect(Math.max(...sorted)).toBeLessThan(deadline_ms + 5_000)
  expect(perName).toBeLessThanOrEqual(11)
})
