/**
 * The service beside the bare yardstick, in one run, on one machine: rounds alternate, so that a noisy neighbour
 * hurts both. Each round offers more than can be answered and counts the answers; then each is offered half of what
 * it can carry, for latencies that mean something.
 *
 * CPU is that of the server's own process; PostgreSQL and Redis are shared by both and not counted.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { startApp } from '../server/test/start-app.ts'
import { descriptions } from './descriptions.ts'
import { load } from './load.ts'
import type { LoadResult } from './load.ts'

const CONNECTIONS = 48
const ROUNDS = 3
const ACCOUNTS = 50

interface Target {
  readonly name: string
  readonly pid: number
  readonly port: number
  readonly request: (i: number) => Buffer
  readonly capacity: number[]
  readonly cpuUs: number[]
}

export async function benchGenerate({ seconds }: { readonly seconds: number }): Promise<void> {
  await using world = await startApp({ own: true })
  const node = await world.startNodeProcess()
  const keys = await Promise.all(
    Array.from({ length: ACCOUNTS }, async () => (await world.makeKey(await world.makeAccount())).secret),
  )
  const texts = descriptions()
  const request = (i: number) => {
    const body = JSON.stringify({ description: texts[i % texts.length], count: 20 })
    return Buffer.from(
      `POST /v1/generate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys[i % keys.length]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  }
  const sample = await node.call('/v1/generate', { key: keys[0] ?? '', body: { description: texts[0], count: 20 } })
  // Otherwise every request waits for its deadline, and what is measured is that.
  if (sample.json.data?.suggestions.length !== 20) {
    const why = JSON.stringify(sample.json.data?.shortfall ?? sample.json.error)
    throw new Error(`the sources of availability do not answer, so a measurement would say nothing: ${why}`)
  }
  const yardstick = await startYardstick(world.databaseUrl, sample.text, JSON.stringify(sample.json.data.suggestions))
  try {
    const pid = node.process.pid ?? 0
    const service: Target = {
      name: 'service',
      pid,
      port: Number(new URL(node.url).port),
      request,
      capacity: [],
      cpuUs: [],
    }
    const bare: Target = { ...yardstick, name: 'yardstick', request, capacity: [], cpuUs: [] }

    const cold = await round(service, seconds, 100)
    print('service, every name new to it', cold, service.cpuUs.pop())
    service.capacity.pop()
    // Once through all descriptions, so that verdicts are remembered.
    await load({ port: service.port, connections: CONNECTIONS, rate: 1e6, seconds: seconds * 3, request })

    for (let i = 0; i < ROUNDS; i++) {
      for (const target of [bare, service])
        print(target.name, await round(target, seconds, 20_000), target.cpuUs.at(-1))
    }
    for (const target of [bare, service]) {
      const half = median(target.capacity) / 2
      const result = await load({ port: target.port, connections: CONNECTIONS, rate: half, seconds, request })
      print(`${target.name} at half load`, result)
    }
    console.log(
      `answer ${sample.text.length} bytes; cpu ratio ${(median(bare.cpuUs) / median(service.cpuUs)).toFixed(2)}`,
    )
    console.log(`ratio ${(median(service.capacity) / median(bare.capacity)).toFixed(2)}`)
  } finally {
    yardstick.stop()
  }
}

async function round(target: Target, seconds: number, rate: number): Promise<LoadResult> {
  const before = cpuUsOf(target.pid)
  const result = await load({ port: target.port, connections: CONNECTIONS, rate, seconds, request: target.request })
  target.capacity.push(result.perSecond)
  target.cpuUs.push((cpuUsOf(target.pid) - before) / Math.max(1, result.answered + result.failed))
  return result
}

function print(name: string, result: LoadResult, cpuUs?: number): void {
  const cpu = cpuUs === undefined ? '' : `${cpuUs.toFixed(0)} µs CPU/request, `
  const { perSecond, p50Ms, p99Ms, failed, answered } = result
  console.log(
    `${name}: ${perSecond.toFixed(0)} requests/s, ${cpu}p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, ${answered} answered, ${failed} failed`,
  )
}

async function startYardstick(databaseUrl: string, answer: string, row: string) {
  const script = new URL('yardstick.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, databaseUrl, answer, row], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the yardstick did not start')))
    child.stdout.once('data', (line: Buffer) => resolve(Number(/:(\d+)"/.exec(String(line))?.[1])))
  })
  return { port, pid: child.pid ?? 0, stop: () => child.kill() }
}

/** User and system time of a process, from /proc; a tick is 10 ms. */
function cpuUsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
