/**
 * `pnpm bench index --names N`: the registered-name index at any size, up to all names there are.
 *
 * Names of three suffixes in about their real proportions go the way of a zone's names: hashed from bytes, dealt out
 * to disk, sorted, built into filters; then the filters are mapped and asked. Making the synthetic names is not part
 * of the work and not counted. The lookups start from strings, half of them listed, in random order.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFilter } from '../packages/zone-index/src/filter.ts'
import { createHash, hashBytes, scramble } from '../packages/zone-index/src/hash.ts'
import { findOpenBytes } from '../packages/zone-index/src/mapped.ts'
import { openSpool } from '../packages/zone-index/src/spool.ts'
import { writeFilter } from '../packages/zone-index/src/write-filter.ts'

const SHARES = { com: 0.57, de: 0.22, net: 0.21 }
const BATCH = 16_384
const CHECKED = 10_000_000
const ASKED = 4_000_000

export interface IndexFigures {
  readonly names: number
  readonly bitsPerName: number
  readonly hashCpuSeconds: number
  readonly buildCpuSeconds: number
  readonly peakRssMb: number
  readonly openMs: number
  readonly lookupsPerCpuSecond: number
  readonly falsePositiveRate: number
  readonly falseNegatives: number
  readonly checked: number
}

export async function benchIndex({
  names,
  directory = tmpdir(),
}: {
  names: number
  directory?: string
}): Promise<IndexFigures> {
  const folder = mkdtempSync(join(directory, 'bench-index-'))
  try {
    const suffixes = Object.entries(SHARES).map(([suffix, share]) => ({ suffix, wanted: Math.round(names * share) }))
    const built = suffixes.map(({ suffix, wanted }) => buildSuffix(folder, suffix, wanted))
    const total = sum(built, 'names')
    // Before the filters are mapped and read, whose pages would count.
    const peakRssMb = process.resourceUsage().maxRSS / 1024
    const openedAt = performance.now()
    const openBytes = await findOpenBytes()
    const open = []
    for (const one of built) {
      const mapped = await openBytes(one.path)
      open.push({ ...one, mapped, filter: openFilter(mapped.bytes) })
    }
    const openMs = performance.now() - openedAt
    const figures = {
      names: total,
      bitsPerName: (8 * sum(built, 'bytes')) / total,
      hashCpuSeconds: sum(built, 'hashCpu'),
      buildCpuSeconds: sum(built, 'buildCpu'),
      peakRssMb,
      openMs,
      ...check(open, names),
      lookupsPerCpuSecond: measureLookups(open, names),
    }
    for (const { mapped } of open) mapped.close()
    report(figures)
    return figures
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Built {
  readonly suffix: string
  readonly wanted: number
  readonly path: string
  readonly names: number
  readonly bytes: number
  readonly hashCpu: number
  readonly buildCpu: number
}

interface Opened extends Built {
  readonly filter: { has(domain: string): boolean }
}

function buildSuffix(folder: string, suffix: string, wanted: number): Built {
  const path = join(folder, `${suffix}.bf16`)
  const list = join(folder, `${suffix}.hashes`)
  const text = Buffer.alloc(BATCH * 80)
  const ends = new Uint32Array(BATCH)
  const hash = createHash()
  using spool = openSpool(join(folder, 'spool'))
  let hashCpu = 0
  for (let next = 0; next < wanted;) {
    const count = Math.min(BATCH, wanted - next)
    for (let at = 0, end = 0; at < count; at++) ends[at] = end = writeName(suffix, next++, text, end, true)
    const before = cpuSeconds()
    for (let at = 0, start = 0; at < count; at++) {
      hashBytes(text, start, (start = ends[at] as number), hash)
      spool.add(hash[0] as number, hash[1] as number)
    }
    hashCpu += cpuSeconds() - before
  }
  const before = cpuSeconds()
  const written = writeFilter({ filter: path, list }, spool.count, spool.sorted())
  const buildCpu = cpuSeconds() - before
  rmSync(list)
  return { suffix, wanted, path, ...written, hashCpu, buildCpu }
}

/**
 * Writes a name of about the usual length at `at` and answers where it ends. The i-th is the same on every machine and
 * another one for every i; who is not listed ends as no listed name does.
 */
function writeName(suffix: string, index: number, into: Buffer, at: number, isListed: boolean): number {
  const label = `${(scramble(index) >>> 0).toString(36)}-${index.toString(36)}`
  return at + into.write(`${label}${isListed ? '' : '--x'}.${suffix}`, at, 'latin1')
}

/** All names up to ten million, else ten million of them evenly spread; and as many that are not there. */
function check(open: readonly Opened[], names: number) {
  const share = Math.min(1, CHECKED / names)
  const text = Buffer.alloc(256)
  let checked = 0
  let falseNegatives = 0
  let asked = 0
  let wrong = 0
  for (const { suffix, wanted, filter } of open) {
    const count = Math.ceil(wanted * share)
    for (let at = 0; at < count; at++) {
      const index = Math.floor((at / count) * wanted)
      if (!filter.has(text.toString('latin1', 0, writeName(suffix, index, text, 0, true)))) falseNegatives++
      if (filter.has(text.toString('latin1', 0, writeName(suffix, index, text, 0, false)))) wrong++
      checked++
      asked++
    }
  }
  return { checked, falseNegatives, falsePositiveRate: wrong / asked }
}

function measureLookups(open: readonly Opened[], names: number): number {
  const text = Buffer.alloc(256)
  const count = Math.min(ASKED, names)
  const domains: string[] = []
  const filters: Opened['filter'][] = []
  for (let at = 0; at < count; at++) {
    const which = Math.floor(Math.random() * open.length)
    const one = open[which]
    if (one === undefined) continue
    const end = writeName(one.suffix, Math.floor(Math.random() * one.wanted), text, 0, at % 2 === 0)
    domains.push(text.toString('latin1', 0, end))
    filters.push(one.filter)
  }
  const before = cpuSeconds()
  let found = 0
  for (const [at, domain] of domains.entries()) if (filters[at]?.has(domain) === true) found++
  const seconds = cpuSeconds() - before
  if (found < count / 2 - 1) throw new Error('a look-up went wrong')
  return count / seconds
}

function report(figures: IndexFigures): void {
  const lines: readonly [string, string, string][] = [
    ['names', figures.names.toLocaleString('en'), ''],
    ['bits per name', figures.bitsPerName.toFixed(2), '≤ 18.1'],
    ['CPU-seconds, hash and partition', figures.hashCpuSeconds.toFixed(1), ''],
    ['CPU-seconds, sort and build', figures.buildCpuSeconds.toFixed(1), ''],
    ['CPU-seconds in all', (figures.hashCpuSeconds + figures.buildCpuSeconds).toFixed(1), '≤ 150 at 370 M'],
    ['peak memory of the build, MB', figures.peakRssMb.toFixed(0), '≤ 4096'],
    ['open, ms', figures.openMs.toFixed(1), ''],
    ['look-ups per CPU-second', Math.round(figures.lookupsPerCpuSecond).toLocaleString('en'), '≥ 1,000,000'],
    ['false positives', figures.falsePositiveRate.toExponential(2), '≤ 2e-5'],
    [`false negatives of ${figures.checked.toLocaleString('en')}`, String(figures.falseNegatives), '0'],
  ]
  for (const [what, value, aim] of lines) console.log(`${what.padEnd(36)}${value.padStart(14)}   ${aim}`)
}

function sum(built: readonly Built[], key: 'names' | 'bytes' | 'hashCpu' | 'buildCpu'): number {
  return built.reduce((total, one) => total + one[key], 0)
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
