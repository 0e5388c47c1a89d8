/** One request over HTTP on a connection of its own; a server that does not answer is status 0. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Said {
  readonly status: number
  readonly text: string
}

// A switchover is answered when it is done.
const PATIENCE_MS = { GET: 1_500, POST: 60_000 }

export function ask(method: 'GET' | 'POST', host: string, port: number, path: string, body = ''): Promise<Said> {
  return new Promise((resolve) => {
    const nothing = () => resolve({ status: 0, text: '' })
    const signal = AbortSignal.timeout(PATIENCE_MS[method])
    const asked = request({ method, host, port, path, agent: false, signal }, (answer) => {
      text(answer).then((said) => resolve({ status: answer.statusCode ?? 0, text: said }), nothing)
    })
    asked.once('error', nothing)
    asked.end(body)
  })
}
