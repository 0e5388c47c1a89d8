/**
 * The bridge that docs/mcp.md describes, in as few lines as it takes: the Model Context Protocol on standard input and
 * output, passed on to /mcp and back. It knows no tool and no revision, and so never falls behind the service.
 *
 *   node stdio-bridge.ts <address of /mcp>     with the key in NAMEWRIGHT_API_KEY
 */
import { createInterface } from 'node:readline'

interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: { name?: unknown; requestId?: string | number; _meta?: Record<string, unknown> }
  readonly result?: { protocolVersion?: string }
}

const [, , address = ''] = process.argv
const underWay = new Map<string | number, AbortController>()
let settled: string | undefined

const write = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`)

/** Also for the person, who finds it in the log of the client: not every client shows the error it got. */
function fail(id: Message['id'], code: number, message: string, data?: unknown): void {
  process.stderr.write(`namewright: ${message}\n`)
  write({ jsonrpc: '2.0', id: id ?? null, error: { code, message, data } })
}

/** Every message may be on its way at the same time, and is answered when it is done. */
async function passOn(line: string): Promise<void> {
  let message: Message
  try {
    message = JSON.parse(line) as Message
  } catch {
    return fail(undefined, -32_700, 'Parse error')
  }
  const { id, method, params } = message
  // Over HTTP whoever hangs up has cancelled.
  if (method === 'notifications/cancelled') return underWay.get(params?.requestId ?? '')?.abort()
  const hangUp = new AbortController()
  if (id !== undefined) underWay.set(id, hangUp)
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: headersOf(message),
      body: line,
      signal: hangUp.signal,
    })
    const text = await response.text()
    if (text === '') return
    for (const answer of answersIn(text, response.headers.get('content-type') ?? '')) {
      if (answer.jsonrpc !== '2.0') fail(id, -32_000, textOf(answer), answer)
      else {
        settled = (answer as Message).result?.protocolVersion ?? settled
        write(id === undefined || answer.method ? answer : { ...answer, id })
      }
    }
  } catch (error) {
    if (!hangUp.signal.aborted) fail(id, -32_000, `the service cannot be reached: ${String(error)}`)
  } finally {
    if (id !== undefined) underWay.delete(id)
  }
}

function headersOf({ method, params }: Message): Record<string, string> {
  const { _meta: meta } = params ?? {}
  const version = meta?.['io.modelcontextprotocol/protocolVersion'] ?? settled
  return {
    authorization: `Bearer ${process.env.NAMEWRIGHT_API_KEY ?? ''}`,
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
function textOf({ error }: Record<string, unknown>): string {
  const { code, message, hint } = (error ?? {}) as Record<string, unknown>
  return `${String(code)}: ${String(message)} ${String(hint)}`
}

for await (const line of createInterface({ input: process.stdin })) if (line.trim() !== '') void passOn(line)
