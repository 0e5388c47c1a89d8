/**
 * `pnpm bench command`: what the command costs that people install: its size, its CPU time, and how long it takes in an
 * internet with the distances of the real one. Everything runs from the packed file in an empty folder, with nothing in
 * the environment but the way to that internet.
 *
 * CPU time counts on a busy machine; times by the clock are told with its load.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg } from 'node:os'
import { openNamesFrom } from '../packages/names/src/node.ts'
import { plainNameRequest } from '../packages/names/src/request.ts'
import { installCommand, runInstalled, runInTerminal } from '../command/test/installed.ts'
import type { Finished, InstalledCommand } from '../command/test/installed.ts'
import { openCommandInternet } from '../server/test/internet/command-internet.ts'
import type { CommandInternet } from '../server/test/internet/command-internet.ts'
import { descriptions } from './descriptions.ts'

const DESCRIPTION = 'a bakery that delivers by bicycle'
const OTHER_DESCRIPTION = 'a shop for second-hand climbing gear'
export const SUGGEST = ['suggest', DESCRIPTION, '-n', '20', '--tlds', 'com,net,org']
export const REGISTRIES = ['--sources', 'rdap,dns']
// The registrar is its slow self, 400 ms.
const DISTANCES = { dnsMs: 40, rdapMs: 100 }
// As many queries as dnsmasq keeps open by default, which answers for most homes.
const FORWARDED = 150
const REGISTRY_PER_SECOND = 5
const REGISTRAR_PER_SECOND = 1
const MANY_NAMES = 100
const MANY_SUFFIXES = ['com', 'net', 'org', 'io', 'ai', 'co', 'dev', 'app', 'de', 'shop', 'fr']
const AT_ONCE = 5
// Of a hundred domains; of the registered, those that are in no zone.
const REGISTERED = { com: 60, other: 30 }
const HELD = 4
// A row of the grid, with or without a verdict.
const NAME = /unproven|taken|✓/
const AVAILABLE = /✓/

export async function benchCommand({ rounds }: { readonly rounds: number }): Promise<void> {
  using command = await installCommand()
  tell('packed, kB', `${kilobytes(command.packedBytes)}; in English only: ${kilobytes(command.packedInEnglishBytes)}`)
  tell('packages', command.packages.join(', '))
  const { node, version } = measureVersion(command, rounds)
  tell('--version, CPU ms', `${told(version)}; node -e 0: ${told(node)}`)
  const first = await measureFirstName(command, rounds)
  tell('first name without distance, CPU ms', told(first))
  tellRuns('20 names x com,net,org', await measureSuggest(command, SUGGEST, rounds))
  tellRuns('by rdap,dns', await measureSuggest(command, [...SUGGEST, ...REGISTRIES], rounds))
  tellRuns('by rdap,dns, RDAP tests cached', await measureSuggest(command, [...SUGGEST, ...REGISTRIES], rounds, true))
  for (const options of [REGISTRIES, []]) {
    const { served, bursts } = await measureTogether(command, options)
    tell(`${AT_ONCE} at once ${options.join(' ')}`, `${served} found available domains`)
    for (const { host, requests, burst } of bursts)
      tell(`  ${host}`, `${requests} requests, burst of ${burst.toFixed(1)}`)
  }
  const { all, unknown, refused, tookMs } = await measureForwarder(command)
  tell(
    `${MANY_NAMES} names x ${MANY_SUFFIXES.length}, forwarder`,
    `${unknown} of ${all} unknown, ${refused} queries refused, ${seconds(tookMs)} s`,
  )
}

/** CPU time in milliseconds, of Node alone and of the command. */
export function measureVersion({ home, bin }: InstalledCommand, rounds: number) {
  const timeOf = (args: readonly string[]) => {
    const line = 'TIMEFORMAT="%3U %3S"; time "$@" >/dev/null'
    const { stderr } = spawnSync('bash', ['-c', line, 'bash', process.execPath, ...args], {
      env: { HOME: home, LC_ALL: 'C' },
      encoding: 'utf8',
    })
    const [user = NaN, system = NaN] = stderr.trim().split(' ').map(Number)
    return 1000 * (user + system)
  }
  const [node, version]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    node.push(timeOf(['-e', '0']))
    version.push(timeOf([bin, '--version']))
  }
  return { node, version }
}

/** CPU time in milliseconds until it is drawn, where DNS answers at once and nothing else is asked. */
export async function measureFirstName(command: InstalledCommand, rounds: number): Promise<readonly number[]> {
  await using internet = await openCommandInternet({ isRegistered, isHeld })
  const args = [...SUGGEST, '--sources', 'dns', '--all']
  const runs = await runFresh(command, internet, { args, rounds, first: NAME })
  return runs.map(({ cpuToFirstMs = NaN }) => cpuToFirstMs)
}

/** `isWarm`: what the command before it has kept, but for the verdicts, is there. */
export async function measureSuggest(
  command: InstalledCommand,
  args: readonly string[],
  rounds: number,
  isWarm = false,
): Promise<readonly Finished[]> {
  await using internet = await openCommandInternet({ isRegistered, isHeld, ...DISTANCES })
  internet.registrar.be('slow')
  return await runFresh(command, internet, { args, rounds, first: AVAILABLE, isWarm })
}

interface Fresh {
  readonly args: readonly string[]
  readonly rounds: number
  readonly first: RegExp
  readonly isWarm?: boolean
}

/** Each with a cache of its own. */
async function runFresh(command: InstalledCommand, internet: CommandInternet, { args, rounds, first, isWarm }: Fresh) {
  const runs: Finished[] = []
  for (let round = 0; round < rounds; round++) {
    const env = { ...internet.env, NAMEWRIGHT_CACHE_DIR: mkdtempSync(`${command.home}/cache-`) }
    if (isWarm) {
      const [, , ...options] = args
      await runInTerminal(command, ['suggest', OTHER_DESCRIPTION, ...options], { env })
      // The buckets fill again: what is measured is not who asked before.
      rmSync(`${env.NAMEWRIGHT_CACHE_DIR}/budgets.json`)
    }
    const run = await runInTerminal(command, args, { env, first })
    if (run.firstMs === undefined) throw new Error(`it ended with ${run.code}: ${run.output}`)
    runs.push(run)
  }
  return runs
}

/** How many requests each host got from several commands at once, and how large a burst that was beyond its rate. */
export async function measureTogether(command: InstalledCommand, options: readonly string[]) {
  await using internet = await openCommandInternet({ isRegistered, isHeld, ...DISTANCES })
  const { registrar, rdap } = internet
  registrar.be('slow')
  const env = { ...internet.env, NAMEWRIGHT_CACHE_DIR: mkdtempSync(`${command.home}/cache-`) }
  const texts = descriptions().slice(0, AT_ONCE)
  const args = [...SUGGEST.slice(2), ...options]
  const runs = await Promise.all(texts.map((text) => runInTerminal(command, ['suggest', text, ...args], { env })))
  const served = runs.filter(({ code }) => code === 0).length
  const hosts = Map.groupBy(rdap.asked, ({ host }) => host)
  const toRegistrar = [...registrar.requests, ...registrar.tests, ...registrar.lists]
  const bursts = [
    ...[...hosts].map(([host, asked]) => burstOf(host, asked, REGISTRY_PER_SECOND)),
    ...(toRegistrar.length > 0 ? [burstOf('api.vercel.com', toRegistrar, REGISTRAR_PER_SECOND)] : []),
  ]
  return { served, bursts }
}

function burstOf(host: string, requests: readonly { readonly at: number }[], perSecond: number) {
  const times = requests.map(({ at }) => at).toSorted((a, b) => a - b)
  let burst = 0
  for (const [first, from] of times.entries())
    for (const [last, to] of times.entries())
      burst = Math.max(burst, last - first + 1 - ((to - from) / 1000) * perSecond)
  return { host, requests: times.length, burst, perSecond }
}

export async function measureForwarder(command: InstalledCommand) {
  await using internet = await openCommandInternet({ isRegistered, isHeld, ...DISTANCES, maxOpenQueries: FORWARDED })
  internet.registrar.be('slow')
  const engine = openNamesFrom()
  const labels = new Set<string>()
  for (const text of descriptions()) {
    for (const { label } of engine.propose(plainNameRequest(text), 10)) labels.add(label)
    if (labels.size >= MANY_NAMES) break
  }
  const domains = [...labels]
    .slice(0, MANY_NAMES)
    .flatMap((label) => MANY_SUFFIXES.map((suffix) => `${label}.${suffix}`))
  const env = { ...internet.env, NAMEWRIGHT_CACHE_DIR: mkdtempSync(`${command.home}/cache-`) }
  const ran = await runInstalled(command, ['check', '-', '--ndjson'], { env, stdin: domains.join('\n') })
  const rows = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly status: string })
  if (rows.length !== domains.length) throw new Error(`${rows.length} of ${domains.length} domains: ${ran.stderr}`)
  const unknown = rows.filter(({ status }) => status === 'unknown').length
  return { all: rows.length, unknown, refused: internet.resolver.refusals(), tookMs: ran.tookMs }
}

/** By its letters alone, and neighbours differ. */
function shareOf(domain: string): number {
  return createHash('sha256').update(domain).digest().readUInt32BE(0) % 100
}

function isRegistered(domain: string): boolean {
  return shareOf(domain) < (domain.endsWith('.com') ? REGISTERED.com : REGISTERED.other)
}

function isHeld(domain: string): boolean {
  return isRegistered(domain) && shareOf(`${domain}.`) < HELD
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}

function told(values: readonly number[]): string {
  return `${Math.round(medianOf(values))} (${values.map((value) => Math.round(value)).join(' ')})`
}

function tellRuns(what: string, runs: readonly Finished[]): void {
  const toFirst = runs.map(({ firstMs = NaN }) => firstMs)
  const toAll = runs.map(({ tookMs }) => tookMs)
  tell(`${what}: first row, s`, secondsTold(toFirst))
  tell('  less what others had the processors', secondsTold(runs.map(undisturbedFirstMs)))
  tell(`${what}: all, s`, secondsTold(toAll))
  tell('  less what others had the processors', secondsTold(runs.map(undisturbedMs)))
}

/** As on a machine with nothing else to do. */
export function undisturbedFirstMs({ firstMs = NaN, stalledToFirstMs = NaN }: Finished): number {
  return firstMs - stalledToFirstMs
}

export function undisturbedMs({ tookMs, stalledMs }: Finished): number {
  return tookMs - stalledMs
}

function secondsTold(values: readonly number[]): string {
  return `${seconds(medianOf(values))} (${values.map(seconds).join(' ')})`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2)
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(0)
}

function tell(what: string, figures: string): void {
  console.log(`${what.padEnd(48)} ${figures}   [load ${loadavg()[0]?.toFixed(1)}]`)
}
