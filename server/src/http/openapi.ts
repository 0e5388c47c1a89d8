/**
 * Builds the OpenAPI 3.1 document from the schemas that the routes validate with.
 *
 * A schema with an `$id` becomes a component and is referenced. Every route with a scope (`access.ts`) needs a token
 * and may respond with the common error shape.
 *
 * A route that responds with JSON and streams only on request is two operations. The one under `paths` has the JSON
 * response alone. Its `x-stream` refers to the other, under `components.pathItems`, which has the streams. OpenAPI
 * cannot express that the response depends on the Accept header, so generated clients would join both into one type:
 * `GenerateAnswer | GenerateEvent | string`.
 */
import type { FastifyContextConfig, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import type { Scope } from '../model/caller.ts'
import { ErrorAnswer } from './wire/schemas.ts'
import { SANDBOX_HEADER } from './sandbox.ts'

declare module 'fastify' {
  interface FastifySchema {
    summary?: string
  }
  interface FastifyContextConfig {
    /** The events of the stream, for callers that ask for it by Accept. */
    events?: TSchema
    /** For a POST that can be repeated anyway: its Idempotency-Key is ignored, and no answer is stored. */
    idempotencyKey?: 'ignored'
    /** The name of the function in generated clients, and what a caller should know before using it. */
    words?: { readonly id: string; readonly description: string }
  }
}

interface RouteSchema {
  readonly summary?: string
  readonly body?: TSchema
  readonly querystring?: TSchema & { properties?: Record<string, TSchema>; required?: readonly string[] }
  readonly params?: TSchema & { properties?: Record<string, TSchema> }
  readonly response?: Record<string, TSchema>
}

const HEADERS = {
  'X-Request-Id': {
    description: 'The id of the request: your own, if it was valid, or one that the service made.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The rate limit and the quota of the key (IETF httpapi draft, structured fields).',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left of them, and the seconds until they are refilled.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds after which a retry makes sense.', schema: { type: 'integer' } },
  'Idempotent-Replayed': {
    description: 'This is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  [SANDBOX_HEADER]: {
    description: 'Present in sandbox mode: domains and prices are made up.',
    schema: { type: 'string', const: 'true' },
  },
}
const headersOf = (...names: readonly (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
const MARKS = headersOf('X-Request-Id', 'RateLimit-Policy', 'RateLimit', SANDBOX_HEADER)

/** By status: what each is about, in any operation that may respond with it. */
const REFUSALS = {
  400: 'The request is not valid; `errors` names its fields.',
  401: 'There is no valid key or token.',
  403: 'This key or token may not do that.',
  404: 'There is no such record, or it belongs to another account.',
  408: 'The body did not arrive in time.',
  409: 'A request with the same Idempotency-Key is running, or the state of the record does not allow it.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The Idempotency-Key was used with another body, or there are no names.',
  429: 'A rate limit or the quota is used up.',
  500: 'The service failed.',
  503: 'The service is overloaded, or something that it needs is down.',
} as const
type Refusal = keyof typeof REFUSALS

function refusalsOf(method: string, { params, body }: RouteSchema): readonly Refusal[] {
  return [
    400,
    401,
    403,
    ...(params ? [404 as const] : []),
    ...(body ? [408 as const] : []),
    ...(method === 'POST' ? [409 as const] : []),
    ...(body ? [413 as const, 415 as const] : []),
    ...(method === 'POST' ? [422 as const] : []),
    429,
    500,
    503,
  ]
}

export type Document = Record<string, unknown>

/** Collects the schemas with an `$id`. `refer`: the schema with references to them. */
export function createComponents() {
  const components: Record<string, unknown> = {}

  /** An answer may have fields that are not declared yet, so that a new one breaks no client; a request may not. */
  function refer(schema: unknown, isAnswer: boolean): unknown {
    if (Array.isArray(schema)) return schema.map((one) => refer(one, isAnswer))
    if (typeof schema !== 'object' || schema === null) return schema
    const { $id, ...rest } = schema as { $id?: string }
    const entries = Object.entries(rest).filter(
      ([key, value]) => !(isAnswer && key === 'additionalProperties' && value === false),
    )
    const plain = Object.fromEntries(entries.map(([key, value]) => [key, refer(value, isAnswer)]))
    if ($id === undefined) return plain
    components[$id] = plain
    return { $ref: `#/components/schemas/${$id}` }
  }

  return { components, refer }
}

type Refer = ReturnType<typeof createComponents>['refer']

export function parametersOf(refer: Refer, where: 'query' | 'path', schema: RouteSchema['querystring']) {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property as { description?: string }
    return {
      name,
      in: where,
      required: where === 'path' || (schema?.required?.includes(name) ?? false),
      ...(description ? { description } : {}),
      schema: refer(rest, false),
    }
  })
}

export function createOpenapi(version: string) {
  const { components, refer } = createComponents()
  const paths: Record<string, Record<string, unknown>> = {}
  const streamed: Record<string, Record<string, unknown>> = {}

  const json = (schema: unknown, isAnswer: boolean) => ({ 'application/json': { schema: refer(schema, isAnswer) } })

  const streams = (events: unknown) => ({
    'application/x-ndjson': { schema: refer(events, true) },
    'text/event-stream': { schema: { type: 'string', description: 'The same events, as Server-Sent Events.' } },
  })

  function operationOf(
    schema: RouteSchema,
    scope: string,
    method: string,
    path: string,
    { events, words }: FastifyContextConfig,
  ) {
    if (!words) throw new Error(`${method} ${path} has no words for the API reference`)
    const parameters = [
      ...parametersOf(refer, 'path', schema.params),
      ...parametersOf(refer, 'query', schema.querystring),
    ]
    if (method === 'POST') {
      const header = { type: 'string', minLength: 1, maxLength: 255 }
      const description =
        'A UUID, for example. A retry with the same key takes effect once and gets the stored response.'
      parameters.push({
        name: 'Idempotency-Key',
        in: 'header' as 'query',
        required: false,
        description,
        schema: header,
      })
    }
    const marks = method === 'POST' ? { ...MARKS, ...headersOf('Idempotent-Replayed') } : MARKS
    const answers = Object.entries(schema.response ?? {}).map(([status, answer]) => [
      status,
      { description: 'Success', headers: marks, ...(status === '204' ? {} : { content: json(answer, true) }) },
    ])
    const operation = {
      operationId: words.id,
      tags: [tagOf(path)],
      summary: schema.summary,
      description: words.description,
      security: [{ key: [] }, { oauth: [scope] }],
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(schema.body ? { requestBody: { required: true, content: json(schema.body, false) } } : {}),
    }
    const content = json(ErrorAnswer, true)
    const failures = {
      ...Object.fromEntries(
        refusalsOf(method, schema).map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]),
      ),
      '4XX': { description: 'The request was rejected.', headers: MARKS, content },
      '5XX': { description: 'The service could not handle the request.', headers: MARKS, content },
    }
    const plain = { ...operation, responses: { ...Object.fromEntries(answers), ...failures } }
    if (!events) return plain
    const responses = {
      '200': { description: 'Success', headers: MARKS, content: streams(events) },
      ...failures,
    }
    if (!schema.response) return { ...operation, responses }
    const id = `${words.id}Stream`
    // Path parameters belong to the path item.
    const others = parameters.filter((one) => one.in !== 'path')
    streamed[id] = { [method.toLowerCase()]: { ...operation, operationId: id, parameters: others, responses } }
    return { ...plain, 'x-stream': { $ref: `#/components/pathItems/${id}` } }
  }

  return {
    add({ method, url, schema, config }: RouteOptions): void {
      const access = config?.access
      if (access?.by !== 'token' || access.audience !== 'v1' || !schema) return
      const path = url.replace(/:(\w+)/g, '{$1}')
      for (const name of [method].flat().filter((one) => one !== 'HEAD')) {
        paths[path] = {
          ...paths[path],
          [name.toLowerCase()]: operationOf(schema as RouteSchema, access.scope, name, path, config ?? {}),
        }
      }
    },

    document: (): Document => ({
      openapi: '3.1.0',
      info: {
        title: 'Namewright',
        version,
        description: 'Suggest names and domains for a description, with current availability and prices.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        contact: { name: 'The operator of this service' },
      },
      servers: [{ url: '/', description: 'The server that serves this document.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths,
      components: {
        schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => a.localeCompare(b, 'en'))),
        pathItems: streamed,
        responses: Object.fromEntries(
          Object.entries(REFUSALS).map(([status, description]) => [
            `Refused${status}`,
            {
              description,
              headers: status === '429' || status === '503' ? { ...MARKS, ...headersOf('Retry-After') } : MARKS,
              content: json(ErrorAnswer, true),
            },
          ]),
        ),
        headers: HEADERS,
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'An API key (nw_…) with the required scope.' },
          oauth: {
            type: 'oauth2',
            description: 'An access token for the resource /v1.',
            flows: {
              authorizationCode: {
                authorizationUrl: '/auth/oauth2/authorize',
                tokenUrl: '/auth/oauth2/token',
                refreshUrl: '/auth/oauth2/token',
                scopes: SCOPE_WORDS,
              },
              clientCredentials: { tokenUrl: '/auth/oauth2/token', scopes: SCOPE_WORDS },
            },
          },
        },
      },
    }),
  }
}

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  generate: 'Generate suggestions.',
  'domains:check': 'Check domains and read the suffix catalogue.',
  'history:read': 'Read the history.',
  'history:write': 'Delete from the history.',
  'favorites:read': 'Read the favorites.',
  'favorites:write': 'Change the favorites.',
  'batches:read': 'Read batches and their results.',
  'batches:write': 'Create and cancel batches.',
  webhooks: 'Manage webhooks.',
  'usage:read': 'Read the usage.',
}

const TAGS: Readonly<Record<string, string>> = {
  generate: 'Suggest names for a project.',
  domains: 'Check domain availability.',
  names: 'Check names across suffixes, package registries and code hosts.',
  history: 'Earlier requests and their suggestions.',
  favorites: 'Saved and watched domains.',
  batches: 'Many generate requests in one call.',
  webhooks: 'Events that the service sends to your server.',
  tlds: 'The supported suffixes.',
  usage: 'Usage and remaining quota.',
  status: 'Service status and accuracy.',
}

function tagOf(path: string): string {
  const [, , tag = ''] = path.split('/')
  if (!(tag in TAGS)) throw new Error(`${path} has no tag`)
  return tag
}
