/**
 * From a schema of the OpenAPI document to JSON texts: what it allows, what lies at and just past its bounds, and what
 * is wrong in one place only.
 *
 * Texts and not values, because what breaks services cannot all be written by JSON.stringify: `1e400`, `-0`, the same
 * key twice. Where a body is wrong it is mostly wrong once, so that the rest of it leads as far in as it can.
 */
import fc from 'fast-check'
import { hostileText, longText, oddJson, oddName, oddNumber } from './hostile.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** What a field of that name should be to mean something; a text, before it is JSON. */
export type Hints = Readonly<Record<string, fc.Arbitrary<string>>>
/** Numbers that are cheap to ask for, by the name of their field. */
export type Cheap = Readonly<Record<string, { readonly min: number; readonly max: number }>>

export interface Maker {
  /** As the schema allows it. */
  valid(schema: Schema, name?: string): fc.Arbitrary<string>
  /** Wrong in one place, at any depth. */
  spoiled(schema: Schema, name?: string): fc.Arbitrary<string>
  /** A text for a parameter, allowed or not. */
  text(schema: Schema, name: string): fc.Arbitrary<string>
}

type Field = readonly [name: string, value: string]

// Of a list that may have thousands; what is past the bound is sent as well, but of the smallest values there are.
const MANY = 6

export function createMaker(components: Readonly<Record<string, Schema>>, hints: Hints, cheap: Cheap): Maker {
  const resolved = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1)
    return name === undefined ? schema : (components[name] ?? {})
  }

  function valid(given: Schema, name = ''): fc.Arbitrary<string> {
    const schema = resolved(given)
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valid(one, name)))
    if (schema.enum) return fc.constantFrom(...schema.enum.map((one) => JSON.stringify(one)))
    if (schema.const !== undefined) return fc.constant(JSON.stringify(schema.const))
    switch (schema.type) {
      case 'string':
        return validText(schema, name).map((text) => JSON.stringify(text))
      case 'integer':
        return numbersOf(schema, name).map(String)
      case 'number':
        return fc.oneof(
          numbersOf(schema, name).map(String),
          fc
            .double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
            .map((one) => JSON.stringify(one)),
        )
      case 'boolean':
        return fc.constantFrom('true', 'false')
      case 'null':
        return fc.constant('null')
      case 'array':
        return fc
          .array(valid(schema.items ?? {}, name), {
            minLength: schema.minItems ?? 0,
            maxLength: Math.min(schema.maxItems ?? MANY, MANY),
          })
          .map((items) => `[${items.join()}]`)
      case 'object':
        return fieldsOf(schema).map(write)
      default:
        return oddJson
    }
  }

  function numbersOf({ minimum = -1000, maximum = 1000 }: Schema, name: string): fc.Arbitrary<number> {
    const { min, max } = cheap[name] ?? { min: minimum, max: maximum }
    return fc.oneof(
      {
        weight: 12,
        arbitrary: fc.integer({ min: Math.ceil(Math.max(min, minimum)), max: Math.floor(Math.min(max, maximum)) }),
      },
      { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
    )
  }

  function validText(schema: Schema, name: string): fc.Arbitrary<string> {
    const { minLength = 0, maxLength = 3_000 } = schema
    const fit = (text: string) => Array.from(text).slice(0, maxLength).join('').padEnd(minLength, 'x')
    const hinted = hints[name]
    if (schema.format === 'uuid') return hinted ?? fc.uuid()
    if (schema.format === 'date-time') return moment
    if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern, 'u'), { maxLength: 40 })
    return fc.oneof(
      { weight: hinted ? 10 : 4, arbitrary: hinted ?? fc.lorem({ maxCount: 5 }).map(fit) },
      { weight: 1, arbitrary: hostileText.map(fit) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(minLength, maxLength).map((length) => 'x'.repeat(length)),
      },
    )
  }

  function fieldsOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<Field[]> {
    const names = Object.keys(properties)
    const fields = Object.entries(properties).map(([name, schema]) => {
      const field = valid(schema, name).map((value): Field => [name, value])
      return required.includes(name) ? field : seldom(field, names.length)
    })
    return fc.tuple(...fields).map((all) => all.filter((one) => one !== undefined))
  }

  function spoiled(given: Schema, name = ''): fc.Arbitrary<string> {
    const schema = resolved(given)
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => spoiled(one, name)))
    switch (schema.type) {
      case 'object':
        return fc.oneof({ weight: 1, arbitrary: oddJson }, { weight: 12, arbitrary: spoiledObject(schema) })
      case 'array':
        return fc.oneof({ weight: 1, arbitrary: oddJson }, { weight: 3, arbitrary: spoiledList(schema, name) })
      case 'string':
        return fc.oneof(oddJson, pastLengths(schema), spoiledMoment(schema))
      case 'integer':
      case 'number':
        return fc.oneof(oddJson, oddNumber, pastBounds(schema))
      default:
        return oddJson
    }
  }

  function spoiledObject(schema: Schema): fc.Arbitrary<string> {
    const { properties = {}, required = [] } = schema
    const names = Object.keys(properties)
    const ways: fc.Arbitrary<(fields: Field[]) => Field[]>[] = [
      fc.tuple(oddName, oddJson).map((added) => (fields) => [...fields, added]),
    ]
    for (const name of names) {
      const replaced = spoiled(properties[name] ?? {}, name).map((value) => (fields: Field[]) => [
        ...fields.filter(([one]) => one !== name),
        [name, value] as const,
      ])
      ways.push(replaced)
    }
    if (required.length > 0) {
      ways.push(fc.constantFrom(...required).map((name) => (fields) => fields.filter(([one]) => one !== name)))
    }
    if (names.length > 0) {
      const twice = fc.tuple(fc.constantFrom(...names), oddJson)
      ways.push(twice.map((again) => (fields) => [...fields, again]))
      ways.push(twice.map((again) => (fields) => [again, ...fields]))
    }
    return fc.tuple(fieldsOf(schema), fc.oneof(...ways)).map(([fields, change]) => write(change(fields)))
  }

  function spoiledList({ items = {}, minItems = 0, maxItems }: Schema, name: string): fc.Arbitrary<string> {
    const some = fc.array(valid(items, name), { minLength: 1, maxLength: MANY })
    return fc.oneof(
      fc.tuple(some, spoiled(items, name)).map(([good, bad]) => `[${[...good, bad].join()}]`),
      some.map((all) => `[${[...all, ...all].join()}]`),
      valid(items, name).map((one) => `[${Array.from({ length: (maxItems ?? 100) + 1 }, () => one).join()}]`),
      minItems > 0 ? fc.constant('[]') : some.map((all) => all[0] ?? 'null'),
    )
  }

  return {
    valid,
    spoiled,
    text: (schema, name) => {
      const plain = (json: string) => (json.startsWith('"') ? (JSON.parse(json) as string) : json)
      return fc.oneof(
        { weight: 6, arbitrary: valid(schema, name).map(plain) },
        {
          weight: 2,
          arbitrary: spoiled(schema, name).map((json) => (json.length > 9_000 ? 'x' : plainOrItself(json))),
        },
        { weight: 1, arbitrary: hostileText },
      )
    },
  }
}

/** About two of those that may be left out, or every request would have something of everything. */
function seldom(field: fc.Arbitrary<Field>, among: number): fc.Arbitrary<Field | undefined> {
  const absent = { weight: Math.max(1, Math.round(among / 2) - 1), arbitrary: fc.constant(undefined) }
  return fc.oneof({ withCrossShrink: true }, absent, { weight: 1, arbitrary: field })
}

function write(fields: readonly Field[]): string {
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`
}

function plainOrItself(json: string): string {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : json
  } catch {
    return json
  }
}

function pastLengths({ minLength = 0, maxLength = 3_000 }: Schema): fc.Arbitrary<string> {
  const lengths = [minLength - 1, maxLength + 1, maxLength * 2].filter((length) => length >= 0 && length < 50_000)
  return fc
    .oneof(
      fc
        .tuple(fc.constantFrom(...lengths), fc.constantFrom('x', 'é', '𝒳', '\u0301'))
        .map(([length, char]) => char.repeat(length)),
      longText,
    )
    .map((text) => JSON.stringify(text))
}

function pastBounds({ minimum = 0, maximum = 0 }: Schema): fc.Arbitrary<string> {
  return fc.constantFrom(minimum - 1, maximum + 1, minimum + 0.5, -maximum, maximum * 1e9).map(String)
}

const moment: fc.Arbitrary<string> = fc.oneof(
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom(
    '2026-01-01T00:00:00Z',
    '2026-01-01t00:00:00z',
    '2026-01-01T00:00:00.123456789+15:59',
    '0001-01-01T00:00:00-15:59',
    '9999-12-31T23:59:59+00:00',
    '2016-12-31T23:59:60Z',
    '2026-06-30T24:00:00Z',
  ),
)

function spoiledMoment({ format }: Schema): fc.Arbitrary<string> {
  if (format !== 'date-time') return oddJson
  return fc
    .constantFrom(
      '0000-01-01T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-01-01T00:00:00+16:00',
      '2026-01-01T25:61:61Z',
      '2026-01-01',
      '+012026-01-01T00:00:00Z',
      '-0001-01-01T00:00:00Z',
      'infinity',
      'now',
      `2026-01-01T00:00:00.${'9'.repeat(2_000)}Z`,
    )
    .map((text) => JSON.stringify(text))
}
