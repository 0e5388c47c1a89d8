/**
 * The contract as OpenAPI 3.1, made from the schemas that the routes really check with.
 *
 * A schema with an `$id` becomes a component and is referred to; every route with a scope needs a token and may
 * answer with the one error shape.
 */
import type { RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import type { Scope } from '../model/caller.ts'
import { ErrorAnswer } from '../wire/schemas.ts'
import { OPERATIONS } from './operations.ts'

declare module 'fastify' {
  interface FastifySchema {
    summary?: string
  }
  interface FastifyContextConfig {
    /** What is streamed to who asks for that by Accept. */
    events?: TSchema
  }
}

interface RouteSchema {
  readonly summary?: string
  readonly body?: TSchema
  readonly querystring?: TSchema & { properties?: Record<string, TSchema> }
  readonly params?: TSchema & { properties?: Record<string, TSchema> }
  readonly response?: Record<string, TSchema>
}

export type Document = Record<string, unknown>

export function createOpenapi(version: string) {
  const components: Record<string, unknown> = {}
  const paths: Record<string, Record<string, unknown>> = {}

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
        required: where === 'path',
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
      const header = { type: 'string', description: 'The id of the last event before the connection broke.' }
      parameters.push({ name: 'Last-Event-ID', in: 'header' as 'query', required: false, schema: header })
    }
    const answers = Object.entries(schema.response ?? {}).map(([status, answer]) => [
      status,
      { description: 'Success', content: { ...json(answer), ...(events ? streams(events) : {}) } },
    ])
    return {
      operationId: words.id,
      tags: [tagOf(path)],
      summary: schema.summary,
      description: words.description,
      security: [{ key: [] }, { oauth: [scope] }],
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(schema.body ? { requestBody: { required: true, content: json(schema.body) } } : {}),
      responses: {
        ...Object.fromEntries(answers),
        // Where nothing but events is answered.
        ...(events && !schema.response ? { '200': { description: 'Success', content: streams(events) } } : {}),
        ...(events ? { '204': { description: 'Last-Event-ID was the last event there is.' } } : {}),
        '4XX': { description: 'The request was refused.', content: json(ErrorAnswer) },
        '5XX': { description: 'The service could not answer.', content: json(ErrorAnswer) },
      },
    }
  }

  return {
    add({ method, url, schema, config }: RouteOptions): void {
      const scope = config?.scope
      if (scope === undefined || !schema) return
      const path = url.replace(/:(\w+)/g, '{$1}')
      for (const name of [method].flat().filter((one) => one !== 'HEAD')) {
        paths[path] = {
          ...paths[path],
          [name.toLowerCase()]: operationOf(schema as RouteSchema, scope, name, path, config?.events),
        }
      }
    },

    document: (): Document => ({
      openapi: '3.1.0',
      info: {
        title: 'Namewright',
        version,
        description: 'From a description to names that can be registered now, with what they cost.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        contact: { name: 'Who runs this service' },
      },
      servers: [{ url: '/', description: 'Where this document comes from.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths,
      components: {
        schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => a.localeCompare(b, 'en'))),
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'An API key, nw_…, that has the scope.' },
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
  'usage:read': 'Read what was used.',
}

const TAGS: Readonly<Record<string, string>> = {
  generate: 'Names for a project.',
  domains: 'Whether domains can be registered.',
  history: 'What was asked and given.',
  favorites: 'Domains to keep and to watch.',
  batches: 'Many requests in one.',
  webhooks: 'Events, sent to a server of yours.',
  tlds: 'The suffixes on offer.',
  usage: 'What was used and what is left.',
  status: 'How right we have been.',
}

function tagOf(path: string): string {
  const [, , tag = ''] = path.split('/')
  if (!(tag in TAGS)) throw new Error(`${path} has no tag`)
  return tag
}
