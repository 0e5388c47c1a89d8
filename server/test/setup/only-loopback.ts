/** The suite cannot reach anything but loopback: a connection to any other address throws where it is made. */
import { isIP, Socket } from 'node:net'

// This file is read again for every test file, also where they share a process; one guard is enough.
const GUARDED = Symbol.for('namewright.only-loopback')

// oxlint-disable-next-line typescript/unbound-method -- it is called with the socket it belongs to
const connect = Socket.prototype.connect

if (!(GUARDED in connect)) {
  const guarded = function guarded(this: Socket, ...args: unknown[]) {
    const [first] = args
    const target = Array.isArray(first) ? (first as unknown[])[0] : first
    const host = typeof target === 'object' && target !== null && 'host' in target ? String(target.host) : 'localhost'
    const isLoopback = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
    if (!isLoopback) throw new Error(`a test tried to reach ${host}`)
    return Reflect.apply(connect, this, args) as Socket
  }
  Socket.prototype.connect = Object.assign(guarded, { [GUARDED]: true })
}
