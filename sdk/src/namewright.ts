/**
 * The client: `createNamewright(options)`, an object of small functions.
 *
 * All state is in the closure of `createNamewright`: two clients share nothing, and printing a client shows no secret.
 * Fields of the API are in snake_case, as on the wire; options of this library are in camelCase.
 */
import type {
  CheckedDomain,
  CheckedName,
  CheckRequest,
  GenerateAnswer,
  GenerateRequest,
  NamesRequest,
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
 * Options of a client: the URL of the service and the credentials. Credentials are an API key, OAuth 2.0 client
 * credentials, or a function that returns access tokens. The client calls that function again shortly before a token
 * expires, or when a token is refused.
 *
 * @example
 * ```ts
 * import { createNamewright } from '@namewright/client'
 * import type { NamewrightOptions } from '@namewright/client'
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
  /** The URL of the service, without `/v1`. */
  readonly baseUrl: string
  /** Default: the `fetch` of the runtime. */
  readonly fetch?: Fetch | undefined
  /**
   * Maximum duration of a call in milliseconds, including retries and back-off. Default: 30,000, long enough for the
   * restart of a node and the failover of a database. For a stream: the maximum silence.
   */
  readonly timeBudgetMs?: number | undefined
  /** The language of messages and hints, sent as `Accept-Language` (BCP 47). */
  readonly language?: string | undefined
  /** Called for every response, including those that are followed by a retry. */
  readonly onAnswer?: ((note: AnswerNote) => void) | undefined
  /** A monotonic clock in milliseconds, for tests. */
  readonly now?: (() => number) | undefined
  /** Replaces Math.random, for tests. */
  readonly random?: (() => number) | undefined
}

/**
 * The result of `generate`: suggestions, best first. `shortfall` says why there are fewer than requested.
 *
 * @example
 * ```ts
 * import type { Generated } from '@namewright/client'
 *
 * export function namesOf({ suggestions, shortfall }: Generated): string {
 *   const names = suggestions.map(({ name }) => name).join(', ')
 *   return shortfall === undefined ? names : `${names} (shortfall: ${shortfall.reason})`
 * }
 * ```
 */
export type Generated = GenerateAnswer['data']

/**
 * An event of `stream`: `suggestion` for a new suggestion, `domain` for an update of one of its domains, `handles` for
 * its packages and accounts if the request includes them, `withdrawn` when a suggestion is removed, and `done` at the end, with the same result as `generate`. `restarted` is rare: discard all
 * earlier events.
 *
 * @example
 * ```ts
 * import type { GenerateStreamEvent } from '@namewright/client'
 *
 * export function lineOf(event: GenerateStreamEvent): string {
 *   switch (event.event) {
 *     case 'suggestion':
 *     case 'withdrawn':
 *       return `${event.event}: ${event.data.name}`
 *     case 'domain':
 *       return `${event.data.name}: ${event.data.domain.domain} is ${event.data.domain.available ? 'available' : 'not available'}`
 *     case 'handles':
 *       return `${event.data.name}: ${event.data.handles.packages.map(({ namespace, rule }) => `${namespace} ${rule}`).join()}`
 *     case 'restarted':
 *       return 'restarted'
 *     case 'done':
 *       return `${event.data.suggestions.length} in total`
 *   }
 * }
 * ```
 */
export type GenerateStreamEvent =
  | Exclude<EventOf<'POST /v1/generate'>, { event: 'done' }>
  | Restarted
  | { readonly event: 'done'; readonly id: string; readonly data: Generated }

/**
 * An event of `checkStream`: `domain` for each result by its index, again when it is updated, and `done` at the end.
 *
 * @example
 * ```ts
 * import type { CheckStreamEvent } from '@namewright/client'
 *
 * export const lineOf = (event: CheckStreamEvent): string =>
 *   event.event === 'done' ? `${event.data.length} in total` : `${event.data.index}: ${event.data.domain.status}`
 * ```
 */
export type CheckStreamEvent =
  | Exclude<EventOf<'POST /v1/domains/check'>, { event: 'done' }>
  | { readonly event: 'done'; readonly id: string; readonly data: readonly CheckedDomain[] }

/**
 * The client. Each function rejects with a `NamewrightError`, `NetworkError` or `TimeBudgetError`, or with the reason
 * of an aborted signal.
 *
 * @example
 * ```ts
 * import type { Namewright } from '@namewright/client'
 *
 * export async function firstAvailable(namewright: Namewright, description: string): Promise<string | undefined> {
 *   const { suggestions } = await namewright.generate({ description, count: 1 })
 *   return suggestions[0]?.domains.find(({ available }) => available)?.domain
 * }
 * ```
 */
export interface Namewright {
  /** Suggests names for a description, each with domains and prices. */
  generate(body: GenerateRequest, options?: CallOptions): Promise<Generated>
  /** Like `generate`, as a stream. Stop reading to cancel the request; names shown until then are charged. */
  stream(body: GenerateRequest, options?: CallOptions): AsyncIterable<GenerateStreamEvent>
  /** Checks whether domains can be registered. Results are in the same order; at most 200 domains. */
  check(domains: readonly string[] | CheckRequest, options?: CallOptions): Promise<readonly CheckedDomain[]>
  /** Like `check`, as a stream; at most 1,000 domains. */
  checkStream(domains: readonly string[] | CheckRequest, options?: CallOptions): AsyncIterable<CheckStreamEvent>
  /**
   * Checks names under suffixes, and with `include` in package registries and at code hosts. Results are in the same
   * order; names times suffixes: at most 200.
   */
  checkNames(names: readonly string[] | NamesRequest, options?: CallOptions): Promise<readonly CheckedName[]>
  /** The supported suffixes with prices, most popular first, and the supported currencies. */
  tlds(query?: Operations['GET /v1/tlds']['query'], options?: CallOptions): Promise<TldAnswer['data']>
  /** Usage and remaining quota of the API key and the account. */
  usage(query?: Operations['GET /v1/usage']['query'], options?: CallOptions): Promise<UsageAnswer['data']['usage']>
  /** The status of the service: components, sources and the measured accuracy of its results. */
  status(options?: CallOptions): Promise<StatusAnswer['data']>
  readonly history: History
  readonly favorites: Favorites
  readonly batches: Batches
  readonly webhooks: Webhooks
}

const TIME_BUDGET_MS = 30_000

/**
 * Creates a client. Nothing is sent until one of its functions is called.
 *
 * @example
 * ```ts
 * import { createNamewright } from '@namewright/client'
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
  // Looked up at each call, so that a global fetch that is replaced later is used.
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
    async checkNames(names, callOptions) {
      const body = 'names' in names ? names : { names }
      return (await ask('POST /v1/names/check', { body }, callOptions)).names
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

/** The URL may have a path before `/v1`, for a service behind a proxy. */
function parseBaseUrl(text: string): string {
  // Not URL.parse, which Node 20 does not have.
  if (!URL.canParse(text)) throw new TypeError(`baseUrl is not a URL: ${text}`)
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`baseUrl is not an http or https URL: ${text}`)
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must not contain a user, password, query or fragment')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
