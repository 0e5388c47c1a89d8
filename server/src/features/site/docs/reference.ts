/** The API reference: every operation with its fields, generated from the OpenAPI document so that both always agree. */
import { html } from '../../../http/pages/html.ts'
import type { Html } from '../../../http/pages/html.ts'
import type { Document } from '../../../http/openapi.ts'
import type { Heading, Passage, Rendered } from './markdown/render.ts'
import { tableOf } from './table.ts'
import type { TableRow } from './table.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly const?: string
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly [limit: string]: unknown
}

interface Operation {
  readonly summary?: string
  readonly security?: readonly { readonly oauth?: readonly string[] }[]
  readonly parameters?: readonly { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
  readonly 'x-stream'?: { readonly $ref: string }
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

/** `explained`: the anchors of docs/api.md. */
export function renderReference(document: Document, explained: ReadonlySet<string>): Rendered {
  const { paths, components, info } = document as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema>; pathItems: Record<string, Record<string, Operation>> }
    info: { version: string; description: string }
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const stream = operation['x-stream']?.$ref.split('/').at(-1)
      const streams = stream === undefined ? {} : (components.pathItems[stream]?.[method]?.responses ?? {})
      return { method: method.toUpperCase(), path, operation, streams }
    }),
  )
  const shapes = Object.entries(components.schemas)
  const headings: Heading[] = [
    { depth: 2, id: 'operations', text: 'Operations' },
    ...operations.map(({ method, path }) => ({ depth: 3, id: anchorOf(method, path), text: `${method} ${path}` })),
    { depth: 2, id: 'shapes', text: 'Shapes' },
    ...shapes.map(([name]) => ({ depth: 3, id: name, text: name })),
  ]
  const passages: Passage[] = operations.map(({ method, path, operation }) => ({
    id: anchorOf(method, path),
    heading: `${method} ${path}`,
    text: `${operation.summary ?? ''} ${(operation.parameters ?? []).map(({ name }) => name).join(' ')}`,
  }))
  const content = html`<p>
      ${info.description} This is version ${info.version}. Machine-readable:
      <a href="/openapi.json">openapi.json</a>. With explanations and examples: <a href="/docs/api">the API</a>. When
      something is refused: <a href="/docs/errors">errors</a>.
    </p>
    <h2 id="operations">Operations</h2>
    ${operations.map((one) => operationSection(one, explained))}
    <h2 id="shapes">Shapes</h2>
    ${shapes.map(
      ([name, schema]) =>
        html`<section id="${name}">
          <h3>${name}</h3>
          ${fieldTable(name, schema)}
        </section>`,
    )}`
  return { title: 'API reference', content, headings, passages }
}

/** The same anchors as the headings of docs/api.md, so that the two pages can link to each other. */
function anchorOf(method: string, path: string): string {
  return `${method} ${path}`
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

interface Described {
  readonly method: string
  readonly path: string
  readonly operation: Operation
  /** The responses when Accept asks for a stream. */
  readonly streams: Operation['responses']
}

function operationSection({ method, path, operation, streams }: Described, explained: ReadonlySet<string>): Html {
  const { summary = '', parameters = [], requestBody, responses, security } = operation
  const id = anchorOf(method, path)
  const body = requestBody?.content['application/json']?.schema
  const sent = parameters.map((one) => fieldRow(one.name, one.in, one.required, one.schema, one.description))
  const answers = Object.entries({ ...streams, ...responses }).map(([status, { content = {} }]) => {
    const types = Object.entries({ ...content, ...streams[status]?.content }).map(
      ([type, { schema }]) => html`${typeOf(schema)}${type !== 'application/json' && html` as <code>${type}</code>`}`,
    )
    return html`<li><code>${status}</code> ${joined(types, ', or ')}</li> `
  })
  return html`<section id="${id}">
    <h3><span class="method">${method}</span> <code>${path}</code></h3>
    <p>
      ${summary}. Scope <code>${security?.flatMap(({ oauth = [] }) => oauth).join(' ') ?? ''}</code>.
      ${explained.has(id) && html`<a href="/docs/api#${id}" aria-label="More about ${method} ${path}">More about it</a>`}
    </p>
    ${body && html`<p>Body: ${typeOf(body)}</p>`} ${sent.length > 0 && table(`${method} ${path}`, sent)}
    <ul>
      ${answers}
    </ul>
  </section>`
}

function fieldTable(name: string, schema: Schema): Html {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([field, one]) => {
    const required = schema.required?.includes(field) ?? false
    const inner = Object.entries(one.properties ?? {}).map(([inside, deep]) =>
      fieldRow(`${field}.${inside}`, '', one.required?.includes(inside) ?? false, deep),
    )
    return inner.length > 0 ? inner : [fieldRow(field, '', required, one)]
  })
  return html`${schema.description !== undefined && html`<p>${schema.description}</p>`} ${table(name, fields)}`
}

const COLUMNS = ['Field', 'Type', 'About'].map((text) => ({ words: html`${text}`, text }))

function table(about: string, rows: readonly TableRow[]): Html {
  return tableOf(about, COLUMNS, rows)
}

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'format'] as const

function fieldRow(
  name: string,
  where: string,
  required: boolean,
  schema: Schema,
  about = schema.description,
): TableRow {
  const limits = LIMITS.filter((limit) => schema[limit] !== undefined).map(
    (limit) => `${limit} ${String(schema[limit])}`,
  )
  const notes = [about, required ? 'Required.' : undefined, ...limits].filter((note) => note !== undefined)
  // Every second part was in backticks.
  const words = notes
    .join(' · ')
    .split('`')
    .map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
  const field = html`<code>${name}</code>${where !== '' && html` <small>${where}</small>`}`
  return { cells: [field, typeOf(schema), html`${words}`] }
}

function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return html`<a href="#${name}">${name}</a>`
  }
  if (schema.anyOf) return html`${joined(schema.anyOf.map(typeOf), ' or ')}`
  if (schema.enum)
    return html`${joined(
      schema.enum.map((one) => html`<code>${one}</code>`),
      ' ',
    )}`
  if (schema.const !== undefined) return html`<code>${schema.const}</code>`
  return schema.items ? html`array of ${typeOf(schema.items)}` : html`${schema.type ?? 'any'}`
}

function joined(parts: readonly Html[], between: string): Html[] {
  return parts.map((part, at) => (at === 0 ? part : html`${between}${part}`))
}
