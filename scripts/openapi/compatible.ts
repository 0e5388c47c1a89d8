/**
 * What of a later OpenAPI document would break a client that was written for an earlier one.
 *
 * The rule of `/v1` is that it only ever grows: what could be sent may still be sent, what was answered is still
 * answered. A schema is therefore read in one of two directions. In a request it may only accept more, in an answer it
 * may only promise more. A new value among the answers' values is no break: the docs ask clients to expect them. Streams
 * count as answers of their operation, whether its `responses` have them or the path item
 * that its `x-stream` refers to.
 */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly pathItems?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
}

interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Responses
  readonly 'x-stream'?: { readonly $ref: string }
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
}

type Responses = Readonly<Record<string, { readonly content?: Content }>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: Schema
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly pattern?: string
  readonly format?: string
  readonly [bound: string]: unknown
}

type Direction = 'request' | 'answer'

/** Each break as a sentence that says where; none when every old client still works. */
export function findBreaks(before: Document, after: Document): string[] {
  return Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, old]) => {
      const where = `${method.toUpperCase()} ${path}`
      const now = after.paths[path]?.[method]
      if (!now) return [`${where} is gone`]
      return breaksOf(withStreams(before, method, old), withStreams(after, method, now), where)
    }),
  )

  function breaksOf(old: Operation, now: Operation, where: string): string[] {
    return [
      ...parameterBreaks(old.parameters ?? [], now.parameters ?? [], where),
      ...bodyBreaks(old, now, where),
      ...Object.entries(old.responses).flatMap(([status, answer]) => {
        const place = `${where} ${status}`
        const given = now.responses[status]
        return given ? contentBreaks(answer.content, given.content, 'answer', place) : [`${place} is gone`]
      }),
      ...scopesOf(now)
        .filter((scope) => !scopesOf(old).includes(scope))
        .map((scope) => `${where} needs the scope ${scope}`),
    ]
  }

  function bodyBreaks(old: Operation, now: Operation, where: string): string[] {
    const isNewlyRequired = now.requestBody?.required === true && old.requestBody?.required !== true
    return [
      ...(isNewlyRequired ? [`${where} needs a body`] : []),
      ...contentBreaks(old.requestBody?.content, now.requestBody?.content, 'request', `${where} body`),
    ]
  }

  function parameterBreaks(old: readonly Parameter[], now: readonly Parameter[], where: string): string[] {
    const same = (a: Parameter) => (b: Parameter) => a.name === b.name && a.in === b.in
    const changed = old.flatMap((parameter) => {
      const place = `${where} ${parameter.in} ${parameter.name}`
      const given = now.find(same(parameter))
      return given ? schemaBreaks(parameter.schema, given.schema, 'request', place) : [`${place} is gone`]
    })
    const demanded = now
      .filter((one) => one.required === true && old.find(same(one))?.required !== true)
      .map(({ in: place, name }) => `${where} ${place} ${name} is required`)
    return [...changed, ...demanded]
  }

  function contentBreaks(old: Content = {}, now: Content = {}, direction: Direction, where: string): string[] {
    return Object.entries(old).flatMap(([type, { schema }]) => {
      const given = now[type]
      return given ? schemaBreaks(schema, given.schema, direction, where) : [`${where} ${type} is gone`]
    })
  }

  function schemaBreaks(
    oldSchema: Schema | undefined,
    newSchema: Schema | undefined,
    direction: Direction,
    where: string,
    seen: ReadonlySet<string> = new Set(),
  ): string[] {
    if (oldSchema === undefined) return newSchema === undefined || direction === 'answer' ? [] : [`${where} is limited`]
    if (newSchema === undefined) return direction === 'request' ? [] : [`${where} is no longer described`]
    const pair = `${oldSchema.$ref ?? ''} ${newSchema.$ref ?? ''}`
    if (pair !== ' ' && seen.has(pair)) return []
    const visited = pair === ' ' ? seen : new Set([...seen, pair])
    const [old, now] = [resolve(before, oldSchema), resolve(after, newSchema)]
    const deeper = (a: Schema | undefined, b: Schema | undefined, place: string) =>
      schemaBreaks(a, b, direction, place, visited)
    if (old.anyOf !== undefined || now.anyOf !== undefined) return choiceBreaks(old, now, direction, where, deeper)
    if (!isSameType(old, now, direction)) return [`${where} was ${nameOf(old)} and is ${nameOf(now)}`]
    return [
      ...valueBreaks(old, now, direction, where),
      ...boundBreaks(old, now, direction, where),
      ...propertyBreaks(old, now, direction, where, deeper),
      ...(old.items === undefined && now.items === undefined ? [] : deeper(old.items, now.items, `${where}[]`)),
    ]
  }

  /** Every choice there was must find its like. In an answer the other way round: nothing new may come. */
  function choiceBreaks(old: Schema, now: Schema, direction: Direction, where: string, deeper: Deeper): string[] {
    const [from, to] = [old.anyOf ?? [old], now.anyOf ?? [now]]
    const [given, wanted] = direction === 'request' ? [from, to] : [to, from]
    return given
      .filter((one) => !wanted.some((other) => deeper(...pairOf(one, other, direction), where).length === 0))
      .map((one) => `${where} ${direction === 'request' ? 'no longer takes' : 'may now be'} ${nameOf(one)}`)
  }
}

function withStreams({ components }: Document, method: string, operation: Operation): Operation {
  const name = operation['x-stream']?.$ref.split('/').at(-1)
  const streams = name === undefined ? undefined : components?.pathItems?.[name]?.[method]?.responses
  const merged = Object.entries(streams ?? {}).map(([status, { content }]) => {
    const answer = operation.responses[status]
    return [status, { ...answer, content: { ...answer?.content, ...content } }]
  })
  return { ...operation, responses: { ...operation.responses, ...Object.fromEntries(merged) } }
}

type Deeper = (old: Schema | undefined, now: Schema | undefined, where: string) => string[]

function pairOf(one: Schema, other: Schema, direction: Direction): [Schema, Schema] {
  return direction === 'request' ? [one, other] : [other, one]
}

function propertyBreaks(old: Schema, now: Schema, direction: Direction, where: string, deeper: Deeper): string[] {
  const [before, after] = [old.properties ?? {}, now.properties ?? {}]
  const changed = Object.entries(before).flatMap(([name, schema]) => {
    const place = `${where}.${name}`
    const given = after[name]
    if (given !== undefined) return deeper(schema, given, place)
    const isStillTaken = direction === 'request' && now.additionalProperties !== false
    return isStillTaken ? [] : [`${place} is gone`]
  })
  const [must, mustNow] = [old.required ?? [], now.required ?? []]
  const promises =
    direction === 'request'
      ? mustNow.filter((name) => !must.includes(name)).map((name) => `${where}.${name} is required`)
      : must.filter((name) => name in after && !mustNow.includes(name)).map((name) => `${where}.${name} may be missing`)
  const isClosed = direction === 'request' && now.additionalProperties === false && old.additionalProperties !== false
  return [...changed, ...promises, ...(isClosed && old.type === 'object' ? [`${where} takes no other fields`] : [])]
}

function valueBreaks(old: Schema, now: Schema, direction: Direction, where: string): string[] {
  const [before, after] = [valuesOf(old), valuesOf(now)]
  if (direction === 'answer') return before !== undefined && after === undefined ? [`${where} may be anything`] : []
  if (after === undefined) return []
  if (before === undefined) return [`${where} takes only some values`]
  return before.filter((value) => !after.includes(value)).map((value) => `${where} no longer takes ${value}`)
}

const LOWEST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems']
const HIGHEST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems']

/** Only of what is sent: an answer within narrower bounds is within the wider ones, and wider ones were no promise. */
function boundBreaks(old: Schema, now: Schema, direction: Direction, where: string): string[] {
  if (direction === 'answer') return []
  const bound = (schema: Schema, name: string, none: number) => Number(schema[name] ?? none)
  const tighter = [
    ...LOWEST.filter((name) => bound(now, name, -Infinity) > bound(old, name, -Infinity)),
    ...HIGHEST.filter((name) => bound(now, name, Infinity) < bound(old, name, Infinity)),
    ...['pattern', 'format', 'uniqueItems', 'multipleOf'].filter(
      (name) => now[name] !== undefined && now[name] !== false && now[name] !== old[name],
    ),
  ]
  return tighter.map((name) => `${where} has a tighter ${name}`)
}

function isSameType(old: Schema, now: Schema, direction: Direction): boolean {
  const [before, after] = [typeOf(old), typeOf(now)]
  if (before === after) return true
  const [narrow, wide] = direction === 'request' ? [before, after] : [after, before]
  return wide === undefined || (narrow === 'integer' && wide === 'number')
}

/** A list of values says its type by them. */
function typeOf({ type, enum: values }: Schema): string | undefined {
  if (type !== undefined || values === undefined) return type
  const types = new Set(values.map((value) => typeof value))
  return types.size === 1 ? [...types].join('') : undefined
}

function valuesOf(schema: Schema): string[] | undefined {
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  return values?.map((value) => JSON.stringify(value))
}

function resolve(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  if (name === undefined) return schema
  const found = document.components?.schemas?.[name]
  if (!found) throw new Error(`${schema.$ref} leads nowhere`)
  return found
}

function scopesOf({ security = [] }: Operation): string[] {
  return security.flatMap((one) => Object.values(one).flat())
}

function nameOf(schema: Schema): string {
  return schema.$ref?.replace('#/components/schemas/', '') ?? typeOf(schema) ?? 'anything'
}
