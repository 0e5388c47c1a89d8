/**
 * Builds the OpenAPI 3.1 document from the schemas that the routes validate with.
 *
 * A schema with an `$id` becomes a component and is referenced. Every route with a scope (`access.ts`) needs a token
 * and may respond with the common error shape.
 *
 * A route that responds with JSON and streams only on request is two operations. The one under `paths` has the JSON
 * response alone. Its `x-stream` refers to the other, under `components.pathItems`, which has the streams. OpenAPI
 * cannot express that the response depends on the Accept header, so generated clients would join both into one type:
 * `GenerateAnswer | GenerateEvent | string | undefined`.
 */
import type { RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import type { Scope } from '../model/caller.ts'
import { ErrorAnswer } from '../wire/schemas.ts'
import { OPERATIONS } from './operations.ts'
import { SANDBOX_HEADER } from './sandbox.ts'

declare module 'fastify' {
  interface FastifySchema {
    summary?: string
  }
  interface FastifyContextConfig {
    /** The events of the stream, for callers that ask for it by Accept. */
    events?: TSchema
  }
}

interface RouteSchema {
  readonly summary?: string
  readonly body?: TSchema
  readonly querystring?: TSchema & { properties?: Record<string, TSchema>; required?: readonly string[] }
  readonly params?: TSchema & { properties?: Record<string, TSchema> }
  readonly response?: Record<string, TSchema>
}

const MARKS = { [SANDBOX_HEADER]: { $ref: `#/components/headers/${SANDBOX_HEADER}` } }

export type Document = Record<string, unknown>

export function createOpenapi(version: string) {
  const components: Record<string, unknown> = {}
  const paths: Record<string, Record<string, unknown>> = {}
  const streamed: Record<string, Record<string, unknown>> = {}

  function refer(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(refer)
    if (typeof schema !== 'object' || schema === null) return schema
    const { $id, ...rest } = schema as { $id?: string }
    const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, refer(value)]))
    if ($id === undefined) return plain
    components[$id] = plain
    return { $ref: `#/components/schemas/${$id}` }
  }

  const json = (schema: unknown) => ({ 'application/json': { schema: refer(schema) } })

  const streams = (events: unknown) => ({
    'application/x-ndjson': { schema: refer(events) },
    'text/event-stream': { schema: { type: 'string', description: 'The same events, as Server-Sent Events.' } },
  })

  const parametersOf = (where: 'query' | 'path', schema: RouteSchema['querystring']) =>
    Object.entries(schema?.properties ?? {}).map(([name, property]) => {
      const { description, ...rest } = property as { description?: string }
      return {
        name,
        in: where,
        required: where === 'path' || (schema?.required?.includes(name) ?? false),
        ...(description ? { description } : {}),
        schema: refer(rest),
      }
    })

  function operationOf(schema: RouteSchema, scope: string, method: string, path: string, events: TSchema | undefined) {
    const words = OPERATIONS[`${method} ${path}`]
    if (!words) throw new Error(`${method} ${path} is not in http/operations.ts`)
    const parameters = [...parametersOf('path', schema.params), ...parametersOf('query', schema.querystring)]
    if (method === 'POST') {
      const header = { type: 'string', minLength: 1, maxLength: 255 }
      parameters.push({ name: 'Idempotency-Key', in: 'header' as 'query', required: false, schema: header })
    }
    if (events) {
      const header = {
        type: 'string',
        description: 'The id of the last event that was received before the connection broke.',
      }
      parameters.push({ name: 'Last-Event-ID', in: 'header' as 'query', required: false, schema: header })
    }
    const answers = Object.entries(schema.response ?? {}).map(([status, answer]) => [
      status,
      { description: 'Success', headers: MARKS, ...(status === '204' ? {} : { content: json(answer) }) },
    ])
    const operation = {
      operationId: words.id,
      tags: [tagOf(path)],
      summary: schema.summary,
      description: words.description,
      security: [{ key: [] }, { oauth: [scope] }],
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(schema.body ? { requestBody: { required: true, content: json(schema.body) } } : {}),
    }
    const failures = {
      '4XX': { description: 'The request was rejected.', headers: MARKS, content: json(ErrorAnswer) },
      '5XX': { description: 'The service could not handle the request.', headers: MARKS, content: json(ErrorAnswer) },
    }
    const plain = { ...operation, responses: { ...Object.fromEntries(answers), ...failures } }
    if (!events) return plain
    const responses = {
      '200': { description: 'Success', headers: MARKS, content: streams(events) },
      '204': { description: 'Last-Event-ID is the last event of this stream.', headers: MARKS },
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
          [name.toLowerCase()]: operationOf(schema as RouteSchema, access.scope, name, path, config?.events),
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
        headers: {
          [SANDBOX_HEADER]: {
            description: 'Present in sandbox mode: domains and prices are made up.',
            schema: { type: 'string', const: 'true' },
          },
        },
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
