/**
 * The client: `createNamewright(options)`, an object of small functions.
 *
 * All state is in the closure of one call of it: two clients share nothing, and printing one shows no secret. What is
 * sent and what comes back is named as on the wire, in snake_case; what belongs to this library is in camelCase.
 */
import type {
  CheckedDomain,
  CheckRequest,
  GenerateAnswer,
  GenerateRequest,
  Operations,
  StatusAnswer,
  TldAnswer,
  UsageAnswer,
} from './api-types.ts'
import { createBatches } from './batches.ts'
import type { Batches } from './batches.ts'
import { createCaller } from './caller.ts'
import type { AnswerNote, CallOptions } from './caller.ts'
import { createClientCredentials, createKeyCredentials, createTokenCredentials } from './credentials.ts'
import type { AccessToken, ClientCredentials, Credentials } from './credentials.ts'
import type { Fetch } from './exchange.ts'
import { createFavorites } from './favorites.ts'
import type { Favorites } from './favorites.ts'
import { createHistory } from './history.ts'
import type { History } from './history.ts'
import { streamOf, withRestarts } from './stream.ts'
import type { EventOf, Restarted } from './stream.ts'
import { createWebhooks } from './webhooks.ts'
import type { Webhooks } from './webhooks.ts'

/**
 * How to reach the service, and as whom: with an API key, with client credentials, or with access tokens that a function of
 * yours gets. It is asked again shortly before a token ends, or when one is refused.
 *
 * @example
 * ```ts
 * import { createNamewright } from 'namewright'
 * import type { NamewrightOptions } from 'namewright'
 *
 * const options: NamewrightOptions = {
 *   baseUrl: 'https://names.example.com',
 *   clientCredentials: { clientId: 'your-client', clientSecret: 'its-secret' },
 *   timeBudgetMs: 10_000,
 *   language: 'pt-BR',
 * }
 * const namewright = createNamewright(options)
 * ```
 */
export type NamewrightOptions = CommonOptions &
  (
    | { readonly apiKey: string; readonly clientCredentials?: undefined; readonly accessToken?: undefined }
    | { readonly clientCredentials: ClientCredentials; readonly apiKey?: undefined; readonly accessToken?: undefined }
    | {
        readonly accessToken: () => Promise<AccessToken>
        readonly apiKey?: undefined
        readonly clientCredentials?: undefined
      }
  )

interface CommonOptions {
  /** The address of the service, without `/v1`. */
  readonly baseUrl: string
  /** The runtime's own by default. */
  readonly fetch?: Fetch | undefined
  /**
   * How long a call may take in all, with every try and every wait: 30,000 by default, which rides out the restart of
   * a node and the failover of a database. For a stream, how long it may be silent.
   */
  readonly timeBudgetMs?: number | undefined
  /** Of messages and hints, as `Accept-Language` (BCP 47). */
  readonly language?: string | undefined
  /** Told of every answer, also of those that are followed by another try. */
  readonly onAnswer?: ((note: AnswerNote) => void) | undefined
  /** Milliseconds that only ever grow; for tests. */
  readonly now?: (() => number) | undefined
  /** As Math.random, which it is by default; for tests. */
  readonly random?: (() => number) | undefined
}

/**
 * What came of a description: the suggestions, best first, and why there are fewer than wanted, if there are.
 *
 * @example
 * ```ts
 * import type { Generated } from 'namewright'
 *
 * export function namesOf({ suggestions, shortfall }: Generated): string {
 *   const names = suggestions.map(({ name }) => name).join(', ')
 *   return shortfall === undefined ? names : `${names} (no more: ${shortfall.reason})`
 * }
 * ```
 */
export type Generated = GenerateAnswer['data']

/**
 * What a stream of names tells: `suggestion` when there is one, `domain` when more is known of one of its domains,
 * `withdrawn` when it falls out after all, and at the end `done`, with what `generate` would have returned. `restarted`
 * is rare: what was told before it counts no more.
 *
 * @example
 * ```ts
 * import type { GenerateStreamEvent } from 'namewright'
 *
 * export function lineOf(event: GenerateStreamEvent): string {
 *   switch (event.event) {
 *     case 'suggestion':
 *     case 'withdrawn':
 *       return `${event.event}: ${event.data.name}`
 *     case 'domain':
 *       return `${event.data.name}: ${event.data.domain.domain} is ${event.data.domain.available ? 'free' : 'not free'}`
 *     case 'restarted':
 *       return 'from the beginning'
 *     case 'done':
 *       return `${event.data.suggestions.length} in all`
 *   }
 * }
 * ```
 */
export type GenerateStreamEvent =
  | Exclude<EventOf<'POST /v1/generate'>, { event: 'done' }>
  | Restarted
  | { readonly event: 'done'; readonly id: string; readonly data: Generated }

/**
 * What a stream of verdicts tells: `domain` for each, by its place, and again when more is known; `done` at the end.
 *
 * @example
 * ```ts
 * import type { CheckStreamEvent } from 'namewright'
 *
 * export const lineOf = (event: CheckStreamEvent): string =>
 *   event.event === 'done' ? `${event.data.length} in all` : `${event.data.index}: ${event.data.domain.status}`
 * ```
 */
export type CheckStreamEvent =
  | Exclude<EventOf<'POST /v1/domains/check'>, { event: 'done' }>
  | { readonly event: 'done'; readonly id: string; readonly data: readonly CheckedDomain[] }

/**
 * The client. Each function rejects with a `NamewrightError`, `NetworkError` or `TimeBudgetError`, or with the reason
 * of the signal that ended it.
 *
 * @example
 * ```ts
 * import type { Namewright } from 'namewright'
 *
 * export async function firstFree(namewright: Namewright, description: string): Promise<string | undefined> {
 *   const { suggestions } = await namewright.generate({ description, count: 1 })
 *   return suggestions[0]?.domains.find(({ available }) => available)?.domain
 * }
 * ```
 */
export interface Namewright {
  /** Names for a description, each with domains and what they cost. */
  generate(body: GenerateRequest, options?: CallOptions): Promise<Generated>
  /** The same as it is found out. Who stops reading stops the work, and is charged nothing. */
  stream(body: GenerateRequest, options?: CallOptions): AsyncIterable<GenerateStreamEvent>
  /** Can these be registered? One answer for each, in the same order; at most 200. */
  check(domains: readonly string[] | CheckRequest, options?: CallOptions): Promise<readonly CheckedDomain[]>
  /** The same as it is found out; at most 1,000. */
  checkStream(domains: readonly string[] | CheckRequest, options?: CallOptions): AsyncIterable<CheckStreamEvent>
  /** The suffixes on offer, most popular first, and the currencies that prices can be had in. */
  tlds(query?: Operations['GET /v1/tlds']['query'], options?: CallOptions): Promise<TldAnswer['data']>
  /** What this key and this account have used, and what is left. */
  usage(query?: Operations['GET /v1/usage']['query'], options?: CallOptions): Promise<UsageAnswer['data']['usage']>
  /** How right the service's own answers have been. */
  status(options?: CallOptions): Promise<StatusAnswer['data']>
  readonly history: History
  readonly favorites: Favorites
  readonly batches: Batches
  readonly webhooks: Webhooks
}

const TIME_BUDGET_MS = 30_000

/**
 * Makes a client. Nothing is sent until its first function is called.
 *
 * @example
 * ```ts
 * import { createNamewright } from 'namewright'
 *
 * const namewright = createNamewright({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'nw_your-key' })
 * const { suggestions } = await namewright.generate({ description: 'a bakery that delivers by bicycle', count: 5 })
 * for (const { name, domains } of suggestions) {
 *   console.log(name, domains.filter(({ available }) => available).map(({ domain, price }) => `${domain} ${price}`))
 * }
 * ```
 */
export function createNamewright(options: NamewrightOptions): Namewright {
  const baseUrl = parseBaseUrl(options.baseUrl)
  const timeBudgetMs = options.timeBudgetMs ?? TIME_BUDGET_MS
  // Looked up at each call, so that whoever replaces the global one later is heard.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  const time = { now: options.now ?? (() => performance.now()), random: options.random ?? Math.random }
  const credentials = credentialsOf(options, { baseUrl, fetch, timeBudgetMs, ...time })
  const { language, onAnswer } = options
  const caller = createCaller({ baseUrl, fetch, credentials, timeBudgetMs, language, onAnswer, ...time })
  const { ask } = caller

  return {
    generate: (body, callOptions) => ask('POST /v1/generate', { body }, callOptions),
    async *stream(body, callOptions) {
      for await (const event of withRestarts(streamOf(caller, 'POST /v1/generate', { body }, callOptions))) {
        yield event.event === 'done' ? { ...event, data: event.data.data } : event
      }
    },
    async check(domains, callOptions) {
      return (await ask('POST /v1/domains/check', { body: checkOf(domains) }, callOptions)).domains
    },
    async *checkStream(domains, callOptions) {
      const body = checkOf(domains)
      for await (const event of streamOf(caller, 'POST /v1/domains/check', { body }, callOptions)) {
        yield event.event === 'done' ? { ...event, data: event.data.data.domains } : event
      }
    },
    tlds: (query = {}, callOptions) => ask('GET /v1/tlds', { query }, callOptions),
    usage: async (query = {}, callOptions) => (await ask('GET /v1/usage', { query }, callOptions)).usage,
    status: (callOptions) => ask('GET /v1/status', {}, callOptions),
    history: createHistory(caller),
    favorites: createFavorites(caller),
    batches: createBatches(caller),
    webhooks: createWebhooks(caller),
  }
}

function credentialsOf(options: NamewrightOptions, means: Parameters<typeof createClientCredentials>[1]): Credentials {
  if (options.accessToken !== undefined) return createTokenCredentials(options.accessToken, means.now)
  if (options.clientCredentials !== undefined) return createClientCredentials(options.clientCredentials, means)
  return createKeyCredentials(options.apiKey)
}

function checkOf(domains: readonly string[] | CheckRequest): CheckRequest {
  return 'domains' in domains ? domains : { domains }
}

/** The address may have a path before `/v1`, for a service behind a proxy. */
function parseBaseUrl(text: string): string {
  // Not URL.parse, which Node 20 does not have.
  if (!URL.canParse(text)) throw new TypeError(`baseUrl is not an address: ${text}`)
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`baseUrl is not an http or https address: ${text}`)
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl has more to it than an address: leave out user, password, query and fragment')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
