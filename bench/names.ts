/**
 * `pnpm bench names`: what an answer of the naming costs, how fast it starts, and what it keeps in memory.
 *
 * CPU time, not the clock: the machine is shared. A process of its own is started for each figure that an earlier one
 * would spoil. Descriptions are those of the load, in several languages.
 */
import { execFileSync } from 'node:child_process'
import { openNames } from '../server/src/names/names.ts'
import { plainNameRequest } from '../server/src/names/plain-name-request.ts'
import { descriptions } from './descriptions.ts'

const WANTED = 40
const AT_ONCE = 16

export interface NamesFigures {
  readonly openMs: number
  readonly memoryMb: number
  readonly cpuMs: number
  readonly coldMs: number
  readonly perSecond: number
}

export async function benchNames({ requests }: { readonly requests: number }): Promise<NamesFigures> {
  const alone = JSON.parse(
    execFileSync(process.execPath, [import.meta.filename, 'alone', String(requests)], { encoding: 'utf8' }),
  ) as Omit<NamesFigures, 'perSecond'>
  const figures = { ...alone, perSecond: await withThreads(requests) }
  console.log(`CPU ms per request of ${WANTED} names      ${figures.cpuMs.toFixed(2).padStart(8)}   ≤ 1.5`)
  console.log(`CPU ms of the first request           ${figures.coldMs.toFixed(1).padStart(8)}`)
  console.log(`ms from nothing to open               ${figures.openMs.toFixed(0).padStart(8)}   ≤ 100`)
  console.log(`MB of memory, shared once             ${figures.memoryMb.toFixed(0).padStart(8)}   ≤ 200`)
  console.log(`requests per second with two threads  ${figures.perSecond.toFixed(0).padStart(8)}`)
  return figures
}

async function withThreads(requests: number): Promise<number> {
  await using names = await openNames({ threads: 2 })
  const texts = descriptions()
  const started = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < requests) await names.propose(plainNameRequest(texts[next++ % texts.length]!), WANTED, never())
    }),
  )
  return requests / ((performance.now() - started) / 1000)
}

async function measureAlone(requests: number): Promise<Omit<NamesFigures, 'perSecond'>> {
  const texts = descriptions()
  const before = process.memoryUsage().rss
  const started = performance.now()
  const names = await openNames()
  const openMs = performance.now() - started
  const ask = async (at: number) => names.propose(plainNameRequest(texts[at % texts.length]!), WANTED, never())
  const coldMs = await cpuOf(() => ask(0))
  for (let at = 0; at < requests / 4; at++) await ask(at)
  const cpuMs = await cpuOf(async () => {
    for (let at = 0; at < requests; at++) await ask(at)
  })
  return { openMs, coldMs, cpuMs: cpuMs / requests, memoryMb: (process.memoryUsage().rss - before) / 1e6 }
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function never(): AbortSignal {
  return new AbortController().signal
}

if (process.argv[2] === 'alone') console.log(JSON.stringify(await measureAlone(Number(process.argv[3]))))
