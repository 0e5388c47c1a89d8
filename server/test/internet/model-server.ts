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
  /** How fast it writes, in tokens of four characters; at once when absent. */
  readonly tokensPerSecond?: number
  /** Never ends: it goes on with this text. */
  readonly endless?: string
  /** One JSON document, from a server that cannot stream. */
  readonly whole?: true
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
  reply: ModelReply | ((asked: Asked) => ModelReply)
  /** What the next requests get before that. */
  replies: ModelReply[]
}

/** Without a key anybody may ask, as with Ollama. */
export async function openModelServer(key?: string): Promise<ModelServer> {
  const asked: Asked[] = []
  const state = { reply: { names: [] } as ModelServer['reply'], replies: [] as ModelReply[] }
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    const one: Asked = { path: request.url ?? '', headers: request.headers, text, json: JSON.parse(text) }
    asked.push(one)
    const usual = typeof state.reply === 'function' ? state.reply(one) : state.reply
    const reply = state.replies.shift() ?? usual
    if (reply.silent) return
    if (reply.hangUp) return void response.destroy()
    await sleep(reply.afterMs ?? 0)
    const refused = refusalOf(one, key)
    const status = reply.status ?? refused?.status ?? 200
    const isAnthropic = one.path === '/v1/messages'
    if (status === 200 && reply.body === undefined && !refused && !reply.whole) {
      response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers })
      return write(response, reply, isAnthropic ? messageEvents(reply) : completionEvents(reply))
    }
    const body = reply.body ?? JSON.stringify(refused ?? (isAnthropic ? message : completion)(one, reply))
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
  if (json.stream !== true) return refuse(400, 'not streamed')
  return json.messages.at(-1)?.role === 'user' ? undefined : refuse(400, 'nobody asks')
}

/** The text of a model that keeps to the format of the prompt. */
function textOf({ names = [], text }: ModelReply): string {
  const lines = names.map((name) => `- ${typeof name === 'string' ? name : JSON.stringify(name)}\n`)
  return text ?? (lines.length === 0 ? '- \n' : lines.join(''))
}

interface Written {
  /** Before the text, for each piece of it, and after it. */
  readonly first: readonly string[]
  readonly each: (piece: string) => string
  readonly last: readonly string[]
}

async function write(response: ServerResponse, reply: ModelReply, { first, each, last }: Written): Promise<void> {
  const { tokensPerSecond, endless } = reply
  for (const event of first) response.write(event)
  for (const piece of textOf(reply).match(/[\s\S]{1,4}/g) ?? []) {
    if (response.destroyed) return
    response.write(each(piece))
    if (tokensPerSecond !== undefined) await sleep(1_000 / tokensPerSecond)
  }
  while (!response.destroyed) {
    if (endless === undefined) break
    if (!response.write(each(endless))) await new Promise((ready) => response.once('drain', ready).once('close', ready))
    await sleep(0)
  }
  for (const event of last) response.write(event)
  response.end()
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`

function completionEvents({ ended }: ModelReply): Written {
  const chunk = (delta: object, finish: string | null = null) =>
    data({ id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] })
  const finish = { filtered: 'content_filter', length: 'length' }
  return {
    first: [chunk({ role: 'assistant', content: '' })],
    each: (content) => chunk({ content }),
    last: [chunk({}, ended === undefined ? 'stop' : finish[ended]), 'data: [DONE]\n\n'],
  }
}

function messageEvents({ ended }: ModelReply): Written {
  const event = (type: string, more: object) => `event: ${type}\n${data({ type, ...more })}`
  const stopped = { filtered: 'refusal', length: 'max_tokens' }
  return {
    first: [
      event('message_start', { message: { id: 'msg_1', role: 'assistant', content: [] } }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('ping', {}),
    ],
    each: (text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    last: [
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason: ended === undefined ? 'end_turn' : stopped[ended] } }),
      event('message_stop', {}),
    ],
  }
}

function completion({ json }: Asked, reply: ModelReply): object {
  const finish = { filtered: 'content_filter', length: 'length' }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: json.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: textOf(reply) },
        finish_reason: reply.ended === undefined ? 'stop' : finish[reply.ended],
      },
    ],
    usage: { prompt_tokens: 300, completion_tokens: 100, total_tokens: 400 },
  }
}

function message({ json }: Asked, reply: ModelReply): object {
  const stopped = { filtered: 'refusal', length: 'max_tokens' }
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: json.model,
    content: [{ type: 'text', text: textOf(reply) }],
    stop_reason: reply.ended === undefined ? 'end_turn' : stopped[reply.ended],
    stop_sequence: null,
    usage: { input_tokens: 300, output_tokens: 100 },
  }
}
