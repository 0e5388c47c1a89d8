/**
 * What a tool is: what agents are told of it, the scope that it needs, and its work.
 *
 * Its arguments are part of the body or query of the route that does the same, cut out of the very schema of that
 * route, and checked by us rather than by the SDK: the same limits, the same codes. Only what is said about each is
 * written for agents, who choose by it.
 */
import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server'
import type { Static, TSchema } from 'typebox'
import type { Context } from '../../context.ts'
import type { Scope } from '../../model/caller.ts'
import type { Session } from '../auth.ts'
import type { Doors } from '../doors.ts'
import type { Language } from '../../wire/language.ts'
import { createCheck } from '../validate.ts'

/** A request to /mcp, as far as a tool is concerned. */
export interface Visit {
  readonly ctx: Context
  readonly doors: Doors
  readonly session: Session
  readonly requestId: string
  readonly acceptLanguage: string | undefined
  /** Fires when the caller hangs up. */
  readonly signal: AbortSignal
}

export interface Call extends Visit {
  /** Of the texts in the answer. */
  readonly language: Language
}

export interface ToolAnswer {
  /** In the words of the route that does the same, with less of it. */
  readonly data: Record<string, unknown>
  /** The same in few words, for agents that read no data. Whatever a person wrote stands in quotes, as JSON. */
  readonly text: string
}

interface Face {
  readonly name: string
  readonly title: string
  /** What it does; when to use it, in the words people use; what else to use; what it costs. */
  readonly description: string
  readonly annotations: Required<Omit<ToolAnnotations, 'title'>>
  readonly scope: Scope
}

export interface Tool extends Face {
  readonly inputSchema: StandardSchemaWithJSON
  readonly outputSchema: StandardSchemaWithJSON
  /** Fails with invalid_request, and whatever its flow fails with. */
  answer(args: unknown, call: Call): Promise<ToolAnswer>
}

export function defineTool<Input extends TSchema>({
  input,
  about,
  output,
  answer,
  ...face
}: Face & {
  readonly input: Input
  readonly about: Readonly<Record<keyof Static<Input>, string>>
  readonly output: TSchema
  readonly answer: (args: Static<Input>, call: Call) => Promise<ToolAnswer>
}): Tool {
  const check = createCheck(input, { query: false })
  return {
    ...face,
    inputSchema: told(worded(input, about)),
    outputSchema: told(output),
    answer: async (args, call) => answer(check(args) as Static<Input>, call),
  }
}

function worded(schema: TSchema, about: Readonly<Record<string, string>>): object {
  const { properties = {} } = schema as { properties?: Record<string, object> }
  const entries = Object.entries(properties).map(([name, property]) => [
    name,
    { ...property, description: about[name] },
  ])
  return { ...schema, properties: Object.fromEntries(entries) as object }
}

/** A schema that is shown and checks nothing. */
function told(schema: object): StandardSchemaWithJSON {
  const shown = plain(schema) as Record<string, unknown>
  const jsonSchema = { input: () => shown, output: () => shown }
  return { '~standard': { version: 1, vendor: 'typebox', validate: (value) => ({ value }), jsonSchema } }
}

// An `$id` is ours and would be claimed by several tools. Patterns are written for JavaScript: a client in Python fails
// on `\p{Sc}`, one in Go on a lookahead, and either would lose the tool for it.
const UNTOLD = new Set(['$id', 'pattern'])

function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([keyword]) => !UNTOLD.has(keyword))
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, plain(value)]))
}
