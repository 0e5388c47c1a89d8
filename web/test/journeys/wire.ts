/** The wire between a browser and the world: a proxy that can be cut, with everything that is on its way. */
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

export interface Wire extends AsyncDisposable {
  /** For a browser's context. */
  readonly proxy: { readonly server: string }
  cut(): void
  mend(): void
}

export async function openWire(): Promise<Wire> {
  const ends = new Set<Duplex>()
  let isCut = false
  const server = createServer((_request, response) => response.writeHead(502).end())
  server.on('connect', ({ url = '' }, near, head) => {
    const { hostname, port } = new URL(`https://${url}`)
    // Browsers have errands of their own.
    if (isCut || hostname !== 'localhost') return near.destroy()
    const far = connect(Number(port || 443), hostname, () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n')
      far.write(head)
      near.pipe(far).pipe(near)
    })
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end)
      end.on('error', () => other.destroy())
      end.on('close', () => {
        ends.delete(end)
        other.destroy()
      })
    }
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isCut = true
    for (const end of ends) end.destroy()
  }
  return {
    proxy: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    cut,
    mend() {
      isCut = false
    },
    [Symbol.asyncDispose]() {
      cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
