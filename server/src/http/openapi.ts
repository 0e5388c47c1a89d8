/**
 * The contract as OpenAPI 3.1, made from the schemas that the routes really check with.
 *
 * A schema with an `$id` becomes a component and is referred to; every route with a scope needs a token and may
 * answer with the one error shape.
 */
import type { RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { ErrorAnswer } from './schemas.ts'

declare module 'fastify' {
  interface FastifySchema {
    summary?: string
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

  function operationOf(schema: RouteSchema, scope: string, method: string) {
    const parameters = [...parametersOf('path', schema.params), ...parametersOf('query', schema.querystring)]
    if (method === 'POST') {
      const header = { type: 'string', minLength: 1, maxLength: 255 }
      parameters.push({ name: 'Idempotency-Key', in: 'header' as 'query', required: false, schema: header })
    }
    const answers = Object.entries(schema.response ?? {}).map(([status, answer]) => [
      status,
      { description: 'Success', content: json(answer) },
    ])
    return {
      summary: schema.summary,
      security: [{ bearer: [scope] }],
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(schema.body ? { requestBody: { required: true, content: json(schema.body) } } : {}),
      responses: {
        ...Object.fromEntries(answers),
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
        paths[path] = { ...paths[path], [name.toLowerCase()]: operationOf(schema as RouteSchema, scope, name) }
      }
    },

    document: (): Document => ({
      openapi: '3.1.0',
      info: {
        title: 'Namewright',
        version,
        description: 'From a description to names that can be registered now, with what they cost.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      paths,
      components: {
        schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => a.localeCompare(b, 'en'))),
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An API key: nw_…' } },
      },
    }),
  }
}
