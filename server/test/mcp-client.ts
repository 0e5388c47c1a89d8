/**
 * An agent, as tests need one: the official client, at either revision of the protocol. Whatever a tool answers is held
 * against the schema that the tool has announced, twice: by the client, which reads it as JSON Schema 2020-12, and by a
 * strict validator of draft 7, so that older clients read the same in it.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { addFormats, Ajv } from '@modelcontextprotocol/client/validators/ajv'
import { expect } from 'vitest'
import type { Refusal } from './expect-error.ts'
import { request } from './world.ts'
import type { Answer, Call, Node } from './world.ts'

export type Mode = 'legacy' | { pin: string }

/** Before 2026-07-28 a client says `initialize` first; since then every message says all there is to know. */
export const REVISIONS = [
  ['of 2025-11-25', 'legacy'],
  ['of 2026-07-28', { pin: '2026-07-28' }],
] as const

export interface Result {
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a result is what the test is about
  readonly data: any
  readonly text: string
  readonly isError: boolean
  /** What went wrong, for programs. */
  readonly error: (Refusal & { retry_after?: number }) | undefined
  /** The whole of it in tokens, counted so that it is hardly ever more: three bytes each, text and data together. */
  readonly tokens: number
}

export interface Agent {
  readonly client: Client
  call(name: string, args?: Record<string, unknown>): Promise<Result>
}

export async function connect(
  node: Pick<Node, 'url'>,
  key: string,
  { mode = 'legacy', headers = {} }: { mode?: Mode; headers?: Record<string, string> } = {},
): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', node.url), { requestInit }))
  return agentOf(client)
}

export async function agentOf(client: Client): Promise<Agent> {
  const { tools } = await client.listTools()
  const checks = new Map(tools.map(({ name, outputSchema = {} }) => [name, validatorOf(outputSchema)]))
  return {
    client,
    async call(name, args = {}) {
      const result = await client.callTool({ name, arguments: args })
      const { structuredContent, content, isError = false, _meta: meta } = result
      expect(content.map(({ type }) => type)).toEqual(['text'])
      const [block] = content
      const text = block?.type === 'text' ? block.text : ''
      expect(text).not.toBe('')
      const check = checks.get(name)
      // Clients of the SDK before its second version hold the data of an error against the same schema.
      if (isError) expect(structuredContent).toBeUndefined()
      else if (!check?.(structuredContent)) throw new Error(`${name}: ${JSON.stringify(check?.errors)}`)
      const bytes = Buffer.byteLength(JSON.stringify({ content, structuredContent }))
      const error = meta?.['namewright/error'] as Result['error']
      return { data: structuredContent, text, isError, error, tokens: Math.ceil(bytes / 3) }
    },
  }
}

/** Strict: a keyword that does not exist, or that can never matter, is a fault of the schema. */
export function validatorOf(schema: object) {
  const ajv = new Ajv({ strict: true, strictTypes: false, allErrors: true })
  addFormats(ajv)
  return ajv.compile(schema)
}

export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export function message(method: string, params: Record<string, unknown> = {}) {
  return { jsonrpc: '2.0', id: 1, method, params }
}

/** A message as the client of neither revision would send it. */
export function post(node: Pick<Node, 'url'>, key: string, body: unknown, more: Call = {}): Promise<Answer> {
  return request(node.url, '/mcp', { key, body, ...more })
}
