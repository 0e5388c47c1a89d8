/** Names of the model that nobody was shown serve later requests about the same kind of project, each once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { plainNameRequest, type NameProposal, type NameRequest, type ProjectSummary } from '@namewright/names'
import {
  type Cache,
  CacheDown,
  type GenerateRequest,
  type ModelConfig,
  openCache,
  openLanguageModel,
  openOutbound,
  type Outbound,
} from './source.ts'
import { openModelServer } from './internet/model-server.ts'
import type { ModelServer } from './internet/model-server.ts'
import { emptyRedis, REDIS_TIMEOUT_MS } from './redis.ts'

const DAY = 86_400_000
const DESCRIPTION = 'a bakery by bicycle for Anna of Lyon'
const BAKERY: ProjectSummary = {
  language: 'en',
  subject: 'bread bakery',
  does: [],
  forWhom: [],
  angles: [],
  ignored: [],
  isSure: true,
}
const NAMES = Array.from({ length: 40 }, (_, at) => `Crumb${letters(at)}`)
const never = new AbortController().signal

let server: ModelServer
let outbound: Outbound
let cache: Cache
beforeAll(async () => {
  ;[server, cache] = await Promise.all([
    openModelServer(),
    openCache({ urls: [(await emptyRedis()).NAMEWRIGHT_REDIS_URL], timeoutMs: REDIS_TIMEOUT_MS }),
  ])
  outbound = openOutbound({ allowPrivate: true, now: Date.now })
})
afterAll(async () => {
  await Promise.all([outbound.close(), cache.close(), server[Symbol.asyncDispose]()])
})
beforeEach(async () => {
  server.reply = { names: NAMES }
  await emptyRedis()
})

function letters(at: number): string {
  return String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26))
}

function openModel(more: Partial<ModelConfig> = {}, redis: Pick<Cache, 'getMany' | 'setMany' | 'run'> = cache) {
  const config: ModelConfig = {
    kind: 'llama.cpp',
    name: 'test/model:8b',
    url: server.url,
    key: undefined,
    deadlineMs: 5_000,
    fallback: undefined,
    storeLateMs: 0,
    reuseMs: 30 * DAY,
    price: undefined,
    callsPerDay: { total: undefined, perAccount: undefined },
    ...more,
  }
  const send: Outbound['send'] = (request) => outbound.send(request)
  return openLanguageModel({ config, send, cache: redis, log: { warn: () => {} }, now: Date.now })
}

function requestOf(names: Partial<NameRequest> = {}): GenerateRequest {
  return {
    names: { ...plainNameRequest(DESCRIPTION), ...names },
    count: 8,
    include: [],
    language: 'en',
  } as Partial<GenerateRequest> as GenerateRequest
}

/** A whole request of an account: proposals, of which the first are checked and every second of these is shown. */
async function ask(
  model: ReturnType<typeof openModel>,
  account: string,
  {
    summary = BAKERY,
    names = {},
    checks = 16,
  }: { summary?: ProjectSummary; names?: Partial<NameRequest>; checks?: number } = {},
) {
  const request = requestOf(names)
  const calls = server.asked.length
  const proposals = await model.propose(request, never, { account, allowedMs: 5_000, summary })
  const labels = proposals.map(({ name }) => name.toLowerCase())
  const shown = labels.slice(0, checks).filter((_, at) => at % 2 === 0)
  const [admitted, checked] = [new Set(labels), new Set(labels.slice(0, checks))]
  await model.store(request, { account, summary, proposals, shown, admitted, checked })
  return { names: proposals.map(({ name }) => name), proposals, shown, calls: server.asked.length - calls }
}

test('the next account gets what nobody was shown, without a call, and each name once', async () => {
  const model = openModel()
  const first = await ask(model, 'a')
  expect(first.calls).toBe(1)
  const second = await ask(model, 'b')
  expect(second.calls).toBe(0)
  expect(second.names.length).toBeGreaterThanOrEqual(16)
  expect(second.names.filter((name) => first.names.slice(0, 16).includes(name))).toEqual([])
  expect(model.outcomes().get('reused')).toBe(1)
  expect(model.usage()).toMatchObject({ called: 1, reused: 1 })
})

test('a second request is a call that leaves the pool alone, and what nobody was shown of its reply serves others', async () => {
  const model = openModel()
  const request = requestOf()
  await ask(model, 'a', { checks: 4 })
  const before = server.asked.length
  const again = { taken: ['Crumbaa'], missing: 2 }
  const second = await model.propose(request, never, { account: 'b', allowedMs: 5_000, summary: BAKERY, again })
  expect(server.asked.length - before).toBe(1)
  expect(String(server.asked.at(-1)?.json.messages.at(-1).content)).toContain('Number of names: 12\n')
  // What the other account was shown is left out.
  expect(second.map(({ name }) => name)).toEqual(NAMES.slice(0, 12).filter((_, at) => at !== 0 && at !== 2))
  expect((await ask(model, 'c')).calls).toBe(0)
})

test('many at once never get the same name', async () => {
  const model = openModel()
  await ask(model, 'a', { checks: 0 })
  const all = await Promise.all(['b', 'c', 'd', 'e'].map((account) => ask(model, account)))
  const given = all.filter(({ calls }) => calls === 0).flatMap(({ names }) => names)
  expect(new Set(given).size).toBe(given.length)
})

test('what the model repeats is not shown to another account, but again to the same one', async () => {
  const model = openModel()
  server.reply = { names: NAMES.slice(0, 12) }
  const first = await ask(model, 'a')
  expect(first.shown).toHaveLength(6)
  const again = await ask(model, 'a')
  expect(again.names.map((name) => name.toLowerCase())).toEqual(expect.arrayContaining(first.shown))
  const other = await ask(model, 'b')
  expect(other.calls).toBe(1)
  expect(other.names.filter((name) => first.shown.includes(name.toLowerCase()))).toEqual([])
})

test('names go only to projects that do no less and are for nobody else', async () => {
  const model = openModel()
  await ask(model, 'a', { summary: { ...BAKERY, forWhom: ['for nurses'] } })
  expect((await ask(model, 'b')).calls).toBe(1)
  const both = { ...BAKERY, does: ['deliver'], forWhom: ['for nurses'] }
  expect((await ask(model, 'c', { summary: both })).calls).toBe(0)
})

test.each<[string, Parameters<typeof ask>[2]]>([
  ['in another language', { summary: { ...BAKERY, language: 'fr' } }],
  ['about something else', { summary: { ...BAKERY, subject: 'coffee shop' } }],
  ['of an unsure subject', { summary: { ...BAKERY, isSure: false } }],
  ['with names that the caller likes', { names: { like: ['Ryeway'] } }],
  ['with words that the caller wants', { names: { includeWords: ['rye'] } }],
])('a request %s is not served from the pool', async (_what, options) => {
  const model = openModel()
  await ask(model, 'a')
  expect((await ask(model, 'b', options)).calls).toBe(1)
})

test('no word of the description and no reason is passed on', async () => {
  const model = openModel()
  server.reply = {
    text: ['- Annaloaf: hers', '- Lyon Crust: there', ...NAMES.map((name) => `- ${name}: for Anna`)].join('\n'),
  }
  const first = await ask(model, 'a', { checks: 0 })
  expect(first.names).toEqual(expect.arrayContaining(['Annaloaf', 'Lyon Crust']))
  const passedOn: NameProposal[] = []
  for (const account of ['b', 'c']) passedOn.push(...(await ask(model, account)).proposals)
  expect(passedOn.length).toBeGreaterThan(20)
  expect(passedOn.filter(({ name, reason }) => /anna|lyon/i.test(name) || reason !== undefined)).toEqual([])
})

test('a caller does not wait for names that serve others', async () => {
  const model = openModel()
  // Forty names at this speed take about ten seconds.
  server.reply = { names: NAMES, tokensPerSecond: 12 }
  const { names } = await ask(model, 'a', { checks: 0 })
  expect(names.length).toBeLessThan(NAMES.length)
  await expect.poll(() => model.usage().receivedCharacters, { timeout: 30_000 }).toBeGreaterThan(0)
  await expect.poll(async () => (await ask(model, 'b', { checks: 0 })).calls, { timeout: 30_000 }).toBe(0)
})

test('without Redis the model is called as before', async () => {
  const down: Pick<Cache, 'getMany' | 'setMany' | 'run'> = {
    getMany: async (keys) => keys.map(() => null),
    setMany: async () => {},
    run: async () => {
      throw new CacheDown('not here')
    },
  }
  const model = openModel({}, down)
  expect((await ask(model, 'a')).names.length).toBeGreaterThan(15)
  expect((await ask(model, 'b')).calls).toBe(1)
})

test('nothing is stored unless the operator says so', async () => {
  const model = openModel({ reuseMs: 0 })
  await ask(model, 'a')
  expect((await ask(model, 'b')).calls).toBe(1)
  expect(model.isReusing).toBe(false)
})
