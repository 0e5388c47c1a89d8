/**
 * A language model on loopback in both protocols, chat completions and Anthropic's messages, as good or as bad as a test
 * says.
 *
 * It holds a request to the protocol: what a real server would refuse is refused here with the same status, so that a
 * test which is answered has asked rightly.
 */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ModelReply {
  /** What the model writes: these names as it was asked to, or this text. */
  readonly names?: readonly unknown[]
  readonly text?: string
  /** Ends the turn for another reason than being done. */
  readonly ended?: 'filtered' | 'length'
  /** Instead of an answer of the protocol. */
  readonly status?: number
  readonly body?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  readonly afterMs?: number
  readonly silent?: true
  readonly hangUp?: true
}

export interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a request is what the test is about
  readonly json: any
}

export interface ModelServer extends AsyncDisposable {
  /** With /v1. */
  readonly url: string
  readonly asked: readonly Asked[]
  /** What is answered from now on. */
  reply: ModelReply
}

/** Without a key anybody may ask, as with Ollama. */
export async function openModelServer(key?: string): Promise<ModelServer> {
  const asked: Asked[] = []
  const state = { reply: { names: [] } as ModelReply }
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    const one: Asked = { path: request.url ?? '', headers: request.headers, text, json: JSON.parse(text) }
    asked.push(one)
    const { reply } = state
    if (reply.silent) return
    if (reply.hangUp) return void response.destroy()
    await sleep(reply.afterMs ?? 0)
    const refused = refusalOf(one, key)
    const status = reply.status ?? refused?.status ?? 200
    const body =
      reply.body ?? JSON.stringify(refused ?? (one.path === '/v1/messages' ? message : completion)(one, reply))
    response.writeHead(status, { 'content-type': 'application/json', ...reply.headers }).end(body)
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  })
}

function refusalOf({ path, headers, json }: Asked, key: string | undefined) {
  const refuse = (status: number, why: string) => ({ status, error: { type: 'invalid_request_error', message: why } })
  const isAnthropic = path === '/v1/messages'
  if (!isAnthropic && path !== '/v1/chat/completions') return refuse(404, 'no such path')
  const shown = isAnthropic ? headers['x-api-key'] : headers.authorization?.replace(/^Bearer /, '')
  if (key !== undefined && shown !== key) return refuse(401, 'wrong key')
  if (isAnthropic && headers['anthropic-version'] !== '2023-06-01') return refuse(400, 'no version')
  if (typeof json.model !== 'string' || !(json.max_tokens > 0)) return refuse(400, 'no model or no limit')
  return json.messages.at(-1)?.role === 'user' ? undefined : refuse(400, 'nobody asks')
}

/** The text that a model which was asked for JSON of a schema writes. */
function textOf({ names = [], text = JSON.stringify({ names }) }: ModelReply): string {
  return text
}

function completion({ json }: Asked, reply: ModelReply): object {
  const isHeld = json.response_format?.type === 'json_schema' && json.response_format.json_schema.strict === true
  const finish = { filtered: 'content_filter', length: 'length' }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: json.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: isHeld ? textOf(reply) : 'Sure! Here are some names.' },
        finish_reason: reply.ended === undefined ? 'stop' : finish[reply.ended],
      },
    ],
    usage: { prompt_tokens: 800, completion_tokens: 100, total_tokens: 900 },
  }
}

function message({ json }: Asked, reply: ModelReply): object {
  const stopped = { filtered: 'refusal', length: 'max_tokens' }
  const byTool = json.tool_choice !== undefined
  const isHeld = byTool || json.output_config?.format?.type === 'json_schema'
  const text = isHeld ? textOf(reply) : 'Sure! Here are some names.'
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: json.model,
    content: byTool
      ? [{ type: 'tool_use', id: 'toolu_1', name: json.tools[0].name, input: JSON.parse(text) }]
      : [{ type: 'text', text }],
    stop_reason: reply.ended === undefined ? (byTool ? 'tool_use' : 'end_turn') : stopped[reply.ended],
    stop_sequence: null,
    usage: { input_tokens: 800, output_tokens: 100 },
  }
}
