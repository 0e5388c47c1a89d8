/**
 * As much of the service's API as the command uses, answered in this process by the engines: the client calls it in place
 * of `fetch`, so that every command treats both alike.
 *
 * A domain that no source can prove is `unproven` here, with a link to a registrar that can: nobody runs a service that
 * could be asked again.
 */
import { checkDomains } from '../../../server/src/features/check/check-domains.ts'
import { suggest } from '../../../server/src/features/generate/suggest.ts'
import type { Generated, SuggestOptions } from '../../../server/src/features/generate/suggest.ts'
import type { GenerateRequest } from '../../../server/src/model/generate-request.ts'
import { ApiError } from '../../../server/src/model/errors.ts'
import { checkNames, parseNamesCheckRequest } from '../../../server/src/features/check/check-names.ts'
import { CheckBody, NamesBody } from '../../../server/src/features/check/schemas.ts'
import { checkedEntry, createCheckedEncoder } from '../../../server/src/features/check/shown.ts'
import { createProblems } from '../../../server/src/http/problem.ts'
import { tldsOf } from '../../../server/src/features/catalog/tlds.ts'
import { frameOf, HEARTBEATS } from '../../../server/src/http/stream/frames.ts'
import type { StreamEvent } from '../../../server/src/http/stream/frames.ts'
import type { StreamEncoder } from '../../../server/src/http/stream/stream-encoder.ts'
import { createSuggestionEncoder, shown } from '../../../server/src/features/generate/shown.ts'
import { TldQuery } from '../../../server/src/features/catalog/tlds.ts'
import { createCheck } from '../../../server/src/http/validate.ts'
import { parseGenerateRequest } from '../../../server/src/features/generate/generate-request.ts'
import { chooseLanguage, readMessages } from '../../../server/src/http/wire/language.ts'
import { GenerateBody } from '../../../server/src/http/wire/schemas.ts'
import { successOf } from '../../../server/src/http/wire/texts.ts'
import type { Fetch, FetchAnswer } from '../../../sdk/src/exchange.ts'
import { CliError, EXIT } from '../exit.ts'
import { LOCAL_URL } from '../session.ts'
import type { Engines } from './engines.ts'
import { createPresenter } from './present.ts'

// A person waits; a request over HTTP has a shorter default. The client waits 7.5 s for an answer in one piece.
const DEADLINE_MS = { alone: 10_000, withModel: 20_000, inOnePiece: 6_000 }
// The client takes longer silence for a lost connection.
const HEARTBEAT_MS = 5_000
const MAX_DOMAINS = 1_000
// Nobody else is in the queue.
const FAIRNESS_KEY = ''

interface Streamed extends Pick<LocalRequest, 'language' | 'signal'> {
  readonly request?: GenerateRequest
}

type Work<Updates extends readonly unknown[]> = (onUpdate: (...updates: Updates) => void) => Promise<string>

interface LocalRequest {
  readonly body: unknown
  readonly query: Readonly<Record<string, string>>
  readonly language: ReturnType<typeof chooseLanguage>
  readonly signal: AbortSignal
}

/** Without a network names are worth having although nobody can say whether they are taken. */
export async function suggestLocally(
  engines: Engines,
  request: GenerateRequest,
  signal: AbortSignal,
  options?: SuggestOptions,
): Promise<Generated> {
  const wanted = (await engines.isOffline()) ? { ...request, onlyAvailable: false } : request
  return suggest(engines, wanted, signal, options)
}

/** `timeoutMs`: the longest that any request may take. Nothing is retried, so what is known by then is the answer. */
export function createLocalService(engines: Engines, timeoutMs = Infinity): Fetch {
  const present = createPresenter(engines)
  const within = (ms: number) => Math.min(ms, timeoutMs)
  const messages = readMessages()
  const answerOf = createProblems({ messages, publicUrl: LOCAL_URL, marks: {} })
  const routes: Readonly<Record<string, (request: LocalRequest) => FetchAnswer | Promise<FetchAnswer>>> = {
    'POST /v1/generate': generate,
    'POST /v1/domains/check': check,
    'POST /v1/names/check': names,
    'GET /v1/tlds': ({ query }) =>
      answered(200, {
        text: successOf(
          JSON.stringify(tldsOf(engines.prices, validated(TldQuery, query, true) as TldQuery, engines.now())),
        ),
      }),
  }

  return async (address, { method, headers, body, signal }) => {
    const { pathname, searchParams } = new URL(address)
    const route = routes[`${method} ${pathname}`]
    if (!route)
      throw new CliError(EXIT.usage, 'This needs a service.', 'Set --url or NAMEWRIGHT_URL to the address of one.')
    const language = chooseLanguage({ accept: headers['accept-language'] })
    try {
      const parsed: unknown = body === undefined ? undefined : JSON.parse(body)
      return await route({ body: parsed, query: Object.fromEntries(searchParams), language, signal })
    } catch (error) {
      const problem = problemOf(error, language)
      return answered(problem.status, { text: problem.body })
    }
  }

  function generate({ body, language, signal }: LocalRequest): FetchAnswer {
    const withModel = engines.languageModel !== undefined
    const { deadline_ms: deadlineMs = withModel ? DEADLINE_MS.withModel : DEADLINE_MS.alone, ...asked } = validated(
      GenerateBody,
      body,
    ) as GenerateBody
    const wanted = { ...asked, deadline_ms: within(deadlineMs) }
    const request = parseGenerateRequest(wanted, {
      prices: engines.prices,
      suffixes: engines.config.suffixes,
      withModel,
      language,
      currency: undefined,
    })
    const texts = messages.get(language)
    if (!texts) throw new Error(`no messages in ${language}`)
    return streamed({ language, signal, request }, createSuggestionEncoder(request, texts), async (...[onUpdate]) => {
      const result: Generated = await suggestLocally(engines, request, signal, { onUpdate })
      return successOf(JSON.stringify(shown(result, request, texts)))
    })
  }

  function check({ body, language, signal }: LocalRequest): FetchAnswer {
    const { domains, ...asked } = validated(CheckBody, body) as CheckBody
    const {
      verify,
      for_sale: forSale = false,
      country,
      include = [],
      deadline_ms: deadlineMs = DEADLINE_MS.alone,
    } = asked
    const options = {
      deadlineMs: within(deadlineMs),
      fresh: verify === 'full',
      forSale,
      country,
      fairnessKey: FAIRNESS_KEY,
    }
    return streamed({ language, signal }, createCheckedEncoder(include), async (onUpdate) => {
      const checked = await checkDomains(engines, domains, options, signal, onUpdate)
      return successOf(JSON.stringify({ domains: checked.map((one) => checkedEntry(one, include)) }))
    })
  }

  /** In one piece, as the client asks for it. */
  async function names({ body, signal }: LocalRequest): Promise<FetchAnswer> {
    const asked = validated(NamesBody, body) as NamesBody
    const { verify, country, deadline_ms: deadlineMs = DEADLINE_MS.inOnePiece } = asked
    const limits = { prices: engines.prices, suffixes: engines.config.suffixes, maxDomains: MAX_DOMAINS }
    const request = parseNamesCheckRequest(asked, limits)
    const options = { deadlineMs: within(deadlineMs), fresh: verify === 'full', country, fairnessKey: FAIRNESS_KEY }
    const data = { names: await checkNames(engines, request, options, signal) }
    return answered(200, { text: successOf(JSON.stringify(present(data))) })
  }

  function problemOf(error: unknown, language: LocalRequest['language']) {
    if (!(error instanceof ApiError)) throw error
    return answerOf(error, { language, requestId: '', accept: undefined })
  }

  function streamed<Updates extends readonly unknown[]>(
    { language, signal, request }: Streamed,
    encoder: StreamEncoder<Updates>,
    work: Work<Updates>,
  ): FetchAnswer {
    const encode = new TextEncoder()
    let count = 0
    const body = new ReadableStream<Uint8Array>({
      async start(stream) {
        const send = (event: StreamEvent) => {
          count += 1
          const data = JSON.stringify(present(JSON.parse(event.data), request))
          stream.enqueue(encode.encode(frameOf('ndjson', { ...event, id: `local.${count}`, data })))
        }
        const sendChanges = () => {
          for (const event of encoder.changes()) send(event)
        }
        const heartbeat = setInterval(() => stream.enqueue(encode.encode(HEARTBEATS.ndjson)), HEARTBEAT_MS)
        signal.addEventListener('abort', () => clearInterval(heartbeat))
        try {
          const whole = await work((...updates) => {
            encoder.update(...updates)
            sendChanges()
          })
          sendChanges()
          send({ event: 'done', data: whole })
          stream.close()
        } catch (error) {
          if (!(error instanceof ApiError)) return stream.error(error)
          send({ event: 'error', data: problemOf(error, language).body })
          stream.close()
        } finally {
          clearInterval(heartbeat)
        }
      },
    })
    return answered(200, { body })
  }
}

/** Compiled for the one request of this process: all schemas at once would delay each command. */
function validated(schema: Parameters<typeof createCheck>[0], value: unknown, query = false): unknown {
  return createCheck(schema, { query })(value)
}

/** No `Response`: the first one loads the `fetch` of Node, which takes 60 ms. */
function answered(status: number, { body, text }: { body?: ReadableStream<Uint8Array>; text?: string }): FetchAnswer {
  return {
    status,
    headers: { get: () => null },
    body: body ?? null,
    text: async () => text ?? Buffer.concat(await Array.fromAsync(body ?? [])).toString(),
  }
}
