/**
 * `pnpm bench model`: what a request that waits for the language model keeps in memory; and with names reused, how many
 * requests need no call, what a thousand requests cost, and how often two accounts are shown the same name.
 *
 * Real: the flow of a request, the naming, the client of the model, Redis. The requests are descriptions of 500 fields,
 * each from an account of its own. Simulated: half of all domains are taken, and the model on loopback, which writes
 * names of a list per field. It prefers the first names of its list so much that two of its replies share as many names
 * as two recorded replies of a real model to one description (14 %, `eval/model-replies/`).
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { suggest } from '../server/src/flows/generate.ts'
import type { GenerateContext } from '../server/src/flows/generate.ts'
import { openLanguageModel } from '../server/src/language-model/language-model.ts'
import { costPerThousand } from '../server/src/language-model/tally.ts'
import type { GenerateRequest } from '../server/src/model/generate-request.ts'
import type { Domain, Suffix } from '../server/src/model/domain.ts'
import { openNames } from '../server/src/names/names.ts'
import { hashOf } from '../server/src/names/hash.ts'
import { plainNameRequest } from '../server/src/names/plain-name-request.ts'
import { openCache } from '../server/src/platform/cache/cache.ts'
import type { Cache } from '../server/src/platform/cache/cache.ts'
import { openOutbound } from '../server/src/platform/outbound/outbound.ts'
import type { Outbound } from '../server/src/platform/outbound/outbound.ts'
import { openPrices } from '../server/src/prices/prices.ts'
import { emptyRedis } from '../server/test/redis.ts'

// How often a field comes: 20,000 requests are about 500 fields.
const PER_FIELD = 40
const COUNT = 8
const AT_ONCE = 8
// The most that a node lets wait.
const WAITING = 16
// Where half of the weight of a list is; chosen so that two replies share 14 % of their names.
const PREFERRED = 1
const LISTED = 2_000
// So many names had the recorded replies.
const COMPARED = 12
// A prime, so that neighbours in a list have nothing in common.
const STEP = 1_299_709
// US dollars per million tokens in and out, of four characters: a small hosted model.
const PRICE = { sent: 0.4, received: 1.6 }
const never = new AbortController().signal

export interface ReuseFigures {
  readonly requests: number
  /** Of all requests. */
  readonly withoutCall: number
  readonly dollarsPerThousand: number
  /** Of all names shown, those that another account was shown before; of the model's, and of all. */
  readonly repeatedOfModel: number
  readonly repeated: number
  readonly ofModel: number
  /** Of the names of two replies for one field. */
  readonly shared: number
}

export async function benchModel({ requests }: { readonly requests: number }): Promise<void> {
  console.log(`KB of memory per request that waits for the model   ${((await waitingBytes()) / 1024).toFixed(0)}`)
  const off = await measure(requests, 0)
  const on = await measure(requests, 30)
  const rows: [string, (figures: ReuseFigures) => string][] = [
    ['requests', (one) => String(one.requests)],
    ['answered without a call', (one) => percent(one.withoutCall)],
    ['US dollars per 1000 requests', (one) => one.dollarsPerThousand.toFixed(3)],
    ['names that the model wrote', (one) => percent(one.ofModel)],
    ['of these shown to another account before', (one) => percent(one.repeatedOfModel)],
    ['of all names shown to another account before', (one) => percent(one.repeated)],
    ['names that two replies for a field share', (one) => percent(one.shared)],
  ]
  console.log(`${''.padEnd(46)}${'off'.padStart(10)}${'on'.padStart(10)}`)
  for (const [what, of] of rows) console.log(what.padEnd(46) + of(off).padStart(10) + of(on).padStart(10))
}

export async function measure(requests: number, reuseDays: number): Promise<ReuseFigures> {
  const asked = descriptionsByField(Math.ceil(requests / PER_FIELD))
  await using model = await openSimulatedModel(asked)
  await using names = await openNames({ threads: 2 })
  const cache = await openCache({ urls: [(await emptyRedis()).NAMEWRIGHT_REDIS_URL], timeoutMs: 2_000 })
  const outbound = openOutbound({ allowPrivate: true, now: Date.now })
  const languageModel = openClient(model.url, outbound, reuseDays, cache)
  const ctx = { ...(await simulatedAvailability()), names, languageModel } as GenerateContext
  const firstShownTo = new Map<string, string>()
  const totals = { shown: 0, ofModel: 0, repeated: 0, repeatedOfModel: 0 }
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < requests) {
        const at = next++
        const texts = asked[at % asked.length]!.texts
        const account = `account-${at}`
        const { suggestions } = await suggest(
          ctx,
          requestFor(texts[Math.floor(at / asked.length) % texts.length]!),
          never,
          {
            fairnessKey: account,
          },
        )
        for (const { candidate } of suggestions) {
          const isRepeated = (firstShownTo.get(candidate.label) ?? account) !== account
          const isOfModel = model.hasWritten(candidate.label)
          firstShownTo.set(candidate.label, account)
          totals.shown++
          if (isOfModel) totals.ofModel++
          if (isRepeated) totals.repeated++
          if (isRepeated && isOfModel) totals.repeatedOfModel++
        }
      }
    }),
  )
  const usage = languageModel.usage()
  await Promise.all([cache.close(), outbound.close()])
  return {
    requests,
    withoutCall: usage.reused / (usage.called + usage.reused),
    dollarsPerThousand: costPerThousand(usage, PRICE),
    ofModel: totals.ofModel / totals.shown,
    repeatedOfModel: totals.repeatedOfModel / totals.ofModel,
    repeated: totals.repeated / totals.shown,
    shared: model.shared(),
  }
}

/** Of the most requests that a node lets wait, each with two calls to a server that is silent. */
async function waitingBytes(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const server = createServer(() => {})
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const outbound = openOutbound({ allowPrivate: true, now: Date.now })
  const model = openClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, outbound, 0)
  const leave = new AbortController()
  const wait = () =>
    Array.from({ length: WAITING }, (_, at) =>
      model.propose(requestFor('a bakery that brings bread to your door by bicycle'), leave.signal, {
        account: `account-${at}`,
        allowedMs: 30_000,
      }),
    )
  const connections = () => new Promise<number>((tell) => server.getConnections((_, count) => tell(count)))
  const before = used()
  const waiting = wait()
  while ((await connections()) < 2 * WAITING) await sleep(20)
  const after = used()
  leave.abort()
  await Promise.all(waiting)
  await outbound.close()
  server.close()
  server.closeAllConnections()
  return (after - before) / WAITING
}

function openClient(
  url: string,
  outbound: Outbound,
  reuseDays: number,
  cache: Pick<Cache, 'getMany' | 'setMany' | 'run'> = NO_CACHE,
) {
  return openLanguageModel({
    config: {
      kind: 'openai-compatible',
      name: 'simulated',
      url,
      key: undefined,
      deadlineMs: 30_000,
      fallback: undefined,
      storeLateMs: 0,
      reuseMs: reuseDays * 86_400_000,
      price: undefined,
      callsPerDay: { total: undefined, perAccount: undefined },
    },
    send: (request) => outbound.send(request),
    cache,
    log: { warn: () => {} },
    now: Date.now,
  })
}

const NO_CACHE = {
  getMany: async (keys: readonly string[]) => keys.map(() => null),
  setMany: async () => {},
  run: async () => [],
}

interface DescribedField {
  readonly field: string
  readonly texts: readonly string[]
}

/** The fields with most descriptions. */
function descriptionsByField(count: number): DescribedField[] {
  const file = new URL('../server/data/names/fields/descriptions.tsv', import.meta.url)
  const rows = readFileSync(file, 'utf8').trim().split('\n')
  const fields = Map.groupBy(rows, (row) => row.slice(0, row.indexOf('\t')))
  return [...fields]
    .map(([field, own]) => ({ field, texts: own.map((row) => row.slice(row.indexOf('\t') + 1)) }))
    .toSorted((a, b) => b.texts.length - a.texts.length)
    .slice(0, count)
}

function requestFor(description: string): GenerateRequest {
  const request: Partial<GenerateRequest> = {
    names: plainNameRequest(description),
    count: COUNT,
    suffixes: ['com' as Suffix],
    onlyAvailable: true,
    deadlineMs: 60_000,
    currency: 'USD',
    language: 'en',
    include: [],
    quality: 'best',
    verify: 'fast',
    variants: false,
    priceLimits: { due: undefined, fiveYears: undefined },
    premium: false,
  }
  return request as GenerateRequest
}

async function simulatedAvailability(): Promise<Partial<GenerateContext>> {
  return {
    now: Date.now,
    availabilityMode: 'balanced',
    prices: await openPrices(),
    variants: [],
    sourceHealth: { troubles: () => [] },
    availability: {
      check: async (domains: readonly Domain[]) =>
        new Map(
          domains.map((domain) => [
            domain,
            {
              domain,
              status: hashOf(domain) % 2 === 0 ? ('available' as const) : ('taken' as const),
              confidence: 'definitive' as const,
              sources: ['dns' as const],
              checkedAt: 0,
              expiresAt: 0,
            },
          ]),
        ),
    },
  }
}

async function openSimulatedModel(fields: readonly DescribedField[]) {
  const fieldOf = new Map(fields.flatMap(({ texts }, field) => texts.map((text) => [text, field])))
  const words = readFileSync(new URL('../server/data/names/lexicon.txt', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => /^[a-z]{4,6}(?=\s|$)/.exec(line) ?? [])
  const written = new Set<string>()
  const lastReplies = new Map<number, readonly string[]>()
  const overlaps = { shared: 0, of: 0 }
  // Another pair of words for every field and place.
  const nameOf = (field: number, place: number) => {
    const pair = ((field * LISTED + place) * STEP) % words.length ** 2
    return words[Math.floor(pair / words.length)]! + words[pair % words.length]!
  }
  // The smallest of `-ln(random) / weight` are a sample by weight, without repetition.
  const sample = (field: number, count: number) =>
    Array.from({ length: LISTED }, (_, place) => ({ place, key: -Math.log(Math.random()) * (place + PREFERRED) }))
      .toSorted((a, b) => a.key - b.key)
      .slice(0, count)
      .map(({ place }) => nameOf(field, place))

  const server = createServer((request, response) => {
    void answer(request, response)
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    const { messages } = JSON.parse(text) as { messages: { content: string }[] }
    const message = messages.at(-1)?.content ?? ''
    const description = JSON.parse(/^Project: (.+)$/m.exec(message)![1]!) as string
    const count = Number(/^Number of names: (\d+)$/m.exec(message)![1])
    const field = fieldOf.get(description)!
    const names = sample(field, count)
    const before = lastReplies.get(field)
    lastReplies.set(field, names)
    if (before) {
      overlaps.of += COMPARED
      overlaps.shared += names.slice(0, COMPARED).filter((name) => before.slice(0, COMPARED).includes(name)).length
    }
    for (const name of names) written.add(name)
    const content = names.map((name) => `- ${name}\n`).join('')
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] }))
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    hasWritten: (label: string) => written.has(label),
    shared: () => overlaps.shared / Math.max(1, overlaps.of),
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
