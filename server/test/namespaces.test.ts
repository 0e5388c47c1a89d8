/** Package registries and code hosts: no name is ever available by mistake, however badly they answer. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NAMESPACE_WRITERS } from '../../scripts/namespaces/pages.ts'
import {
  CacheDown,
  createSourceHealth,
  NAMESPACE_GROUPS,
  type NamespaceCheck,
  type NamespaceDeclaration,
  NAMESPACES,
  type Namespaces,
  openNamespaces,
  openOutbound,
  type Outbound,
  switchesWith,
} from './source.ts'
import { makeCertificate } from './certificate.ts'
import type { Certificate } from './certificate.ts'
import { readPage } from './docs/pages.ts'
import { NAMESPACE_FAULTS, NAMESPACE_HOSTS, openNamespaceServer } from './internet/namespace-server.ts'
import type { NamespaceFault, NamespaceServer } from './internet/namespace-server.ts'

// Budgets have tests of their own: here everything may be asked at once.
const WIDE = NAMESPACES.map((one) => ({ ...one, rate: { perSecond: 10_000, isPublished: true } }))
const NAMES = 200
const PER_FAULT = Math.ceil(NAMES / NAMESPACE_FAULTS.length)

/** A third exists everywhere; as many are hidden by their host and refused; the rest nobody has. */
const kindOf = (index: number) => (['fact', 'held', 'word'] as const)[index % 3] ?? 'word'
const nameOf = (index: number) => `${kindOf(index)}-n${index}`

let certificate: Certificate
let server: NamespaceServer
let outbound: Outbound
let shared = new Map<string, string>()
const opened: Namespaces[] = []

beforeAll(async () => {
  certificate = await makeCertificate(NAMESPACE_HOSTS)
  server = await openNamespaceServer(certificate, { has: (_, name) => name.startsWith('fact') })
  const routes = NAMESPACE_HOSTS.map((host) => ({ host, address: '127.0.0.1', port: server.port }))
  outbound = openOutbound({ now: Date.now, ca: certificate.ca, routes })
})
afterAll(async () => {
  await Promise.all(opened.map((one) => one[Symbol.asyncDispose]()))
  await outbound.close()
  await server[Symbol.asyncDispose]()
  await certificate[Symbol.asyncDispose]()
})

/** A process of its own; those with the same `shared` are nodes of one service. */
async function open({
  declarations = WIDE,
  off = [],
  now = Date.now,
}: {
  declarations?: readonly NamespaceDeclaration[]
  off?: readonly string[]
  now?: () => number
} = {}): Promise<Namespaces> {
  const namespaces = openNamespaces({
    declarations,
    outbound,
    cache: {
      getMany: async (keys) => keys.map((key) => shared.get(key) ?? null),
      setMany: async (entries) => entries.forEach(({ key, value }) => shared.set(key, value)),
      run: () => Promise.reject(new CacheDown()),
    },
    nodes: 1,
    sourceHealth: createSourceHealth(now),
    isOff: (name) => off.includes(name),
    now,
  })
  opened.push(namespaces)
  return namespaces
}

const CHECK: NamespaceCheck = {
  groups: NAMESPACE_GROUPS,
  deadlineMs: 8_000,
  fresh: false,
  fairnessKey: 'ada',
  signal: new AbortController().signal,
}

/** What each namespace says of one label, as `status rule`. */
async function verdictsOf(namespaces: Namespaces, label: string, check: Partial<NamespaceCheck> = {}) {
  const [verdicts = []] = await namespaces.check([label], { ...CHECK, ...check })
  return Object.fromEntries(verdicts.map(({ namespace, status, rule }) => [namespace, `${status} ${rule}`]))
}

function begin(fault: (typeof NAMESPACE_FAULTS)[number] | 'well' = 'well'): void {
  shared = new Map()
  server.requests.length = 0
  server.be(fault)
}

test('an entry is taken everywhere, and a name without one is unknown everywhere', async () => {
  begin()
  const namespaces = await open()
  const names = Object.fromEntries(NAMESPACES.map(({ name }) => [name, '']))
  expect(await verdictsOf(namespaces, 'facts')).toEqual(mapOf(names, 'taken exists'))
  expect(await verdictsOf(namespaces, 'words')).toEqual(mapOf(names, 'unknown not_found'))
})

const mapOf = (names: object, text: string) => Object.fromEntries(Object.keys(names).map((name) => [name, text]))

// Their answers come after the deadline, or not at all.
const DEADLINE_MS: Readonly<Partial<Record<NamespaceFault, number>>> = { slow: 700, silent: 700, '429': 5_000 }
/** The rule that shows each fault; the others are malformed. */
const SHOWS_AS: Readonly<Partial<Record<NamespaceFault, string>>> = {
  slow: 'no_answer',
  silent: 'no_answer',
  '403': 'rate_limited',
  '429': 'rate_limited',
  '500': 'no_answer',
  '503': 'no_answer',
  closed: 'no_answer',
}

describe('two hundred names while hosts misbehave', () => {
  test.for(NAMESPACE_FAULTS.map((fault, nth) => [fault, nth] as const))(
    '%s: none is available',
    async ([fault, nth]) => {
      begin(fault)
      const namespaces = await open()
      const indexes = Array.from({ length: PER_FAULT }, (_, index) => nth * PER_FAULT + index)
      const all = await namespaces.check(indexes.map(nameOf), {
        ...CHECK,
        deadlineMs: DEADLINE_MS[fault] ?? 30_000,
      })
      expect(all).toHaveLength(PER_FAULT)
      expect(all.flat().map(({ rule }) => rule)).toContain(SHOWS_AS[fault] ?? 'malformed_answer')
      for (const [at, verdicts] of all.entries()) {
        expect(verdicts.map(({ namespace }) => namespace)).toEqual(NAMESPACES.map(({ name }) => name))
        for (const { status, rule, namespace } of verdicts) {
          const what = `${nameOf(indexes[at] ?? 0)} at ${namespace}, ${fault}: ${rule}`
          expect(status, what).not.toBe('available')
          // Docker Hub allows no hyphen. Nobody else may call a name taken that nobody has.
          const isTaken = status === 'taken' && kindOf(indexes[at] ?? 0) !== 'fact'
          expect(isTaken, what).toBe(false)
        }
      }
    },
  )

  test('when they are well again, what exists is taken, and still nothing is available', async () => {
    begin()
    const namespaces = await open()
    const all = await namespaces.check(
      Array.from({ length: NAMES }, (_, index) => nameOf(index)),
      { ...CHECK, deadlineMs: 50_000 },
    )
    const statuses = all.flatMap((verdicts, index) =>
      verdicts.flatMap(({ namespace, status }) => (namespace === 'docker-hub' ? [] : [`${kindOf(index)} ${status}`])),
    )
    expect(new Set(statuses)).toEqual(new Set(['fact taken', 'held unknown', 'word unknown']))
  })
})

describe('rules beyond equality', () => {
  const CASES: readonly [label: string, namespace: string, said: string][] = [
    // npm: `factbird` exists.
    ['fact-bird', 'npm', 'taken exists'],
    ['f-actbird', 'npm', 'taken similar_exists'],
    ['events', 'npm', 'reserved reserved_word'],
    ['fact--bird', 'pypi', 'taken exists'],
    ['json', 'pypi', 'reserved reserved_word'],
    ['std', 'crates-io', 'reserved reserved_word'],
    ['proc-macro', 'crates-io', 'reserved reserved_word'],
    ['7facts', 'crates-io', 'invalid invalid_name'],
    ['fact-bird', 'crates-io', 'taken exists'],
    ['123', 'rubygems', 'invalid invalid_name'],
    ['abc', 'docker-hub', 'invalid invalid_name'],
    ['fact-bird', 'docker-hub', 'invalid invalid_name'],
    ['a'.repeat(31), 'docker-hub', 'invalid invalid_name'],
    ['fact'.repeat(7), 'docker-hub', 'taken exists'],
    ['a'.repeat(40), 'github', 'invalid invalid_name'],
    ['a'.repeat(39), 'github', 'unknown not_found'],
    ['word--bird', 'github', 'invalid invalid_name'],
    ['settings', 'github', 'reserved reserved_word'],
    ['about', 'github', 'reserved reserved_word'],
    ['x', 'gitlab', 'invalid invalid_name'],
    ['dashboard', 'gitlab', 'reserved reserved_word'],
    ['xn--bcker-gra', 'npm', 'invalid invalid_name'],
  ]
  test.for(CASES)('%s at %s is %s', async ([label, namespace, said]) => {
    begin()
    expect((await verdictsOf(await open(), label))[namespace]).toBe(said)
  })

  test('a reserved word or a forbidden name causes no request', async () => {
    begin()
    await verdictsOf(await open(), 'settings', { groups: ['code'] })
    expect(server.requests.filter((request) => request.startsWith('api.github.com'))).toEqual([])
  })
})

describe('declarations', () => {
  test.for([...NAMESPACE_WRITERS])('%s is as `pnpm openapi` writes it', ([path, write]) => {
    expect(write(readPage(path), NAMESPACES)).toBe(readPage(path))
  })

  test('each has a switch of its name, and the source and date of what it knows', () => {
    const names = NAMESPACES.map(({ name }) => name)
    expect(switchesWith([])).toEqual(expect.arrayContaining(names))
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) {
      const file = name.replace(/^homebrew-.*/, 'homebrew')
      expect(readPage(`server/src/engines/namespaces/${file}.ts`)).toMatch(/read\s+(?:\* )?\d{4}-\d\d-\d\d/)
    }
  })

  test('every reserved word could be asked about', () => {
    const lists = JSON.parse(readPage('server/data/reserved-names.json')) as Record<string, { names: string }>
    for (const [namespace, { names }] of Object.entries(lists)) {
      const declaration = NAMESPACES.find(({ name }) => name === namespace)
      const strangers = names.split(' ').filter((name) => declaration?.findName(name) !== name)
      expect(strangers, namespace).toEqual([])
    }
  })
})

describe('requests', () => {
  test('a name costs at most eleven, and the same name again none, on any node', async () => {
    begin()
    const [first, second] = [await open(), await open()]
    const labels = ['word-one', 'wordtwo', 'fact-three']
    const before = await first.check(labels, CHECK)
    const most = labels.length * 11
    const asked = server.requests.length
    expect(asked).toBeGreaterThan(labels.length * NAMESPACES.length - labels.length)
    expect(asked).toBeLessThanOrEqual(most)
    expect(new Set(server.requests).size).toBe(asked)
    expect(timeless(await first.check(labels, CHECK))).toEqual(timeless(before))
    expect(timeless(await second.check(labels, CHECK))).toEqual(timeless(before))
    expect(server.requests).toHaveLength(asked)
    await first.check(labels, { ...CHECK, fresh: true })
    expect(server.requests).toHaveLength(2 * asked)
  })

  test('callers who want the same at the same time share them', async () => {
    begin()
    const namespaces = await open()
    await Promise.all([1, 2, 3].map(() => verdictsOf(namespaces, 'wordshare', { groups: ['packages'] })))
    expect(new Set(server.requests).size).toBe(server.requests.length)
  })

  test('who joins a query of a caller in a hurry has it until the own deadline', async () => {
    begin('slow')
    const namespaces = await open()
    const [hurried, patient] = await Promise.all([
      verdictsOf(namespaces, 'wordjoined', { deadlineMs: 200 }),
      verdictsOf(namespaces, 'wordjoined', { deadlineMs: 20_000 }),
    ])
    expect(new Set(Object.values(hurried))).toEqual(new Set(['unknown no_answer']))
    expect(new Set(Object.values(patient))).toEqual(new Set(['unknown not_found']))
  })

  test('a verdict has the age of what was found, and a name without an entry is asked again after five minutes', async () => {
    begin()
    let at = 1_800_000_000_000
    const namespaces = await open({ now: () => at })
    const github = async () => (await namespaces.check(['words'], { ...CHECK, groups: ['code'] }))[0]?.[0]
    const first = await github()
    at += 299_000
    expect(await github()).toEqual(first)
    expect(first).toMatchObject({ checkedAt: 1_800_000_000_000, expiresAt: 1_800_000_300_000 })
    at += 2_000
    expect((await github())?.checkedAt).toBe(at)
  })

  test('a failure is not remembered', async () => {
    begin('500')
    const namespaces = await open()
    expect((await verdictsOf(namespaces, 'facts')).npm).toBe('unknown no_answer')
    server.be('well')
    expect((await verdictsOf(namespaces, 'facts')).npm).toBe('taken exists')
  })

  test('after five failures a host is left alone', async () => {
    begin('closed')
    const namespaces = await open()
    for (let nth = 0; nth < 9; nth++) await verdictsOf(namespaces, `word${nth}`, { groups: ['code'] })
    expect(server.requests.filter((request) => request.startsWith('api.github.com'))).toHaveLength(5)
  })

  test('a host that wants fewer gets none until its time has passed', async () => {
    begin('429')
    const namespaces = await open()
    expect((await verdictsOf(namespaces, 'words', { groups: ['code'] })).github).toBe('unknown rate_limited')
    const asked = server.requests.length
    server.be('well')
    const soon = { groups: ['code'], deadlineMs: 2_000 } as const
    expect((await verdictsOf(namespaces, 'facts', soon)).github).toBe('unknown rate_limited')
    expect(server.requests).toHaveLength(asked)
  })

  test('a published limit holds: GitHub gets no more than its burst at once', async () => {
    begin()
    const namespaces = await open({ declarations: NAMESPACES })
    const labels = Array.from({ length: 20 }, (_, nth) => `word${nth}`)
    const all = await namespaces.check(labels, { ...CHECK, groups: ['code'] })
    const rules = all.map(([github]) => github?.rule)
    expect(server.requests.filter((request) => request.startsWith('api.github.com'))).toHaveLength(5)
    expect(rules.filter((rule) => rule === 'not_found')).toHaveLength(5)
    expect(rules.filter((rule) => rule === 'rate_limited')).toHaveLength(15)
  })

  test('a namespace that the operator switched off gets none, and is unknown', async () => {
    begin()
    const namespaces = await open({ off: ['npm', 'gitlab'] })
    const verdicts = await verdictsOf(namespaces, 'facts')
    expect(verdicts).toMatchObject({
      npm: 'unknown switched_off',
      gitlab: 'unknown switched_off',
      pypi: 'taken exists',
    })
    expect(server.requests.filter((request) => /^(?:registry\.npmjs\.org|gitlab\.com) /.test(request))).toEqual([])
  })

  test('a group that was not asked for gets none', async () => {
    begin()
    expect(Object.keys(await verdictsOf(await open(), 'facts', { groups: ['code'] }))).toEqual(['github', 'gitlab'])
    expect(server.requests.every((request) => /^(?:api\.github\.com|gitlab\.com) /.test(request))).toBe(true)
  })
})

const timeless = (all: Awaited<ReturnType<Namespaces['check']>>) =>
  all.map((verdicts) => verdicts.map(({ checkedAt: _at, expiresAt: _until, ...verdict }) => verdict))
