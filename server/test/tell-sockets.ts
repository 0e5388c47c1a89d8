/** Imported before a node starts: writes a line for every connection that it or one of its threads opens. */
import { Socket as UdpSocket } from 'node:dgram'
import { Socket } from 'node:net'

const report = (text: string) => process.stderr.write(`opened ${text}\n`)

watch(Socket.prototype, 'connect', (args) => {
  // As callers write it, or as `net.connect` has put it in order.
  const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
  const isPlace = typeof first === 'object' && first !== null
  const { path, port, host } = (isPlace ? first : { port: first, host: second }) as Record<string, string | undefined>
  report(`tcp ${path ?? `${host}:${port}`}`)
})
for (const method of ['send', 'connect', 'bind'] as const) watch(UdpSocket.prototype, method, () => report('udp'))

function watch(prototype: object, method: string, note: (args: readonly unknown[]) => void): void {
  const original = Reflect.get(prototype, method) as (...args: unknown[]) => unknown
  Reflect.set(prototype, method, function (this: unknown, ...args: unknown[]) {
    note(args)
    return Reflect.apply(original, this, args)
  })
}
