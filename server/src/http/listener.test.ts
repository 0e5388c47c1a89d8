import { once } from 'node:events'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createListener } from './listener.ts'

test('more connections than there may be are closed as they come, and those that are there go on', async () => {
  const server = createListener({ refusePlain: () => {}, mostConnections: 2 })((_request, response) =>
    response.end('here'),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ask = async (socket: Socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [unknown]
    return Buffer.isBuffer(answer) ? answer.toString('latin1').slice(0, 15) : 'closed'
  }
  const open = () => connect(port, '127.0.0.1').on('error', () => {})
  const [first, second] = [open(), open()]
  expect(await ask(first)).toBe('HTTP/1.1 200 OK')
  expect(await ask(second)).toBe('HTTP/1.1 200 OK')
  expect(await ask(open())).toBe('closed')
  expect(await ask(first)).toBe('HTTP/1.1 200 OK')
  const gone = once(second, 'close')
  second.destroy()
  await gone
  while ((await ask(open())) === 'closed') {
    // Wait until the server has noticed the close, too.
  }
  first.destroy()
  server.closeAllConnections()
  server.close()
})
