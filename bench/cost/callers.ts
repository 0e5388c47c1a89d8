/** Callers who wait for their answer, on connections that stay open, with every byte of both directions counted. */
import { Agent, request } from 'node:http'
import type { Socket } from 'node:net'

export interface Asked {
  readonly bytesIn: number
  readonly bytesOut: number
  readonly bodies: readonly string[]
}

const AT_ONCE = 4

export async function askAll(
  url: string,
  requests: readonly { readonly key: string; readonly path: string; readonly body?: object }[],
): Promise<Asked> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  const sockets = new Set<Socket>()
  const bodies: string[] = []
  const left = requests.entries()
  const caller = async () => {
    for (const [i, { key, path, body }] of left) {
      bodies[i] = await new Promise<string>((resolve, reject) => {
        const text = body === undefined ? '' : JSON.stringify(body)
        const asking = request(
          `${url}${path}`,
          {
            agent,
            method: body === undefined ? 'GET' : 'POST',
            headers: {
              authorization: `Bearer ${key}`,
              ...(body === undefined
                ? {}
                : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
            },
          },
          (response) => {
            let answer = ''
            response.setEncoding('utf8')
            response.on('data', (chunk: string) => (answer += chunk))
            response.once('end', () =>
              response.statusCode === 200 ? resolve(answer) : reject(new Error(`${response.statusCode}: ${answer}`)),
            )
          },
        )
        asking.once('socket', (socket) => sockets.add(socket))
        asking.once('error', reject)
        asking.end(text)
      })
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, caller))
    const bytesOf = (what: 'bytesRead' | 'bytesWritten') => [...sockets].reduce((sum, socket) => sum + socket[what], 0)
    return { bytesIn: bytesOf('bytesWritten'), bytesOut: bytesOf('bytesRead'), bodies }
  } finally {
    agent.destroy()
  }
}
