/**
 * `namewright mcp`: the Model Context Protocol on standard input and output, passed on to /mcp and back. It knows no tool
 * and no revision, and so never falls behind the service. What it has to do stands in docs/mcp.md.
 *
 * Nothing but messages is ever written to standard output.
 */
import { openConfig } from '../config.ts'
import { EXIT } from '../exit.ts'
import type { Fetch } from '../../exchange.ts'
import { authorized, findAddress, findIdentity } from '../session.ts'
import type { Invocation } from '../spec.ts'
import type { Input } from '../streams.ts'

interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: { name?: unknown; requestId?: string | number; _meta?: Record<string, unknown> }
  readonly result?: { protocolVersion?: string }
}

export async function mcp(invocation: Invocation): Promise<number> {
  const { streams, env, outside } = invocation
  const file = openConfig(env)
  const config = await file.read()
  const { url } = findAddress(invocation, config)
  const identity = findIdentity(invocation, { file, config, url, audience: 'mcp' })
  const bridge = createBridge(invocation, `${url}/mcp`, authorized(outside.fetch, identity))
  const underWay = new Set<Promise<void>>()
  for await (const line of linesOf(streams.stdin, outside.signal)) {
    const passed = bridge(line).finally(() => underWay.delete(passed))
    underWay.add(passed)
  }
  await Promise.all(underWay)
  return EXIT.found
}

/** Every message may be on its way at the same time, and is answered when it is done. */
function createBridge(
  { streams, say, outside }: Invocation,
  address: string,
  fetch: Fetch,
): (line: string) => Promise<void> {
  const asked = new Map<string | number, AbortController>()
  let settled: string | undefined

  const write = (message: object) => streams.stdout.write(`${JSON.stringify(message)}\n`)

  /** Also for the person, who finds it in the log of the client: not every client shows what it was told. */
  function fail({ id, method }: Message, code: number, message: string, data?: unknown): void {
    say(`namewright: ${message}`)
    if (id !== undefined || method === undefined)
      write({ jsonrpc: '2.0', id: id ?? null, error: { code, message, data } })
  }

  return async (line) => {
    let message: Message
    try {
      message = JSON.parse(line) as Message
    } catch {
      return fail({}, -32_700, 'Parse error')
    }
    const { id, method, params } = message
    // Over HTTP whoever hangs up has cancelled.
    if (method === 'notifications/cancelled') return asked.get(params?.requestId ?? '')?.abort()
    const hangUp = new AbortController()
    if (id !== undefined) asked.set(id, hangUp)
    try {
      const signal = AbortSignal.any([hangUp.signal, outside.signal])
      const headers = headersOf(message, settled)
      const answer = await fetch(address, { method: 'POST', headers, body: line, signal, redirect: 'manual' })
      const text = await answer.text()
      if (text === '') return
      for (const one of answersIn(text, answer.headers.get('content-type') ?? '')) {
        if (one['jsonrpc'] !== '2.0') fail(message, -32_000, textOf(one, answer.status), one)
        else {
          settled = (one as Message).result?.protocolVersion ?? settled
          write(id === undefined || one['method'] !== undefined ? one : { ...one, id })
        }
      }
    } catch (error) {
      if (!hangUp.signal.aborted) fail(message, -32_000, `the service cannot be reached: ${String(error)}`)
    } finally {
      if (id !== undefined) asked.delete(id)
    }
  }
}

function headersOf({ method, params }: Message, settled: string | undefined): Record<string, string> {
  const { _meta: meta } = params ?? {}
  const version = meta?.['io.modelcontextprotocol/protocolVersion'] ?? settled
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(typeof version === 'string' && method !== 'initialize' ? { 'mcp-protocol-version': version } : {}),
    ...(method === undefined ? {} : { 'mcp-method': method }),
    ...(typeof params?.name === 'string' ? { 'mcp-name': asHeader(params.name) } : {}),
  }
}

/** What a header cannot carry goes as Base64. */
function asHeader(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value)
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`
}

/** One JSON object, or the events of a stream. */
function answersIn(text: string, type: string): Record<string, unknown>[] {
  if (!type.includes('text/event-stream')) return [JSON.parse(text) as Record<string, unknown>]
  const events = text.split('\n').filter((line) => line.startsWith('data: '))
  return events.map((line) => JSON.parse(line.slice(6)) as Record<string, unknown>)
}

/** A refusal before the protocol was reached: 401, 403, 413, 429. */
function textOf({ error }: Record<string, unknown>, status: number): string {
  const { code, message, hint } = (error ?? {}) as Record<string, unknown>
  if (typeof code !== 'string') return `the answer, of status ${status}, is not of this service`
  return [`${code}:`, message, hint].filter((part) => typeof part === 'string').join(' ')
}

/** One message a line; a signal ends the reading. */
async function* linesOf(input: Input, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  const reading = input[Symbol.asyncIterator]()
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  for (;;) {
    const read = await Promise.race([reading.next(), aborted])
    if (read === undefined || read.done === true) break
    rest += typeof read.value === 'string' ? read.value : decoder.decode(read.value, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield line
  }
  if (rest.trim() !== '') yield rest
}
