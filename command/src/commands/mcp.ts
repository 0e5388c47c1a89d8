/**
 * `namewright mcp`: a bridge between the Model Context Protocol on standard input and output and /mcp of the service, or of
 * the engines in this process. It knows no tools and no revisions, so it never has to follow changes of the service.
 * docs/mcp.md specifies it.
 *
 * Only protocol messages may be written to standard output.
 */
import { openConfig } from '../config.ts'
import type { Config, ConfigFile } from '../config.ts'
import { EXIT } from '../exit.ts'
import type { Fetch } from '../../../sdk/src/exchange.ts'
import { authorized, findAddress, findIdentity, isLocal, LOCAL_URL } from '../session.ts'
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
  const bridge = isLocal(invocation, config) ? await openLocalBridge(invocation) : bridgeTo(invocation, file, config)
  const underWay = new Set<Promise<void>>()
  for await (const line of linesOf(streams.stdin, outside.signal)) {
    const passed = bridge(line).finally(() => underWay.delete(passed))
    underWay.add(passed)
  }
  await Promise.all(underWay)
  return EXIT.found
}

function bridgeTo(invocation: Invocation, file: ConfigFile, config: Config): Bridge {
  const { url } = findAddress(invocation, config)
  const identity = findIdentity(invocation, { file, config, url, audience: 'mcp' })
  return createBridge(invocation, `${url}/mcp`, authorized(invocation.outside.fetch, identity))
}

async function openLocalBridge(invocation: Invocation): Promise<Bridge> {
  const { openLocalAgents } = await import('../local/agents.ts')
  return createBridge(invocation, `${LOCAL_URL}/mcp`, await openLocalAgents(invocation))
}

type Bridge = (line: string) => Promise<void>

/** Messages are handled concurrently; each response is written when it arrives. */
function createBridge({ streams, say, outside }: Invocation, address: string, fetch: Fetch): Bridge {
  const pending = new Map<string | number, AbortController>()
  let negotiated: string | undefined

  const write = (message: object) => streams.stdout.write(`${JSON.stringify(message)}\n`)

  /** Also writes to standard error, because not every client shows errors; the user finds them in its log. */
  function fail({ id, method }: Message, code: number, message: string, data?: unknown): void {
    say(`namewright: ${message}`)
    if (id !== undefined || method === undefined)
      write({ jsonrpc: '2.0', id: id ?? null, error: { code, message, data } })
  }

  return async (line) => {
    let message: Message | null
    try {
      message = JSON.parse(line) as Message | null
    } catch {
      return fail({}, -32_700, 'Parse error')
    }
    if (typeof message !== 'object' || message === null) return fail({}, -32_600, 'Invalid Request')
    const { id, method, params } = message
    // Over HTTP, closing the connection cancels the request.
    if (method === 'notifications/cancelled') return pending.get(params?.requestId ?? '')?.abort()
    const canceled = new AbortController()
    if (id !== undefined) pending.set(id, canceled)
    try {
      const signal = AbortSignal.any([canceled.signal, outside.signal])
      const headers = headersOf(message, negotiated)
      const answer = await fetch(address, { method: 'POST', headers, body: line, signal, redirect: 'manual' })
      const text = await answer.text()
      // Nobody reads the response to a canceled request.
      if (text === '' || canceled.signal.aborted) return
      for (const one of answersIn(text, answer.headers.get('content-type') ?? '')) {
        if (one['jsonrpc'] !== '2.0') fail(message, -32_000, textOf(one, answer.status), one)
        else {
          negotiated = (one as Message).result?.protocolVersion ?? negotiated
          write(id === undefined || one['method'] !== undefined ? one : { ...one, id })
        }
      }
    } catch (error) {
      if (!canceled.signal.aborted) fail(message, -32_000, `the service could not be reached: ${String(error)}`)
    } finally {
      if (id !== undefined) pending.delete(id)
    }
  }
}

function headersOf({ method, params }: Message, negotiated: string | undefined): Record<string, string> {
  const { _meta: meta } = params ?? {}
  const version = meta?.['io.modelcontextprotocol/protocolVersion'] ?? negotiated
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(typeof version === 'string' && method !== 'initialize' ? { 'mcp-protocol-version': version } : {}),
    ...(method === undefined ? {} : { 'mcp-method': method }),
    ...(typeof params?.name === 'string' ? { 'mcp-name': asHeader(params.name) } : {}),
  }
}

/** Encodes values that a header cannot carry as Base64. */
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

/** An error response outside of the protocol: 401, 403, 413, 429. */
function textOf({ error }: Record<string, unknown>, status: number): string {
  const { code, message, hint } = (error ?? {}) as Record<string, unknown>
  if (typeof code !== 'string')
    return `unexpected response with status ${status}: it does not come from a Namewright service`
  return [`${code}:`, message, hint].filter((part) => typeof part === 'string').join(' ')
}

/** One message per line, until the end of input or the signal. */
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
