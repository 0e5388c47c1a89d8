/** The program of the page on streams, as it stands, also when the connection breaks under it. */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { spentBy } from '../readings.ts'
import { shareWorld } from '../shared-world.ts'
import { blocksOf, readPage } from './pages.ts'
import { runShell } from './shell.ts'

test('runs as it stands, and resumes where it was cut off', { timeout: 60_000 }, async () => {
  await using world = await shareWorld()
  const node = await world.startNode()
  const account = await world.makeAccount()
  const { secret: key } = await world.makeKey(account)
  const [program = ''] = blocksOf(readPage('docs/streaming.md'), 'ts')
  const directory = await mkdtemp(`${tmpdir()}/namewright-streaming-`)
  const file = `${directory}/events.ts`
  await writeFile(file, program)
  const lines = ['perhaps', 'perhaps', 'perhaps', 'perhaps', 'perhaps', '5 suggestions']

  const straight = await runShell('node "$FILE"', { FILE: file, NAMEWRIGHT_URL: node.url, NAMEWRIGHT_API_KEY: key })
  expect(straight.code, straight.stderr).toBe(0)
  expect(straight.stdout.trim().split('\n').map(kindOf)).toEqual(lines)

  await using wire = await openWire(Number(new URL(node.url).port))
  const broken = await runShell('node "$FILE"', { FILE: file, NAMEWRIGHT_URL: wire.url, NAMEWRIGHT_API_KEY: key })
  expect(broken.code, broken.stderr).toBe(0)
  expect(wire.cuts()).toBe(1)
  expect(broken.stdout).toBe(straight.stdout)
  expect(await spentBy(world, account)).toBe(10)
  await rm(directory, { recursive: true })
})

const kindOf = (line: string) => /^perhaps|^\d+ suggestions$/.exec(line)?.[0]

/** A way to the node that breaks once, in the middle of what it says first. */
async function openWire(port: number) {
  let cuts = 0
  const server = createServer((client) => {
    const node = connect(port, '127.0.0.1')
    const end = () => {
      client.destroy()
      node.destroy()
    }
    for (const socket of [client, node]) socket.on('error', end).on('close', end)
    client.pipe(node)
    node.on('data', (bytes: Buffer) => {
      const at = cuts > 0 ? -1 : bytes.indexOf('"event":"suggestion"')
      if (at < 0) {
        client.write(bytes)
        return
      }
      cuts += 1
      const line = bytes.indexOf('\n', at)
      client.write(bytes.subarray(0, line + 30), () => client.destroy())
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}
