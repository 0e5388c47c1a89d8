/** Sends bytes that no HTTP client would, and reads whatever comes back until the other side closes. */
import { connect } from 'node:net'
import type { Answer } from '../world.ts'

export async function sendRaw(url: string, bytes: string): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes, 'latin1')
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  return parse(Buffer.concat(chunks).toString())
}

function parse(response: string): Answer {
  const [head = '', text = ''] = response.split('\r\n\r\n', 2)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  const isJson = headers.get('content-type')?.includes('json') ?? false
  return { status: Number(statusLine.split(' ')[1]), headers, text, json: isJson ? JSON.parse(text) : undefined }
}
