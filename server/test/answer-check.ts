/** Holds each answer against the OpenAPI document of the node that gave it, or that of the settings. */
import { readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Answer } from './world.ts'

interface Response {
  readonly $ref?: string
  readonly content?: Record<string, { schema: unknown }>
}

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, Response> }>>
  readonly components: { readonly schemas: Record<string, unknown>; readonly responses: Record<string, Response> }
}

type AnswerCheck = (method: string, path: string, answer: Checked) => void
type Checked = Pick<Answer, 'status' | 'text' | 'json'> & { readonly headers: { get(name: string): string | null } }

export async function createAnswerCheck(url: string): Promise<AnswerCheck> {
  const insecure = url.startsWith('https:')
  // A node with a test certificate is checked by the client that trusts it.
  if (insecure) return () => {}
  return checkBy((await (await fetch(`${url}/openapi.json`)).json()) as Document, '/v1/')
}

/** No node serves the document of the settings. */
export const checkSettings = checkBy(
  JSON.parse(readFileSync(new URL('../../api/settings.json', import.meta.url), 'utf8')) as Document,
  '/settings/',
)

function checkBy(document: Document, prefix: string): AnswerCheck {
  const checks = new Map<unknown, ReturnType<typeof Compile>>()

  return (method, path, answer) => {
    if (!path.startsWith(prefix) || answer.headers.get('content-type')?.startsWith('application/problem')) return
    const [bare = ''] = path.split('?')
    const template = Object.keys(document.paths).find((one) =>
      new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(bare),
    )
    const responses = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()]?.responses
    if (!responses) return
    const found = responses[answer.status] ?? responses[`${Math.floor(answer.status / 100)}XX`]
    const response =
      found?.$ref === undefined ? found : document.components.responses[found.$ref.split('/').at(-1) ?? '']
    if (answer.status === 204 && response && !response.content && answer.text === '') return
    const schema = response?.content?.['application/json']?.schema
    if (schema === undefined) throw new Error(`${method} ${path} answered ${answer.status}, which is not documented`)
    let check = checks.get(schema)
    if (!check) checks.set(schema, (check = Compile(inlined(schema, document.components.schemas) as TSchema)))
    if (!check.Check(answer.json)) {
      const errors = JSON.stringify(check.Errors(answer.json).slice(0, 3))
      throw new Error(`${method} ${path} answered ${answer.text.slice(0, 500)}, not as documented: ${errors}`)
    }
  }
}

/**
 * The schema without references, and closed: the document lets answers have further fields, so that clients expect them;
 * one that is not declared is still a mistake of ours.
 */
export function inlined(schema: unknown, components: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => inlined(one, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const ref = '$ref' in schema ? String(schema.$ref).split('/').at(-1) : undefined
  if (ref !== undefined) return inlined(components[ref], components)
  const whole = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inlined(value, components)]))
  return 'type' in whole && whole['type'] === 'object' && 'properties' in whole
    ? { additionalProperties: false, ...whole }
    : whole
}
