/**
 * Reads a stream and cuts it by ending its own side of the connection, then reads on until the other side is closed as
 * well: so it has everything that was sent, and knows exactly which names it was shown.
 */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'

export interface ReceivedEvent {
  readonly event: string
  readonly data: {
    readonly name: string
    readonly data: { readonly suggestions: readonly { readonly name: string }[] }
  }
}

export interface HalfClosedCall {
  readonly key: string
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/** `onEvents`: called with the number of lines of events so far, and with 0 at once. */
export async function readHalfClosed(
  url: string,
  { key, body, headers = {} }: HalfClosedCall,
  onEvents: (count: number, cut: () => void) => void,
): Promise<readonly ReceivedEvent[]> {
  const { port } = new URL(url)
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  const sent = JSON.stringify(body)
  const head = [
    'POST /v1/generate HTTP/1.0',
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    'accept: application/x-ndjson',
    `content-length: ${Buffer.byteLength(sent)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${sent}`)
  const cut = () => void socket.end()
  let lines = 0
  socket.on('data', (chunk: Buffer) => {
    const before = lines
    lines += chunk.toString('latin1').split('\n{').length - 1
    if (lines > before) onEvents(lines, cut)
  })
  onEvents(0, cut)
  const answer = await text(socket)
  socket.destroy()
  if (answer !== '') expect(answer).toMatch(/^HTTP\/1.1 200 /)
  // What follows the last line break was not sent whole.
  const whole = answer.slice(answer.indexOf('\r\n\r\n') + 4).split('\n')
  const events = whole.slice(0, -1).map((line) => JSON.parse(line) as ReceivedEvent)
  return events.filter(({ event }) => event !== 'heartbeat')
}

/** The names that a reader sees after these events. */
export function shownIn(events: readonly { readonly event: string; readonly data: { readonly name: string } }[]) {
  const shown = new Set<string>()
  for (const { event, data } of events) {
    if (event === 'suggestion') shown.add(data.name)
    else if (event === 'withdrawn') shown.delete(data.name)
  }
  return shown
}
