/** Builds the OpenAPI 3.1 document of the settings, `api/settings.json`, from which the types of the web app are made. */
import type { TSchema } from 'typebox'
import type { Feature } from './feature.ts'
import { createComponents, type Document, parametersOf } from './openapi.ts'
import type { SettingsRoute } from './settings-route.ts'
import { ErrorAnswer } from './wire/schemas.ts'

export function settingsDocument(features: readonly Feature[]): Document & { readonly paths: object } {
  const { components, refer } = createComponents()
  const json = (schema: TSchema, isAnswer: boolean) => ({ 'application/json': { schema: refer(schema, isAnswer) } })

  function operationOf({ id, summary, path, body, query, replies }: SettingsRoute) {
    const parameters = [
      ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      })),
      ...parametersOf(refer, 'query', query),
    ]
    const answers = Object.entries(replies).map(([status, reply]) => [
      status,
      { description: 'Success', ...(status === '204' ? {} : { content: json(reply, true) }) },
    ])
    return {
      operationId: id,
      summary,
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(body ? { requestBody: { required: true, content: json(body, false) } } : {}),
      responses: {
        ...Object.fromEntries(answers),
        '4XX': { description: 'The request was rejected.', content: json(ErrorAnswer, true) },
        '5XX': { description: 'The service could not handle the request.', content: json(ErrorAnswer, true) },
      },
    }
  }

  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of features.flatMap(({ settings = [] }) => settings)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Namewright settings',
      version: 'unversioned',
      description:
        'What the web app asks for people in their settings, with the cookie of their session. This is its own interface and may change at any time, without notice; programs use /v1.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server of the web app.' }],
    security: [{ session: [] }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => a.localeCompare(b, 'en'))),
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'namewright.session_token' } },
    },
  }
}
