/**
 * The reference as one plain page: every operation with its fields, made from the OpenAPI document.
 *
 * Written out on the server, so it needs no script, no other host and 30 KB instead of 4 MB.
 */
import { ERRORS } from '../errors.ts'
import type { Messages } from './language.ts'
import type { Document } from './openapi.ts'

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
  readonly security?: readonly { readonly bearer: readonly string[] }[]
  readonly parameters?: readonly { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

export function referencePage(document: Document): string {
  const { paths, components, info } = document as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema> }
    info: { title: string; version: string; description: string }
  }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationSection(method.toUpperCase(), path, operation)),
  )
  const shapes = Object.entries(components.schemas).map(
    ([name, schema]) => `<section id="${name}"><h3>${escape(name)}</h3>${fieldTable(schema)}</section>`,
  )
  const example = `curl https://your-host/v1/generate \\
  -H "Authorization: Bearer $NAMEWRIGHT_KEY" -H "Content-Type: application/json" \\
  -d '{"description": "a bakery that delivers sourdough by bicycle", "count": 5}'`
  return shell(
    'en',
    `${info.title} API ${info.version}`,
    `<p>${escape(info.description)} As a file for programs: <a href="/openapi.json">openapi.json</a>.
     When something is refused: <a href="/docs/errors">errors</a>.</p>
     <pre tabindex="0">${escape(example)}</pre><h2>Operations</h2>${operations.join('')}<h2>Shapes</h2>${shapes.join('')}`,
  )
}

export function errorPage(language: string, { errors }: Messages): string {
  const rows = Object.entries(ERRORS).map(([code, { status, retry }]) => {
    const { message, hint } = errors[code as keyof typeof ERRORS]
    return `<section id="${code}"><h3><code dir="ltr">${code}</code> <small>${status}${retry === 'never' ? '' : ' ↻'}</small></h3>
      <p>${words(message)}</p><p>${words(hint)}</p></section>`
  })
  return shell(language, 'Namewright API: errors', rows.join(''))
}

function operationSection(method: string, path: string, operation: Operation): string {
  const { summary = '', parameters = [], requestBody, responses, security } = operation
  const scope = security?.[0]?.bearer[0] ?? ''
  const sent = parameters.map((one) =>
    fieldRow(one.name, one.in === 'query' ? 'query' : one.in, one.required, one.schema, one.description),
  )
  const body = requestBody?.content['application/json']?.schema
  const answers = Object.entries(responses).map(([status, { content }]) => {
    const schema = content?.['application/json']?.schema
    return `<li><code>${status}</code> ${schema ? typeOf(schema) : ''}</li>`
  })
  return `<section><h3><code>${method} ${escape(path)}</code></h3><p>${escape(summary)}. Scope <code>${scope}</code>.</p>
    ${sent.length > 0 ? table(sent) : ''}${body ? `<p>Body: ${typeOf(body)}</p>` : ''}<ul>${answers.join('')}</ul></section>`
}

function fieldTable(schema: Schema): string {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const required = schema.required?.includes(name) ?? false
    const inner = Object.entries(field.properties ?? {}).map(([inside, one]) =>
      fieldRow(`${name}.${inside}`, '', field.required?.includes(inside) ?? false, one),
    )
    return inner.length > 0 ? inner : [fieldRow(name, '', required, field)]
  })
  return `${schema.description ? `<p>${escape(schema.description)}</p>` : ''}${table(fields)}`
}

function table(rows: readonly string[]): string {
  return `<div class="wide" tabindex="0"><table><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">About</th></tr>${rows.join('')}</table></div>`
}

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'format'] as const

function fieldRow(name: string, where: string, required: boolean, schema: Schema, about = schema.description): string {
  const limits = LIMITS.filter((limit) => schema[limit] !== undefined).map(
    (limit) => `${limit} ${String(schema[limit])}`,
  )
  const notes = [about, required ? 'Required.' : undefined, ...limits].filter((note) => note !== undefined)
  return `<tr><td><code>${escape(name)}</code> <small>${where}</small></td><td>${typeOf(schema)}</td><td>${escape(notes.join(' · ')).replace(/`([^`]+)`/g, '<code>$1</code>')}</td></tr>`
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `<a href="#${name}">${escape(name)}</a>`
  }
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.enum) return schema.enum.map((one) => `<code>${escape(one)}</code>`).join(' ')
  if (schema.const !== undefined) return `<code>${escape(schema.const)}</code>`
  return schema.items ? `array of ${typeOf(schema.items)}` : escape(schema.type ?? 'any')
}

/** What only an actual error can fill in is left open. */
function words(text: string): string {
  return escape(text.replace(/\{\w+\}/g, '…'))
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1c1b19, #eceae5); --paper: light-dark(#fdfcfa, #171614);
  --line: light-dark(#dcd8d0, #3a3733); --link: light-dark(#0b57a4, #8cc0f5); --soft: light-dark(#f3f0ea, #211f1c) }
body { font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 52rem; margin: 0 auto; padding: 2rem 1rem 6rem }
h1 { font-size: 1.7rem } h2 { margin-top: 3rem } h3 { margin: 2.2rem 0 .4rem; font-size: 1.05rem; scroll-margin-top: 1rem }
a { color: var(--link) } code, pre { font: .9em/1.5 ui-monospace, monospace }
pre { background: var(--soft); padding: 1rem; overflow-x: auto; border-radius: .5rem }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100% }
th, td { text-align: start; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line) }
:target h3 { text-decoration: underline } :focus-visible { outline: 2px solid var(--link) }`

function shell(language: string, title: string, content: string): string {
  const direction = language === 'ar' ? 'rtl' : 'ltr'
  return `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><title>${escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><main><h1>${escape(title)}</h1>${content}</main></body></html>`
}
