/**
 * What traces cost: nodes that differ only in that, in one run, rounds alternating, so that a noisy neighbour hurts all.
 * CPU is that of the node's own process, sending the spans included. The collector takes everything and keeps nothing.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openWorld } from '../server/test/world.ts'
import { descriptions } from './descriptions.ts'
import { load } from './load.ts'

const CONNECTIONS = 8
const RATE = 60
const ROUNDS = 5

export async function benchTracing({ seconds }: { seconds: number }): Promise<void> {
  await using world = await openWorld({ NAMEWRIGHT_OVERLOAD: 'off' })
  const collector = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const traced = (share: string) => ({
    NAMEWRIGHT_OTLP_URL: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    NAMEWRIGHT_TRACE_SHARE: share,
  })
  const kinds = { off: {}, '1 %': traced('0.01'), '100 %': traced('1'), 'access log': { NAMEWRIGHT_ACCESS_LOG: 'all' } }
  const { secret: key } = await world.makeKey(await world.makeAccount())
  const nodes: Node[] = []
  for (const [name, env] of Object.entries(kinds)) {
    const node = await world.startNode(env)
    nodes.push({
      name,
      port: Number(new URL(node.url).port),
      pid: node.process.pid ?? 0,
      generate: [],
      read: [],
    })
  }
  const texts = descriptions()
  const post = (i: number) => {
    const body = JSON.stringify({ description: texts[i % 50], count: 20 })
    const head = `POST /v1/generate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`
    return Buffer.from(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const read = Buffer.from(`GET /v1/favorites HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  try {
    for (const { port } of nodes) await load({ port, connections: CONNECTIONS, rate: RATE, seconds, request: post })
    for (let round = 0; round < ROUNDS; round++) {
      for (const node of nodes) {
        node.generate.push(await cost(node, RATE, seconds, post))
        node.read.push(await cost(node, RATE * 5, seconds, () => read))
      }
    }
  } finally {
    collector.closeAllConnections()
    collector.close()
  }
  for (const { name, generate, read: reads } of nodes) {
    console.log(`${name}: generate ${least(generate)} µs CPU, favorites ${least(reads)} µs CPU`)
  }
}

interface Node {
  readonly name: string
  readonly port: number
  readonly pid: number
  readonly generate: number[]
  readonly read: number[]
}

async function cost(
  { port, pid }: Node,
  rate: number,
  seconds: number,
  request: (i: number) => Buffer,
): Promise<number> {
  const before = cpuUsOf(pid)
  const { answered, failed } = await load({ port, connections: CONNECTIONS, rate, seconds, request })
  return (cpuUsOf(pid) - before) / Math.max(1, answered + failed)
}

/** User and system time of a process, from /proc; a tick is 10 ms. */
function cpuUsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** Neighbours can only make it more. */
function least(values: readonly number[]): string {
  const [first = 0, second = 0] = values.toSorted((a, b) => a - b)
  return `${first.toFixed(0)} to ${second.toFixed(0)}`
}
