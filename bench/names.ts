/**
 * `pnpm bench names`: what an answer of the naming costs, how fast it starts, and what it keeps in memory.
 *
 * CPU time, not the clock: the machine is shared. A process of its own measures, so that nothing else is in its memory.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { openNamesFrom } from '../packages/names/src/node.ts'
import { plainNameRequest } from '../packages/names/src/request.ts'
import { descriptions } from './descriptions.ts'

const WANTED = 40
const LANGUAGES = new URL('../packages/names/data/languages/', import.meta.url)

interface NamesFigures {
  readonly openMs: number
  readonly firstMs: number
  readonly eachMs: number
  readonly englishMb: number
  readonly languagesMs: number
  readonly everyLanguageMb: number
}

export function benchNames({ requests }: { readonly requests: number }): void {
  const args = ['--expose-gc', import.meta.filename, 'alone', String(requests)]
  const figures = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as NamesFigures
  const { openMs, firstMs, eachMs, languagesMs } = figures
  const languages = listLanguages().length
  tell(`CPU ms per request of ${WANTED} names`, eachMs.toFixed(2), '≤ 2.0')
  tell('CPU ms of the first request', firstMs.toFixed(1))
  tell('CPU s from nothing to open', (openMs / 1000).toFixed(2), '≤ 0.7')
  tell('MB of memory with English', figures.englishMb.toFixed(0))
  tell(`MB of memory with ${languages} more languages`, figures.everyLanguageMb.toFixed(0))
  tell('CPU ms to open one of them', (languagesMs / languages).toFixed(0))
}

function tell(what: string, figure: string, aim = ''): void {
  console.log(`${what.padEnd(38)}${figure.padStart(8)}   ${aim}`.trimEnd())
}

function listLanguages(): string[] {
  return readdirSync(LANGUAGES).map((file) => file.replace('.txt', ''))
}

function measureAlone(requests: number): NamesFigures {
  const texts = descriptions()
  const startedMb = memoryMb()
  const before = process.cpuUsage()
  const names = openNamesFrom()
  const openMs = msSince(before)
  const ask = (at: number) => names.propose(plainNameRequest(texts[at % texts.length]!), WANTED)
  const firstMs = cpuOf(() => ask(0))
  for (let at = 0; at < requests / 4; at++) ask(at)
  const allMs = cpuOf(() => {
    for (let at = 0; at < requests; at++) ask(at)
  })
  const englishMb = memoryMb() - startedMb
  const languagesMs = cpuOf(() => {
    for (const language of listLanguages()) names.propose({ ...plainNameRequest('tea'), language }, 1)
  })
  const everyLanguageMb = memoryMb() - startedMb
  return { openMs, firstMs, eachMs: allMs / requests, englishMb, languagesMs, everyLanguageMb }
}

function memoryMb(): number {
  gc?.()
  return process.memoryUsage().rss / 1e6
}

function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return msSince(before)
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

if (process.argv[2] === 'alone') console.log(JSON.stringify(measureAlone(Number(process.argv[3]))))
