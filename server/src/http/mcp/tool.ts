/**
 * The definition of a tool: its description for agents, the scopes that its calls need, and its work.
 *
 * Its arguments are a part of the body or query of the route that does the same. They are taken from that route's
 * schema and validated by us rather than by the SDK, so limits and error codes are the same. What is published is
 * shorter, because every client holds it in its context: no output schema, no limits that an error explains as well,
 * and only the names of nested fields.
 */
import type { StandardSchemaWithJSON, ToolAnnotations } from '@modelcontextprotocol/server'
import type { Static, TSchema } from 'typebox'
import type { Context } from '../../context.ts'
import type { Caller, Scope } from '../../model/caller.ts'
import type { GenerateRequest } from '../../model/generate-request.ts'
import type { Session } from '../auth.ts'
import type { RouteContext } from '../route-context.ts'
import type { Language } from '../wire/language.ts'
import { createCheck } from '../validate.ts'

/** What a tool needs: of a request to /mcp, or of a command that serves agents without a service. */
export interface ToolCall {
  readonly ctx: Pick<Context, 'availability' | 'availabilityMode' | 'prices' | 'forSale' | 'now' | 'languageModel'> & {
    readonly namespaces: Pick<Context['namespaces'], 'check'>
    readonly config: Pick<Context['config'], 'suffixes' | 'sandbox'>
  }
  readonly routeContext: Pick<RouteContext, 'answerOf' | 'messagesFor'>
  readonly caller: Pick<Caller, 'accountId' | 'language' | 'currency'>
  /** How long to look for an answer, where that is not the default of the routes. */
  readonly deadlineMs?: number
  /** What is said of domains and of the candidates of `request`, where that is not what the routes say. */
  readonly present?: <Answer>(answer: Answer, request?: GenerateRequest) => Answer
  /** Throws insufficient_scope. */
  requireScope(scope: Scope): void
  /** Counts domains before they are looked up. */
  takeChecks(domains: number): Promise<void>
  /** For the log of whoever runs this. */
  readonly onFault: (tool: string, error: unknown, code: string) => void
  /** What belongs to an account; absent without a service. */
  readonly service?: {
    readonly ctx: Context
    readonly routeContext: RouteContext
    readonly session: Session
    readonly ip: string
  }
  readonly requestId: string
  readonly acceptLanguage: string | undefined
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal
}

export interface Call extends ToolCall {
  /** The language of the texts in the response. */
  readonly language: Language
}

export interface ToolAnswer {
  /** With the field names of the route that does the same, but fewer fields. */
  readonly data: Record<string, unknown>
  /** The same for agents that read no data. Text that a person wrote is quoted as JSON. */
  readonly text: string
}

interface Face {
  readonly name: string
  /** What it does, when to use it (in the words people use), alternatives, and what it costs. */
  readonly description: string
  /** Only what differs from the defaults of the protocol. */
  readonly annotations: ToolAnnotations
}

export interface Tool extends Face {
  readonly inputSchema: StandardSchemaWithJSON
  /** Of every call that it can do. */
  readonly scopes: readonly Scope[]
  /** Of this call. */
  scopeOf(args: unknown): Scope
  /** Fails with invalid_request, and with the errors of its flow. */
  answer(args: unknown, call: Call): Promise<ToolAnswer>
}

interface Definition<Input extends TSchema> extends Face {
  readonly scopes: readonly [Scope, ...Scope[]]
  /** Of a call with these arguments, which are not validated yet. Absent: the first. */
  readonly scopeOf?: (args: Readonly<Record<string, unknown>>) => Scope
  readonly input: Input
  readonly about: Readonly<Record<keyof Static<Input>, string>>
  readonly answer: (args: Static<Input>, call: Call) => Promise<ToolAnswer>
}

export function defineTool<Input extends TSchema>(definition: Definition<Input>): Tool {
  const { input, about, answer, scopes, scopeOf, ...face } = definition
  const check = createCheck(input, { query: false })
  return {
    ...face,
    scopes,
    scopeOf: (args) => scopeOf?.(isRecord(args) ? args : {}) ?? scopes[0],
    inputSchema: described(worded(input, about)),
    answer: async (args, call) => answer(check(args) as Static<Input>, call),
  }
}

function isRecord(args: unknown): args is Readonly<Record<string, unknown>> {
  return typeof args === 'object' && args !== null
}

/** The schema of a tool as `tools/list` shows it. */
export function shownTool({ name, description, annotations, inputSchema }: Tool) {
  const shown = inputSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
  return { name, description, inputSchema: shown, annotations }
}

function worded(schema: TSchema, about: Readonly<Record<string, string>>): object {
  const { properties = {} } = schema as { properties?: Record<string, object> }
  const entries = Object.entries(properties).map(([name, property]) => {
    const { type } = property as { type?: unknown }
    return [name, { ...(type === 'object' ? { type } : property), description: about[name] }]
  })
  return { ...schema, properties: Object.fromEntries(entries) as object }
}

/** A schema that is published but validates nothing. */
function described(schema: object): StandardSchemaWithJSON {
  const shown = plain(schema) as Record<string, unknown>
  const jsonSchema = { input: () => shown, output: () => shown }
  return { '~standard': { version: 1, vendor: 'typebox', validate: (value) => ({ value }), jsonSchema } }
}

// An `$id` is ours and would be claimed by several tools. Patterns are written for JavaScript: a client in Python fails
// on `\p{Sc}`, one in Go on a lookahead, and either would then drop the tool. The others are limits that an error names.
const UNTOLD = new Set(['$id', 'examples', 'pattern', 'minLength', 'maxLength', 'minItems', 'uniqueItems'])

function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([keyword]) => !UNTOLD.has(keyword))
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, plain(value)]))
}
